import { open } from 'node:fs/promises'
import { tarPadding } from './read-tar.ts'

/** A folder or file on disk, and its name in the archive. An entry that `mayGo` is left out if it has disappeared. */
export type Entry = { name: string; path: string; isFolder: boolean; mayGo?: boolean }

const blockBytes = 512
const pieceBytes = 1024 * 1024

/** The bytes of a tar archive (ustar). A file that shrinks while it is read is padded with zeros. One that grows is cut. */
export async function* writeTar(entries: Iterable<Entry>): AsyncGenerator<Uint8Array> {
  for (const entry of entries) yield* entry.isFolder ? [header(`${entry.name}/`, 0, '5')] : writeFile(entry)
  yield new Uint8Array(2 * blockBytes)
}

async function* writeFile({ name, path, mayGo }: Entry) {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (!mayGo || error.code !== 'ENOENT') throw error
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
    yield new Uint8Array(tarPadding(size))
  } finally {
    await file.close()
  }
}

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

/** A long name takes two fields, split at a slash: up to 155 bytes and up to 100. */
const split = (name: string) => {
  if (Buffer.byteLength(name) <= 100) return { prefix: '', base: name }
  for (let at = name.indexOf('/'); at > 0 && at < name.length - 1; at = name.indexOf('/', at + 1)) {
    const [prefix, base] = [name.slice(0, at), name.slice(at + 1)]
    if (Buffer.byteLength(prefix) <= 155 && Buffer.byteLength(base) <= 100) return { prefix, base }
  }
  throw new Error(`The name ${name} is too long for an archive.`)
}
