import type { ImageType } from '../model/image-formats.ts'

/** The media type of an image by its first bytes, whatever its sender claims. Undefined if uploads don't accept it. */
export const sniffImage = (bytes: Uint8Array): ImageType | undefined => {
  if (startsWith(bytes, [0xff, 0xd8, 0xff])) return 'image/jpeg'
  if (startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])) return 'image/png'
  if (startsWith(bytes, ascii('RIFF')) && startsWith(bytes.subarray(8), ascii('WEBP'))) return 'image/webp'
  return undefined
}

const ascii = (text: string) => [...text].map((letter) => letter.charCodeAt(0))

const startsWith = (bytes: Uint8Array, mark: number[]) => mark.every((byte, index) => bytes[index] === byte)

const marker = { start: 0xd8, end: 0xd9, scan: 0xda, lone: 0x01, firstRestart: 0xd0, lastRestart: 0xd7 }

/**
 * Whether a JPEG reaches its end marker. A decoder silently fills the missing part of a truncated one with gray, so this walks
 * the markers: segments by their length, scans to the next marker.
 */
export const isWholeJpeg = (bytes: Uint8Array): boolean => {
  let at = 0
  for (;;) {
    at = bytes.indexOf(0xff, at)
    const code = bytes[at + 1]
    if (at < 0 || code === undefined) return false
    if (code === marker.end) return true
    at += hasLength(code) ? 2 + (((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0)) : code === 0xff ? 1 : 2
  }
}

/** The bytes of a scan are skipped like markers without a length: in a scan, 0xff is followed by 0 or a restart number. */
const hasLength = (code: number) =>
  code !== 0 &&
  code !== 0xff &&
  code !== marker.start &&
  code !== marker.lone &&
  !(code >= marker.firstRestart && code <= marker.lastRestart)
