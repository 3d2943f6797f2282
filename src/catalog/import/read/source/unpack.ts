import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { sizes } from '../../../../limits.ts'

/** A source that can't be read, or not any further. The message is a sentence for the user. */
export class UnreadableSource extends Error {}

/** It ends the import, wherever in the source it's met. */
export class SourceTooLarge extends UnreadableSource {}

/** How much a source has unpacked to, in all of its files and layers. */
export type Unpacked = ReturnType<typeof countUnpacked>

/** Counts unpacked bytes. A megabyte can unpack to a gigabyte, and layers multiply, so too many end the import. */
export const countUnpacked = (gigabytes = sizes.unpackedGigabytes.most) => {
  let bytes = 0
  /** Throws SourceTooLarge if it's too much. */
  const count = (more: number) => {
    bytes += more
    if (bytes > gigabytes * 1e9)
      throw new SourceTooLarge(`It unpacks to more than ${gigabytes} GB. The import ends here.`)
  }
  const counted = async function* (chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of chunks) {
      count(chunk.length)
      yield chunk
    }
  }
  return { count, counted }
}

/** Unpacks a stream, by its packing. `name` is for messages. */
export const unpackers: Record<string, (name: string, bytes: AsyncIterable<Uint8Array>) => AsyncGenerator<Uint8Array>> =
  {
    gzip: gunzip,
    xz: unpackWithXz,
  }

async function* gunzip(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip()
  pipeline(Readable.from(bytes), unpacked, () => undefined)
  try {
    yield* unpacked
  } catch (error) {
    if (error instanceof UnreadableSource) throw error
    throw new UnreadableSource(`${name} is damaged: it cannot be unpacked completely.`)
  }
}

/** Unpacks with the system's `xz`, if it has one. */
async function* unpackWithXz(name: string, bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  if (!Bun.which('xz')) throw new UnreadableSource(`${name} is compressed as xz. Unpack it first (xz --decompress).`)
  const process = Bun.spawn(['xz', '--decompress', '--stdout'], { stdin: 'pipe', stdout: 'pipe', stderr: 'ignore' })
  const fed = feed(process.stdin, bytes)
  // If the source fails, nothing else would end the process, which waits for more.
  fed.catch(() => process.kill())
  try {
    yield* process.stdout
    await fed
    if ((await process.exited) !== 0) throw new UnreadableSource(`${name} is damaged: xz cannot unpack it.`)
  } finally {
    process.kill()
    await fed.catch(() => undefined)
  }
}

/** Throws what the source threw. If the process has exited, stops writing to it. Its exit code says what was wrong. */
const feed = async (sink: Bun.FileSink, bytes: AsyncIterable<Uint8Array>) => {
  try {
    for await (const chunk of bytes) {
      await sink.write(chunk)
      await sink.flush()
    }
    await sink.end()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error
  }
}
