import { type FileHandle, open } from 'node:fs/promises'
import { findDamage, pageBytes } from './page.ts'

/** Thrown if bytes on the disk aren't those that the database wrote there. */
export class DamagedPage extends Error {
  constructor(file: string, block: number) {
    super(`${file} is damaged: its block ${block} does not match its checksum.`)
  }
}

const pieceBytes = 128 * pageBytes
const attempts = 50
const againMilliseconds = 20

/**
 * Copies a file of a table or index of the running database, and checks each of its pages. Throws DamagedPage. `first` is the
 * number of the file's first page in the table.
 */
export const copyPages = async (from: string, to: string, first: number): Promise<void> => {
  const source = await open(from)
  try {
    const target = await open(to, 'w', 0o600)
    try {
      for (let at = 0; ; ) {
        const piece = await readWhole(source, from, at, first)
        if (piece.length === 0) return
        await target.writeFile(piece)
        at += piece.length
      }
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

/**
 * Whole pages from a position in the file, or none at its end. A disk that was full may have left a part of a page there, which
 * the database overwrites.
 */
const readWhole = async (source: FileHandle, name: string, at: number, first: number) => {
  const piece = Buffer.allocUnsafe(pieceBytes)
  for (let attempt = 1; ; attempt++) {
    const { bytesRead } = await source.read(piece, 0, pieceBytes, at)
    const pages = piece.subarray(0, bytesRead - (bytesRead % pageBytes))
    const damaged = findDamage(pages, first + at / pageBytes) ?? pages.length / pageBytes
    if (damaged > 0 || pages.length === 0) return piece.subarray(0, damaged * pageBytes)
    // The database may be writing this page right now. It will be complete in a moment.
    if (attempt === attempts) throw new DamagedPage(name, at / pageBytes)
    await Bun.sleep(againMilliseconds)
  }
}
