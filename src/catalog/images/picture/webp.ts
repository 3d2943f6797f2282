import { readOrientation } from '../exif.ts'
import { joinedPieces, pieceLimit, textAt } from './bytes.ts'
import type { NoPicture, Picture } from './picture.ts'

/** What may stand before a picture, and the picture itself, in either of its two encodings (RFC 9649, section 2.7). */
const chunksBefore = ['VP8X', 'ICCP', 'ALPH']
const pictureChunks = ['VP8 ', 'VP8L']

const flagsAt = 20
const flag = { animation: 0x02, xmp: 0x04, exif: 0x08 }

/** A WebP with one picture, its transparency and its ICC profile. One with frames has no picture that could stay. */
export const readWebp = (bytes: Uint8Array): Picture | NoPicture => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < 20) return 'damaged'
  const end = 8 + file.readUInt32LE(4)
  if (end > bytes.length) return 'damaged'
  const pieces = [bytes.subarray(0, 12)]
  let encoding: string | undefined
  let orientation: number | undefined
  for (let at = 12, read = 0; at + 8 <= end; read++) {
    const length = file.readUInt32LE(at + 4)
    const next = at + 8 + length + (length % 2)
    if (at + 8 + length > end || read === pieceLimit) return 'damaged'
    const type = textAt(bytes, at, 4)
    if (type === 'ANIM' || type === 'ANMF') return 'animated'
    if (!encoding && (chunksBefore.includes(type) || pictureChunks.includes(type))) {
      pieces.push(bytes.subarray(at, Math.min(next, end)))
      if (pictureChunks.includes(type)) encoding = type
    } else if (type === 'EXIF') orientation ??= readOrientation(tiffOf(bytes.subarray(at + 8, at + 8 + length)))
    at = next
  }
  if (!encoding) return 'damaged'
  return { bytes: corrected(joinedPieces(pieces, bytes)), orientation, isLossless: encoding === 'VP8L' }
}

/** Some programs write the mark of a JPEG's EXIF segment before the block. */
const tiffOf = (exif: Uint8Array) => (textAt(exif, 0, 6) === 'Exif\0\0' ? exif.subarray(6) : exif)

/** The file with its length as it is now, and without the flags of what was left out. */
const corrected = (bytes: Uint8Array): Uint8Array => {
  const flags = textAt(bytes, 12, 4) === 'VP8X' ? (bytes[flagsAt] ?? 0) : 0
  const fileBytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const left = flag.animation | flag.xmp | flag.exif
  if (fileBytes.readUInt32LE(4) === bytes.length - 8 && (flags & left) === 0) return bytes
  const file = Buffer.from(bytes)
  file.writeUInt32LE(bytes.length - 8, 4)
  if (flags) file[flagsAt] = flags & ~left
  return Uint8Array.from(file)
}
