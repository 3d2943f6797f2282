import { createInflateRaw } from 'node:zlib'
import { turn } from '../../../../../lib/turn.ts'
import { BadWorkbook } from './bad-workbook.ts'

/** Where a part of a workbook is in its zip. */
export type Part = { start: number; end: number; method: number; isEncrypted: boolean }

const signs = { entry: 0x02014b50, file: 0x04034b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 }

/** The value of a field that is too small for it, so that the value is elsewhere (zip64). */
const elsewhere = 0xffffffff

/** The parts of a workbook by name, as the directory at the end of the zip lists them. Throws BadWorkbook. */
export const partsOf = (zip: Buffer): Map<string, Part> => {
  try {
    const parts = new Map<string, Part>()
    let { at, count } = directoryOf(zip)
    for (; count > 0; count--) {
      expectSign(zip, at, signs.entry)
      const name = zip.toString('utf8', at + 46, at + 46 + zip.readUInt16LE(at + 28))
      const extra = at + 46 + zip.readUInt16LE(at + 28)
      const extraEnd = extra + zip.readUInt16LE(at + 30)
      parts.set(name, partAt(zip, at, zip.subarray(extra, extraEnd)))
      at = extraEnd + zip.readUInt16LE(at + 32)
    }
    return parts
  } catch (error) {
    throw error instanceof RangeError ? new BadWorkbook() : error
  }
}

const directoryOf = (zip: Buffer) => {
  const end = zip.lastIndexOf(Uint8Array.of(0x50, 0x4b, 0x05, 0x06))
  expectSign(zip, end, signs.end)
  const [count, at] = [zip.readUInt16LE(end + 10), zip.readUInt32LE(end + 16)]
  if (count !== 0xffff && at !== elsewhere) return { at, count }
  expectSign(zip, end - 20, signs.locator64)
  const end64 = readLong(zip, end - 12)
  expectSign(zip, end64, signs.end64)
  return { at: readLong(zip, end64 + 48), count: readLong(zip, end64 + 32) }
}

/** Sizes of the unpacked content aren't read, because anything can stand there. */
const partAt = (zip: Buffer, at: number, extra: Buffer): Part => {
  const longs = longsOf(extra)
  const read = (field: number) => {
    const value = zip.readUInt32LE(field)
    return value === elsewhere ? readLong(longs, 8 * taken++) : value
  }
  let taken = 0
  read(at + 24)
  const size = read(at + 20)
  const header = read(at + 42)
  expectSign(zip, header, signs.file)
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28)
  if (start + size > zip.length) throw new BadWorkbook()
  const isEncrypted = (zip.readUInt16LE(at + 8) & 1) === 1
  return { start, end: start + size, method: zip.readUInt16LE(at + 10), isEncrypted }
}

/** The extra field with the values that are too large for the others. */
const longsOf = (extra: Buffer): Buffer => {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2))
    if (extra.readUInt16LE(at) === 1) return extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
  return extra.subarray(0, 0)
}

const readLong = (bytes: Buffer, at: number) => Number(bytes.readBigUInt64LE(at))

const expectSign = (zip: Buffer, at: number, sign: number) => {
  if (zip.readUInt32LE(at) !== sign) throw new BadWorkbook()
}

/** How much is unpacked and read at once. */
const pieceBytes = 32 * 1024

/** The text of a part in pieces, with a turn for other requests after each. `count` gets the number of unpacked bytes. Throws BadWorkbook. */
export async function* readPart(zip: Buffer, part: Part, count: (bytes: number) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  for await (const piece of unpack(zip.subarray(part.start, part.end), part)) {
    count(piece.length)
    yield decoder.decode(piece, { stream: true })
    await turn()
  }
  yield decoder.decode()
}

async function* unpack(packed: Buffer, { method, isEncrypted }: Part): AsyncGenerator<Uint8Array> {
  if (isEncrypted) throw new BadWorkbook('it has a password')
  if (method === 0) for (let at = 0; at < packed.length; at += pieceBytes) yield packed.subarray(at, at + pieceBytes)
  else if (method === 8) yield* inflate(packed)
  else throw new BadWorkbook('it is compressed in a way that cannot be read')
}

async function* inflate(packed: Buffer): AsyncGenerator<Uint8Array> {
  const unpacked = createInflateRaw({ chunkSize: pieceBytes })
  unpacked.end(packed)
  try {
    yield* unpacked
  } catch {
    throw new BadWorkbook()
  }
}
