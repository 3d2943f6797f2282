import { UnreadableSource } from './unreadable.ts'

/** A file in an archive. Its bytes must be read before the next entry is asked for; what is left is passed over. */
export type TarEntry = { name: string; bytes: AsyncIterable<Uint8Array> }

const BLOCK = 512

/** The most bytes of a long name, or of what pax says of a file: many times what the longest path needs. */
const LONGEST_NAME = 1 << 16

/** Whether a first block of bytes is a tar header. */
export const isTar = (head: Uint8Array) => ascii(head.subarray(257, 262)) === 'ustar'

/**
 * Reads the files of a tar (ustar, GNU long names, pax paths) as a stream. Throws where the archive is cut off or damaged.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry> {
  const input = createInput(bytes)
  let longName: string | null = null
  for (;;) {
    const header = await input.take(BLOCK)
    if (header.length === 0 || header.every((byte) => byte === 0)) return
    const size = header.length < BLOCK || !hasChecksum(header) ? Number.NaN : readSize(header)
    const type = String.fromCharCode(header[156] || 0x30)
    const isName = type === 'L' || type === 'x'
    if (!(size >= 0) || (isName && size > LONGEST_NAME))
      throw new UnreadableSource('The archive is damaged or cut off.')
    if (isName) {
      const value = new TextDecoder().decode(await input.take(size))
      longName = (type === 'L' ? value.replace(/\0.*$/s, '') : paxPath(value)) ?? longName
      await input.skip(padding(size))
      continue
    }
    if (type === '0' || type === '7') {
      const body = input.part(size)
      yield { name: longName ?? headerName(header), bytes: body }
      for await (const _ of body);
    } else await input.skip(size)
    longName = null
    await input.skip(padding(size))
  }
}

const padding = (size: number) => (BLOCK - (size % BLOCK)) % BLOCK
const ascii = (bytes: Uint8Array) => String.fromCharCode(...bytes)
const field = (header: Uint8Array, start: number, length: number) =>
  new TextDecoder().decode(header.subarray(start, start + length)).replace(/\0.*$/s, '')

const headerName = (header: Uint8Array) => [field(header, 345, 155), field(header, 0, 100)].filter(Boolean).join('/')

const readSize = (header: Uint8Array) => {
  if ((header[124] ?? 0) & 0x80) return header.subarray(128, 136).reduce((sum, byte) => sum * 256 + byte, 0)
  return Number.parseInt(field(header, 124, 12).trim() || '0', 8)
}

const hasChecksum = (header: Uint8Array) => {
  const sum = header.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  return sum === Number.parseInt(field(header, 148, 8).trim(), 8)
}

const paxPath = (records: string) => /(?:^|\n)\d+ path=([^\n]*)\n/.exec(records)?.[1] ?? null

/** A stream that is taken in pieces of a wanted length. */
const createInput = (bytes: AsyncIterable<Uint8Array>) => {
  const source = bytes[Symbol.asyncIterator]()
  let held: Uint8Array = new Uint8Array()
  const fill = async () => {
    while (held.length === 0) {
      const next = await source.next()
      if (next.done) return false
      held = next.value
    }
    return true
  }
  const upTo = (count: number) => {
    const piece = held.subarray(0, count)
    held = held.subarray(piece.length)
    return piece
  }
  const take = async (count: number) => {
    const pieces: Uint8Array[] = []
    let missing = count
    while (missing > 0 && (await fill())) {
      const piece = upTo(missing)
      pieces.push(piece)
      missing -= piece.length
    }
    return Buffer.concat(pieces)
  }
  const part = (count: number): AsyncIterableIterator<Uint8Array> => {
    let missing = count
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (missing === 0) return { done: true, value: undefined }
      if (!(await fill())) throw new UnreadableSource('The archive is cut off.')
      const piece = upTo(missing)
      missing -= piece.length
      return { done: false, value: piece }
    }
    const iterator = { next, [Symbol.asyncIterator]: () => iterator }
    return iterator
  }
  const skip = async (count: number) => {
    for await (const _ of part(count));
  }
  return { take, part, skip }
}
