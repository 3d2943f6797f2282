import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import type { Store } from '../../files/store.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import type { Log } from '../../lib/log.ts'
import { imageStore } from './store.ts'

/** An upload that does not commit within this time is abandoned, and its files are removed. */
const uploadSeconds = 3600

/**
 * Notes that an image's files are about to be written before any row owns them: the files of each row of `loose_images` are
 * removed at its time, unless the row is gone by then.
 */
export const noteUpload = async (db: Queryable, id: string, now: Date) => {
  const from = new Date(now.getTime() + uploadSeconds * 1000)
  await db.sql`insert into loose_images (id, loose_from) values (${id}, ${from.toISOString()}::timestamptz)`
}

/** Deletes the note in the transaction that makes the image's row: once it commits, the files have an owner. */
export const settleUpload = async (tx: Transaction, id: string) => {
  const settled = await tx.sql`delete from loose_images where id = ${id}`
  if (settled.count === 0) throw unavailable('The upload took too long: try again.')
}

/**
 * Removes the files of a failed upload. Where the transaction committed after all, as when the connection broke at the end,
 * the note is gone and the files stay.
 */
export const abandonUpload = async (db: Queryable, store: Store, id: string, now: Date) => {
  const loose = await db.sql`
    update loose_images set loose_from = ${now.toISOString()}::timestamptz where id = ${id} returning id`
  if (loose.count > 0) await removeLoose(db, store, [id])
}

/** Removes the files of every image that is loose: after the commit that erased it, at the start, and once a day. */
export const sweepLooseImages = async (db: Database, store: Store, now: Date) => {
  for (;;) {
    const rows = await db.sql<{ id: string }[]>`
      select id from loose_images where loose_from <= ${now.toISOString()}::timestamptz order by id limit 500`
    await removeLoose(
      db,
      store,
      rows.map((row) => row.id),
    )
    if (rows.length < 500) return
  }
}

/** Sweeps after the answer to a request that erased images. What fails now is swept later. */
export const sweepLooseImagesSoon = ({ db, config, log }: Context, now: Date) => {
  sweepLooseImages(db, imageStore(config), now).catch(filesLeft(log))
}

/** Logs that files without an image could not be removed now; they are swept later. */
export const filesLeft = (log: Log) => (error: Error) => log.warn('image_files_left', { message: error.message })

const removeLoose = async (db: Queryable, store: Store, ids: string[]) => {
  for (const id of ids) await store.remove(id)
  if (ids.length > 0) await db.sql`delete from loose_images where id = any(${ids}::uuid[])`
}
