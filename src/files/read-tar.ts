import { createPieces } from './pieces.ts'

/** A file or a folder in an archive. Read its bytes before asking for the next entry; unread ones are skipped. */
type TarEntry = { name: string; isFolder: boolean; bytes: AsyncIterable<Uint8Array> }

/** The archive is damaged or cut off. */
export class DamagedArchive extends Error {}

const blockBytes = 512

/** The most bytes in a long name or in a file's pax records, which is many times what the longest path needs. */
const longestName = 1 << 16

/** Whether a first block of bytes is a tar header. */
export const isTar = (head: Uint8Array) => ascii(head.subarray(257, 262)) === 'ustar'

/**
 * Reads the files and folders of a tar (ustar, GNU long names, pax paths) as a stream. Throws DamagedArchive. A missing end
 * mark counts as damage only with `hasEnd`.
 */
export async function* readTar(bytes: AsyncIterable<Uint8Array>, { hasEnd = false } = {}): AsyncGenerator<TarEntry> {
  const input = createPieces(bytes)
  let longName: string | null = null
  for (;;) {
    const header = await input.take(blockBytes)
    if (header.length === 0 ? !hasEnd : header.every((byte) => byte === 0)) return
    const size = header.length < blockBytes || !hasChecksum(header) ? Number.NaN : readSize(header)
    const type = String.fromCharCode(header[156] || 0x30)
    const isName = type === 'L' || type === 'x'
    if (!(size >= 0) || (isName && size > longestName)) throw new DamagedArchive('The archive is damaged or cut off.')
    if (isName) {
      const value = new TextDecoder().decode(await input.take(size))
      longName = (type === 'L' ? value.replace(/\0.*$/s, '') : paxPath(value)) ?? longName
    } else {
      const body = input.part(size, cutOff)
      if ('057'.includes(type)) yield { name: longName ?? headerName(header), isFolder: type === '5', bytes: body }
      for await (const _ of body);
      longName = null
    }
    for await (const _ of input.part(tarPadding(size), cutOff));
  }
}

const cutOff = () => new DamagedArchive('The archive is cut off.')

/** How many bytes pad a file's last block. */
export const tarPadding = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes

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
