import type { Database, Queryable } from '../../../../db/client.ts'
import type { Sink } from '../../../files/store.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { numberChanges } from '../feed/number.ts'
import { readEnds } from '../feed/read.ts'
import { type Written, writeCompressed } from './compress.ts'
import { linesOf, lookSizes } from './lines.ts'

/** One file of a generation. */
export type BulkFile = Written & { resource: string }

/** The files of all resources, and the number in the feed from which on changes are to be read to them. */
export type Generation = { files: BulkFile[]; feedNo: number }

export type WriteOptions = {
  baseUrl: string
  signal: AbortSignal
  /** Hears the number of lines that were written since it was called last. */
  told?: (lines: number) => void | Promise<void>
}

/**
 * Writes the published catalog, a file for each resource, into the sinks that `open` gives. A file and the changes behind
 * `feedNo` together are the catalog: on PostgreSQL all is read in one snapshot, which also says where the feed ends; on the
 * embedded database, where others would wait for that, the place in the feed is taken first, and what is written meanwhile
 * comes again as a change. A change that has no number yet comes behind `feedNo` in either case.
 */
export const writeGeneration = async (
  db: Database,
  open: (resource: string) => Promise<Sink>,
  { baseUrl, signal, told = () => {} }: WriteOptions,
): Promise<Generation> => {
  await numberChanges(db)
  return inSnapshot(db, async (snapshot) => {
    const { last } = await readEnds(snapshot)
    const files: BulkFile[] = []
    for (const resource of resourcesInV2) {
      signal.throwIfAborted()
      const lines = linesOf(snapshot, resource, baseUrl, lookSizes[db.kind])
      const written = await writeCompressed(lines, await open(resource.type), { signal, told })
      files.push({ resource: resource.type, ...written })
    }
    return { files, feedNo: last + 1 }
  })
}

const inSnapshot = <T>(db: Database, work: (snapshot: Queryable) => Promise<T>): Promise<T> => {
  if (db.kind === 'embedded') return work(db)
  return db.transaction(async (tx) => {
    await tx.sql`set transaction isolation level repeatable read, read only`
    return work(tx)
  })
}
