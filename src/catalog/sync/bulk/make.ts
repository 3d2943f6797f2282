/*
 * Bulk files are read along the primary keys, a fixed number of rows at a time. On PostgreSQL, one snapshot covers all
 * of it and the end of the feed. The embedded database reads the feed's end first, then the rows in short statements;
 * anything written during that time comes again as a change. The files are stored where images are. A generation is
 * listed once all its files are complete, and the one before it is kept. A file is withdrawn once the feed says, from
 * its place on, that a record of its type was hidden or deleted. That is seen in the transaction that hides it, and
 * costs its writer an entry in an index. Every two minutes, a job looks whether a new generation is needed.
 */

import type { Database } from '../../../../db/client.ts'
import type { Context } from '../../../context.ts'
import type { Store } from '../../../files/store.ts'
import { forgetFiles, listedIds, listFiles, newestFiles, oldFiles, withdrawnIds } from './files.ts'
import { bulkStore, contentType, fileName } from './store.ts'
import { type WriteOptions, writeGeneration } from './write.ts'

/** An unlisted file older than this was left by a process that was killed. */
const unlistedMilliseconds = 24 * 3_600_000

/**
 * Makes a new generation of bulk files, lists it, and removes old ones. If it is interrupted, none of its files are listed. They are removed
 * at once, or after a kill with a generation made at least a day later.
 */
export const makeBulkFiles = async (
  { db, config, clock, log }: Pick<Context, 'db' | 'config' | 'clock' | 'log'>,
  options: Omit<WriteOptions, 'baseUrl'>,
): Promise<void> => {
  const store = bulkStore(config)
  const now = clock.now()
  const ids = new Map<string, string>()
  const create = (resource: string) => {
    const id = Bun.randomUUIDv7('hex', now)
    ids.set(resource, id)
    return store.create(id, fileName(resource), contentType)
  }
  const { files, feedNo } = await writeGeneration(db, create, { ...options, baseUrl: config.baseUrl }).catch(
    async (error) => {
      for (const id of ids.values()) await store.remove(id).catch(() => {})
      throw error
    },
  )
  const named = files.map((file) => ({ ...file, id: ids.get(file.resource) as string }))
  await listFiles(db, named, { generation: Bun.randomUUIDv7('hex', now), feedNo, now })
  await sweepBulkFiles(db, store, now).catch((error: Error) => log.warn('bulk_files_left', { message: error.message }))
}

/**
 * Removes the bytes of withdrawn files, and returns the generation that a new one must replace. Undefined if nothing of the newest is
 * withdrawn.
 */
export const dropWithdrawn = async ({ db, config }: Pick<Context, 'db' | 'config'>): Promise<string | undefined> => {
  const store = bulkStore(config)
  for (const id of await withdrawnIds(db)) await store.remove(id)
  return (await newestFiles(db)).find((file) => file.is_withdrawn)?.generation
}

/** Removes files of old generations, and those left by processes that were killed. */
const sweepBulkFiles = async (db: Database, store: Store, now: Date) => {
  const old = await oldFiles(db)
  for (const id of old) await store.remove(id)
  await forgetFiles(db, old)
  const listed = await listedIds(db)
  for (const id of await store.list())
    if (!listed.has(id) && begunAt(id) < now.getTime() - unlistedMilliseconds) await store.remove(id)
}

/** When an id was created (RFC 9562 §5.7), in milliseconds. */
const begunAt = (id: string) => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)
