import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Sink } from '../../../files/store.ts'
import type { Lines } from './lines.ts'

/** What stands in a finished file: its lines, and size and SHA-256 of the file as it is downloaded. */
export type Written = { count: number; bytes: number; sha256: string }

/** The compression is not to hold up those who read the catalog meanwhile. */
const gzipOptions = { level: 1, chunkSize: 262_144 }

type Telling = { signal: AbortSignal; told: (lines: number) => void | Promise<void> }

/** Writes lines into a sink as one gzip member, a few megabytes at a time in memory, until the signal is aborted. */
export const writeCompressed = async (lines: AsyncIterable<Lines>, sink: Sink, telling: Telling): Promise<Written> => {
  try {
    const written = await compress(lines, sink, telling)
    await sink.end()
    return written
  } catch (error) {
    await sink.drop().catch(() => {})
    throw error
  }
}

const compress = async (lines: AsyncIterable<Lines>, sink: Sink, { signal, told }: Telling): Promise<Written> => {
  const hash = new Bun.CryptoHasher('sha256')
  let [count, bytes] = [0, 0]
  const texts = async function* () {
    for await (const some of lines) {
      signal.throwIfAborted()
      count += some.count
      await told(some.count)
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
