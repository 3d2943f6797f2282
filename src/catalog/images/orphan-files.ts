import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import type { Store } from '../../files/store.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import type { Log } from '../../lib/log.ts'
import { imageStore } from './store.ts'

/** An upload that doesn't commit within this time is abandoned, and its files are removed. */
const uploadSeconds = 3600

/**
 * Notes that an image's files are about to be written before a row owns them. When a row of `loose_images` is due, its files
 * are removed, unless the row has been deleted by then.
 */
export const noteUpload = async (db: Queryable, id: string, now: Date) => {
  const from = new Date(now.getTime() + uploadSeconds * 1000)
  await db.sql`insert into loose_images (id, loose_from) values (${id}, ${from.toISOString()}::timestamptz)`
}

/** Deletes the note in the transaction that creates the image's row. Once it commits, the files have an owner. */
export const settleUpload = async (tx: Transaction, id: string) => {
  const settled = await tx.sql`delete from loose_images where id = ${id}`
  if (settled.count === 0) throw unavailable('The upload took too long. Try again.')
}

/**
 * Removes the files of a failed upload. If the transaction committed after all, for example because the connection broke at the
 * end, the note is gone and the files stay.
 */
export const abandonUpload = async (db: Queryable, store: Store, id: string, now: Date) => {
  const loose = await db.sql`
    update loose_images set loose_from = ${now.toISOString()}::timestamptz where id = ${id} returning id`
  if (loose.count > 0) await removeLoose(db, store, [id])
}

/** Removes the files of all loose images: after a commit that erased some, at the start, and once a day. */
export const sweepLooseImages = async (db: Database, store: Store, now: Date) => {
  for (;;) {
    const rows = await db.sql<{ id: string }[]>`
      select id from loose_images where loose_from <= ${now.toISOString()}::timestamptz order by id limit 500`
    const ids = rows.map((row) => row.id)
    await removeLoose(db, store, ids)
    if (rows.length < 500) return
  }
}

/** Sweeps after answering a request that erased images. Whatever fails now is swept later. */
export const sweepLooseImagesSoon = ({ db, config, log }: Context, now: Date) => {
  sweepLooseImages(db, imageStore(config), now).catch(filesLeft(log))
}

/** Logs that files without an image couldn't be removed now. They are swept later. */
export const filesLeft = (log: Log) => (error: Error) => log.warn('image_files_left', { message: error.message })

const removeLoose = async (db: Queryable, store: Store, ids: string[]) => {
  for (const id of ids) await store.remove(id)
  if (ids.length > 0) await db.sql`delete from loose_images where id = any(${ids}::uuid[])`
}
