import { strFromU8, strToU8, unzipSync, Zip, ZipDeflate, zipSync } from 'fflate'

/** A workbook with some of its parts changed or, where the change is null, left out. A part that it doesn't have is '' before. */
export const changed = (
  workbook: Uint8Array,
  changes: Record<string, ((xml: string) => string) | null>,
  level: 0 | 6 = 6,
): Buffer => {
  const parts = unzipSync(workbook)
  for (const [name, change] of Object.entries(changes))
    if (change) parts[name] = strToU8(change(strFromU8(parts[name] ?? new Uint8Array())))
    else delete parts[name]
  return Buffer.from(zipSync(parts, { level }))
}

/** A zip whose files are followed by their sizes, as a stream of one has it. */
export const streamed = (zip: Uint8Array): Buffer => {
  const pieces: Uint8Array[] = []
  const written = new Zip((_, piece) => pieces.push(piece))
  for (const [name, content] of Object.entries(unzipSync(zip))) {
    const file = new ZipDeflate(name)
    written.add(file)
    file.push(content, true)
  }
  written.end()
  return Buffer.concat(pieces)
}

const entrySign = 'PK\x01\x02'
const endSign = 'PK\x05\x06'

/** Where the entries of a zip's directory are. */
const entriesOf = (zip: Buffer): number[] => {
  const found: number[] = []
  for (let at = zip.indexOf(entrySign); at >= 0; at = zip.indexOf(entrySign, at + 4)) found.push(at)
  return found
}

/** A zip with a change to each entry of its directory. */
export const withEntries = (zip: Uint8Array, change: (zip: Buffer, entry: number) => void): Buffer => {
  const copy = Buffer.from(zip)
  for (const entry of entriesOf(copy)) change(copy, entry)
  return copy
}

/** A zip with its sizes and places as large ones are written (zip64). */
export const asZip64 = (zip: Buffer): Buffer => {
  const entries = entriesOf(zip)
  const end = zip.lastIndexOf(endSign)
  const directory = entries.map((at) => {
    const nameEnd = at + 46 + zip.readUInt16LE(at + 28)
    const head = Buffer.from(zip.subarray(at, nameEnd))
    const extra = Buffer.alloc(36)
    extra.writeUInt32LE(0x9999)
    extra.writeUInt16LE(4, 2)
    extra.writeUInt16LE(1, 8)
    extra.writeUInt16LE(24, 10)
    for (const [no, field] of [24, 20, 42].entries()) {
      extra.writeBigUInt64LE(BigInt(head.readUInt32LE(field)), 12 + 8 * no)
      head.writeUInt32LE(0xffffffff, field)
    }
    head.writeUInt16LE(extra.length, 30)
    return Buffer.concat([head, extra])
  })
  const [start, bytes] = [zip.readUInt32LE(end + 16), Buffer.concat(directory)]
  const end64 = Buffer.alloc(56 + 20)
  end64.write('PK\x06\x06')
  end64.writeBigUInt64LE(BigInt(entries.length), 32)
  end64.writeBigUInt64LE(BigInt(start), 48)
  end64.write('PK\x06\x07', 56)
  end64.writeBigUInt64LE(BigInt(start + bytes.length), 64)
  const last = Buffer.from(zip.subarray(end))
  last.writeUInt16LE(0xffff, 10)
  last.writeUInt32LE(0xffffffff, 16)
  return Buffer.concat([zip.subarray(0, start), bytes, end64, last])
}
