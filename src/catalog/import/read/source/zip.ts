import type { Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { type Entry, fromBufferPromise, fromFdPromise, getFileNameLowLevel, type ZipFile } from 'yauzl'
import type { AtHand } from './at-hand.ts'

/** A zip, or a file in it, that is damaged or cut off. The message is a sentence. */
export class DamagedZip extends Error {
  constructor(reason: string, what = 'The zip file') {
    super(`${what} is damaged: ${reason}.`)
  }
}

/** A file in a zip that can't be read although it may be whole. `reason` is part of a sentence. */
export class UnreadableEntry extends DamagedZip {
  readonly reason: string

  constructor(reason: string, name: string) {
    super(reason, name)
    this.reason = reason
    this.message = `${name} cannot be read: ${reason}.`
  }
}

/** A file in a zip. `read` unpacks it from its beginning, and throws DamagedZip. */
export type ZipEntry = { name: string; read: () => AsyncGenerator<Uint8Array> }

/** The name of the first file in a zip, from the zip's first bytes. */
export const firstInZip = (head: Uint8Array): string => {
  const length = (head[26] ?? 0) + (head[27] ?? 0) * 256
  return new TextDecoder().decode(head.subarray(30, 30 + length))
}

/** The most files in a zip, because the list of them is kept. */
const mostEntries = 100_000

/** How much is unpacked and read at once. */
const pieceBytes = 32 * 1024

/** The files of a zip, as its directory at the end lists them. Throws DamagedZip, also if it is cut off. */
export const listZip = async (zip: AtHand): Promise<ZipEntry[]> => {
  const options = { lazyEntries: true, decodeStrings: false, validateEntrySizes: false, autoClose: false }
  try {
    const file = await ('bytes' in zip ? fromBufferPromise(zip.bytes, options) : fromFdPromise(zip.descriptor, options))
    if (file.entryCount > mostEntries) throw new DamagedZip('it lists more than 100,000 files')
    const entries: ZipEntry[] = []
    for await (const entry of file.eachEntry()) {
      const name = nameOf(entry)
      entries.push({ name, read: () => readEntry(file, entry, name) })
    }
    return entries
  } catch (error) {
    throw error instanceof DamagedZip ? error : new DamagedZip(reasonOf(error))
  }
}

const nameOf = ({ generalPurposeBitFlag, fileNameRaw, extraFields }: Entry) =>
  getFileNameLowLevel(generalPurposeBitFlag, fileNameRaw, extraFields, false)

/** A file that was cut off has no directory. */
const reasonOf = (error: unknown) =>
  error instanceof Error && /truncated|unexpected EOF/.test(error.message)
    ? 'it is cut off, or no zip at all'
    : 'its directory cannot be read'

/** Sizes of the unpacked content aren't read, because anything can stand there. The checksum tells whether it's whole. */
async function* readEntry(file: ZipFile, entry: Entry, name: string): AsyncGenerator<Uint8Array> {
  const damaged = (reason: string) => new DamagedZip(reason, name)
  if (entry.isEncrypted()) throw new UnreadableEntry('it has a password', name)
  if (entry.compressionMethod !== 0 && entry.compressionMethod !== 8)
    throw new UnreadableEntry('it is compressed in a way that cannot be read', name)
  const packed = await file.openReadStreamPromise(entry, { decodeFileData: false }).catch(() => {
    throw damaged('its content is not where the directory says')
  })
  let sum = 0
  try {
    for await (const piece of entry.compressionMethod === 0 ? packed : inflate(packed)) {
      sum = crc32(piece, sum)
      yield piece
    }
  } catch {
    throw damaged('it cannot be unpacked completely')
  } finally {
    packed.destroy()
  }
  if (sum !== entry.crc32) throw damaged('its checksum does not fit')
}

async function* inflate(packed: Readable): AsyncGenerator<Uint8Array> {
  const unpacked = createInflateRaw({ chunkSize: pieceBytes })
  packed.once('error', (error) => unpacked.destroy(error))
  packed.pipe(unpacked)
  try {
    yield* unpacked
  } finally {
    unpacked.destroy()
  }
}
