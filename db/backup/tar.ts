import { open } from 'node:fs/promises'
import { hasCode } from '../faults.ts'

/** A folder or a file on disk, and the name that it has in the archive. One that `mayGo` is left out where it is gone. */
export type Entry = { name: string; path: string; isFolder: boolean; mayGo?: boolean }

const blockBytes = 512
const pieceBytes = 1024 * 1024

/** The bytes of a tar archive. A file that shrinks while it is read is filled up with zeros, one that grows is cut. */
export async function* writeTar(entries: Iterable<Entry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) yield* entry.isFolder ? [header(`${entry.name}/`, 0, '5')] : writeFile(entry)
  yield new Uint8Array(2 * blockBytes)
}

async function* writeFile({ name, path, mayGo }: Entry) {
  const file = await open(path).catch((error: unknown) => {
    if (!mayGo || !hasCode(error, 'ENOENT')) throw error
  })
  if (!file) return
  try {
    const { size } = await file.stat()
    yield header(name, size, '0')
    let left = size
    while (left > 0) {
      const piece = Buffer.alloc(Math.min(left, pieceBytes))
      await file.read(piece, 0, piece.length, size - left)
      yield piece
      left -= piece.length
    }
    yield new Uint8Array(padding(size))
  } finally {
    await file.close()
  }
}

const padding = (size: number) => (blockBytes - (size % blockBytes)) % blockBytes

const header = (name: string, size: number, kind: '0' | '5') => {
  const bytes = Buffer.alloc(blockBytes)
  const { prefix, base } = split(name)
  bytes.write(base, 0)
  bytes.write(kind === '5' ? '0000700' : '0000600', 100)
  bytes.write('0000000', 108)
  bytes.write('0000000', 116)
  bytes.write(size.toString(8).padStart(11, '0'), 124)
  bytes.write('00000000000', 136)
  bytes.write(' '.repeat(8), 148)
  bytes.write(kind, 156)
  bytes.write('ustar\x0000', 257)
  bytes.write(prefix, 345)
  const sum = bytes.reduce((total, byte) => total + byte, 0)
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return bytes
}

/** A long name stands in two fields, parted at a slash: up to 155 bytes and up to 100. */
const split = (name: string) => {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', base: name }
  for (let at = name.indexOf('/'); at > 0 && at < name.length - 1; at = name.indexOf('/', at + 1)) {
    const [prefix, base] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(base) <= 100) return { prefix, base }
  }
  throw new Error(`${name} is too long a name for an archive.`)
}

/** What a reader of an archive is told, in order. A file's pieces follow it. */
export type Part = { folder: string } | { file: string; bytes: number } | { piece: Uint8Array }

/** Reads an archive that `writeTar` wrote. Throws where it is cut short or damaged. */
export async function* readTar(source: AsyncIterable<Uint8Array>): AsyncGenerator<Part> {
  const read = reader(source)
  for (;;) {
    const head = await read(blockBytes)
    if (head.every((byte) => byte === 0)) return
    const { name, size, kind } = parse(head)
    if (kind === '5') yield { folder: name.replace(/\/$/, '') }
    else {
      yield { file: name, bytes: size }
      for (let left = size; left > 0; left -= Math.min(left, pieceBytes))
        yield { piece: await read(Math.min(left, pieceBytes)) }
      await read(padding(size))
    }
  }
}

const parse = (head: Buffer) => {
  const text = (from: number, length: number) => head.toString('utf8', from, from + length).replace(/\0.*$/s, '')
  const claimed = Number.parseInt(text(148, 8), 8)
  const sum = head.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0)
  const name = text(345, 155) === '' ? text(0, 100) : `${text(345, 155)}/${text(0, 100)}`
  if (claimed !== sum || text(257, 5) !== 'ustar') throw new Error('The archive is damaged.')
  if (name.startsWith('/') || name.split('/').includes('..')) throw new Error(`The archive holds a bad name: ${name}`)
  return { name, size: Number.parseInt(text(124, 11), 8), kind: text(156, 1) }
}

const reader = (source: AsyncIterable<Uint8Array>) => {
  const pieces = source[Symbol.asyncIterator]()
  let waiting: Buffer[] = []
  let length = 0
  return async (bytes: number): Promise<Buffer> => {
    while (length < bytes) {
      const { done, value } = await pieces.next()
      if (done) throw new Error('The archive ends too early.')
      waiting.push(Buffer.from(value))
      length += value.length
    }
    const whole = waiting.length === 1 && waiting[0] ? waiting[0] : Buffer.concat(waiting)
    waiting = [whole.subarray(bytes)]
    length -= bytes
    return whole.subarray(0, bytes)
  }
}
