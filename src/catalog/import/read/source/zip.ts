import { Unzip, type UnzipFile, UnzipInflate } from 'fflate'

/** A file in a zip. Read its bytes before you ask for the next file, because the rest is skipped then. */
type ZipEntry = { name: string; bytes: AsyncIterable<Uint8Array> }

/** A zip that is damaged, cut off, or compressed in a way we can't read. The message is a sentence. */
export class DamagedZip extends Error {
  constructor(reason: string) {
    super(`The zip file is damaged: ${reason}.`)
  }
}

/** Stored as it is, and deflated. */
const readable = [0, 8]

/** The name of the first file in a zip, from the zip's first bytes. */
export const firstInZip = (head: Uint8Array): string => {
  const length = (head[26] ?? 0) + (head[27] ?? 0) * 256
  return new TextDecoder().decode(head.subarray(30, 30 + length))
}

/** How many packed bytes are unpacked at once: they may be a thousand times as many then. */
const atOnce = 16 * 1024

async function* inSlices(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes)
    for (let at = 0; at < chunk.length; at += atOnce) yield chunk.subarray(at, at + atOnce)
}

/**
 * Streams the files of a zip, in the order they are stored. `count` gets the number of unpacked bytes, and may throw to end it.
 * Throws DamagedZip.
 */
export async function* readZip(
  bytes: AsyncIterable<Uint8Array>,
  count: (bytes: number) => void,
): AsyncGenerator<ZipEntry> {
  const source = inSlices(bytes)
  const found: { name: string; chunks: Uint8Array[]; isWhole: boolean }[] = []
  let failure: Error | undefined
  let isOver = false
  const unzip = new Unzip((file: UnzipFile) => {
    const entry = { name: file.name, chunks: [] as Uint8Array[], isWhole: false }
    file.ondata = (error, data, final) => {
      if (error) failure = error
      else entry.chunks.push(data)
      if (final) entry.isWhole = true
    }
    found.push(entry)
    if (readable.includes(file.compression)) file.start()
    else failure = new Error('it is encrypted, or compressed in a way that cannot be read')
  })
  unzip.register(UnzipInflate)
  const pump = async () => {
    const next = await source.next()
    isOver = next.done === true
    try {
      unzip.push(isOver ? new Uint8Array() : next.value, isOver)
    } catch (error) {
      failure = error as Error
    }
    if (failure) throw new DamagedZip(failure.message)
  }
  const bytesOf = async function* (entry: (typeof found)[number]) {
    for (;;) {
      const chunk = entry.chunks.shift()
      if (chunk) {
        count(chunk.length)
        yield chunk
      } else if (entry.isWhole) return
      else if (isOver) throw new DamagedZip('it ends too soon')
      else await pump()
    }
  }
  for (let entries = 0; ; ) {
    const entry = found.shift()
    if (entry) {
      entries++
      const content = bytesOf(entry)
      yield { name: entry.name, bytes: content }
      for await (const _ of bytesOf(entry));
    } else if (isOver && entries > 0) return
    else if (isOver) throw new DamagedZip('it contains no files')
    else await pump()
  }
}
