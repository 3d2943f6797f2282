import type { ImageType } from '../model/image-formats.ts'
import { orientationOnly } from './exif.ts'

/**
 * An image without what camera and editor stored beside the picture (EXIF with its place and time, XMP, IPTC, texts). The
 * picture and a JPEG's orientation stay. A file without metadata stays the same byte for byte, and so does one whose structure
 * can't be followed to its end, because the decoder will refuse it.
 */
export const withoutMetadata = (bytes: Uint8Array, type: ImageType): Uint8Array => {
  const parts = splitters[type](bytes)
  return parts.every(({ whole, kept }) => kept === whole)
    ? bytes
    : joiners[type](parts.flatMap(({ kept }) => kept ?? []))
}

/** A piece of a file, and what to keep of it. */
type Part = { whole: Uint8Array; kept: Uint8Array | undefined }

const keep = (whole: Uint8Array): Part => ({ whole, kept: whole })

const splitJpeg = (bytes: Uint8Array): Part[] => {
  const parts = [keep(bytes.subarray(0, 2))]
  let at = 2
  while (bytes[at] === 0xff && bytes[at + 1] !== startOfScan) {
    const length = bytes[at + 1] === 0xff ? -1 : word(bytes, at + 2)
    const whole = bytes.subarray(at, at + 2 + length)
    parts.push({ whole, kept: keptOfSegment(whole) })
    at += 2 + length
  }
  return [...parts, keep(bytes.subarray(at))]
}

const startOfScan = 0xda
const exifMark = 'Exif\0\0'

const keptOfSegment = (whole: Uint8Array): Uint8Array | undefined => {
  const code = whole[1]
  if (code !== 0xe1) return code === 0xed || code === 0xfe ? undefined : whole
  const exif = text(whole, 4, exifMark.length) === exifMark ? orientationOnly(whole.subarray(10)) : undefined
  return exif && joined([Uint8Array.of(0xff, 0xe1, 0, 8 + exif.length), Buffer.from(exifMark, 'latin1'), exif])
}

const metadata = ['eXIf', 'tEXt', 'zTXt', 'iTXt', 'tIME']

const splitPng = (bytes: Uint8Array): Part[] => {
  const parts = [keep(bytes.subarray(0, 8))]
  for (let at = 8; at < bytes.length; ) {
    const whole = bytes.subarray(at, at + 12 + long(bytes, at))
    parts.push({ whole, kept: metadata.includes(text(whole, 4, 4)) ? undefined : whole })
    at += whole.length
  }
  return parts
}

const splitWebp = (bytes: Uint8Array): Part[] => {
  const parts = [keep(bytes.subarray(0, 12))]
  for (let at = 12; at < bytes.length; ) {
    const length = Buffer.from(bytes.buffer, bytes.byteOffset).readUInt32LE(Math.min(at + 4, bytes.length - 4))
    const whole = bytes.subarray(at, at + 8 + length + (length % 2))
    parts.push({ whole, kept: ['EXIF', 'XMP '].includes(text(whole, 0, 4)) ? undefined : whole })
    at += whole.length
  }
  return parts
}

/** The file without those pieces, with its length and feature flags corrected. */
const joinWebp = (parts: Uint8Array[]): Uint8Array => {
  const file = Buffer.from(joined(parts))
  file.writeUInt32LE(file.length - 8, 4)
  if (file.toString('latin1', 12, 16) === 'VP8X') file[20] = (file[20] ?? 0) & ~(exifFlag | xmpFlag)
  return Uint8Array.from(file)
}

const [exifFlag, xmpFlag] = [0x08, 0x04]

const joined = (parts: Uint8Array[]) => Uint8Array.from(Buffer.concat(parts))
const word = (bytes: Uint8Array, at: number) => ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)
const long = (bytes: Uint8Array, at: number) => word(bytes, at) * 65_536 + word(bytes, at + 2)
const text = (bytes: Uint8Array, at: number, length: number) =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1')

const splitters: Record<ImageType, (bytes: Uint8Array) => Part[]> = {
  'image/jpeg': splitJpeg,
  'image/png': splitPng,
  'image/webp': splitWebp,
}
const joiners: Record<ImageType, (parts: Uint8Array[]) => Uint8Array> = {
  'image/jpeg': joined,
  'image/png': joined,
  'image/webp': joinWebp,
}
