import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Database, Queryable } from '../../../../db/client.ts'
import type { Sink } from '../../../files/store.ts'
import { copiedResources } from '../../model/v2.ts'
import { numberChanges } from '../feed/number.ts'
import { readEnds } from '../feed/place.ts'
import { type Lines, linesOf, lookSizes } from './lines.ts'
import { linesOfMerges, mergesFile } from './merges.ts'

/** A file of a generation: its number of lines, and the size and SHA-256 of the download. */
export type BulkFile = { resource: string; count: number; bytes: number; sha256: string }

/** The files of all resources, and the number of the first change that isn't in them. */
type Generation = { files: BulkFile[]; feedNo: number }

export type WriteOptions = {
  baseUrl: string
  signal: AbortSignal
  /** Called with the number of lines since its last call. */
  progress?: (lines: number) => void | Promise<void>
}

/**
 * Writes the published catalog, a file for each resource and one for merged ids, into the sinks from `open`. The files and the changes
 * from `feedNo` on make up the catalog. On PostgreSQL, a single snapshot has all of it, and the end of the feed. On the embedded database,
 * others would have to wait for a snapshot, so the end of the feed is read first, and what is written during the export comes again as a
 * change. On both, changes without a number yet will come after `feedNo`.
 */
export const writeGeneration = async (
  db: Database,
  open: (resource: string) => Promise<Sink>,
  options: WriteOptions,
): Promise<Generation> => {
  await numberChanges(db)
  return inSnapshot(db, async (snapshot) => {
    const { last } = await readEnds(snapshot)
    const files: BulkFile[] = []
    for (const resource of copiedResources) {
      options.signal.throwIfAborted()
      const lines = linesOf(snapshot, resource, options.baseUrl, lookSizes[db.kind])
      files.push({ resource: resource.type, ...(await writeFile(lines, await open(resource.type), options)) })
    }
    const merges = linesOfMerges(snapshot, lookSizes[db.kind])
    files.push({ resource: mergesFile, ...(await writeFile(merges, await open(mergesFile), options)) })
    return { files, feedNo: last + 1 }
  })
}

const inSnapshot = <T>(db: Database, work: (snapshot: Queryable) => Promise<T>): Promise<T> => {
  if (db.kind === 'embedded') return work(db)
  return db.transaction(async (tx) => {
    await tx.sql`set transaction isolation level repeatable read, read only`
    // A slow disk or bucket may let it wait.
    await tx.sql`set local idle_in_transaction_session_timeout = 0`
    return work(tx)
  })
}

const writeFile = async (lines: AsyncIterable<Lines>, sink: Sink, options: WriteOptions) => {
  try {
    const written = await compress(lines, sink, options)
    await sink.end()
    return written
  } catch (error) {
    await sink.drop().catch(() => {})
    throw error
  }
}

/** Fast rather than small, since readers of the catalog need the processor, too. */
const gzipOptions = { level: 1, chunkSize: 262_144 }

/** Writes lines into a sink as one gzip member, with a few megabytes at a time in memory. */
const compress = async (lines: AsyncIterable<Lines>, sink: Sink, { signal, progress }: WriteOptions) => {
  const hash = new Bun.CryptoHasher('sha256')
  let [count, bytes] = [0, 0]
  const texts = async function* () {
    for await (const some of lines) {
      signal.throwIfAborted()
      count += some.count
      await progress?.(some.count)
      yield Buffer.from(some.text)
    }
  }
  await pipeline(texts, createGzip(gzipOptions), async (pieces: AsyncIterable<Buffer>) => {
    for await (const piece of pieces) {
      hash.update(piece)
      bytes += piece.length
      await sink.write(piece)
    }
  })
  return { count, bytes, sha256: hash.digest('hex') }
}
