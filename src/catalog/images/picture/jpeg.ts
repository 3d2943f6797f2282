import { orientationBlock, readOrientation } from '../exif.ts'
import { joinedPieces, pieceLimit, textAt } from './bytes.ts'
import type { NoPicture, Picture } from './picture.ts'

/** The markers that matter here (ITU-T T.81, table B.1). */
const marker = { jfif: 0xe0, exif: 0xe1, icc: 0xe2, adobe: 0xee, startOfScan: 0xda, start: 0xd8, end: 0xd9 }

/** Tables, frames and scans: DQT, DHT, DAC, DRI, DNL and every SOF. */
const isPicture = (code: number) =>
  (code >= 0xc0 && code <= 0xcf && code !== 0xc8) || (code >= marker.startOfScan && code <= 0xdd)

/**
 * A JPEG with its tables, frames and scans, the JFIF and Adobe headers that say what its colors mean, and its ICC profile. Its
 * pixels stay as they were encoded, so how it was held stays beside them: an EXIF block with the orientation alone. A decoder
 * fills what is missing from a cut off JPEG with gray, so one that doesn't reach its end marker is damaged.
 */
export const readJpeg = (bytes: Uint8Array): Picture | NoPicture => {
  const pieces = [bytes.subarray(0, 2)]
  let turn: Uint8Array | undefined
  for (let at = 2, read = 0; read < pieceLimit; read++) {
    const start = bytes.indexOf(0xff, at)
    const code = start < 0 ? undefined : bytes[start + 1]
    if (code === undefined || code === marker.start) return 'damaged'
    if (code === marker.end) return { bytes: joinedPieces([...pieces, bytes.subarray(start, start + 2)], bytes) }
    at = hasLength(code) ? endOfSegment(bytes, start) : start + 1
    if (at > bytes.length) return 'damaged'
    if (code === marker.startOfScan) at = endOfScan(bytes, at)
    const segment = bytes.subarray(start, at)
    if (code !== marker.exif) pieces.push(...keptOf(segment, code))
    else if (!turn) {
      turn = turnOf(segment)
      if (turn) pieces.push(turn)
    }
  }
  return 'damaged'
}

/** Fill bytes, restarts and strays have no length. */
const hasLength = (code: number) => code >= 0xc0 && code !== 0xff && !isRestart(code)

/** Behind the file's end if the length is impossible. */
const endOfSegment = (bytes: Uint8Array, start: number) => {
  const length = ((bytes[start + 2] ?? 0) << 8) | (bytes[start + 3] ?? 0)
  return length < 2 ? Number.POSITIVE_INFINITY : start + 2 + length
}

/** Within a scan, 0xff is followed by 0, by a restart's number, or by another one that fills. */
const endOfScan = (bytes: Uint8Array, start: number) => {
  for (let at = start; at < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const code = bytes[at + 1]
    if (code !== 0 && code !== 0xff && !isRestart(code)) return at
  }
  return bytes.length
}

const isRestart = (code: number | undefined) => code !== undefined && code >= 0xd0 && code <= 0xd7

const exifMark = 'Exif\0\0'

/** An EXIF segment with the orientation of this one. Undefined if it is upright. */
const turnOf = (segment: Uint8Array): Uint8Array | undefined => {
  const isExif = textAt(segment, 4, exifMark.length) === exifMark
  const orientation = isExif ? readOrientation(segment.subarray(10)) : undefined
  if (orientation === undefined) return undefined
  const block = orientationBlock(orientation)
  const head = Uint8Array.of(0xff, marker.exif, 0, 8 + block.length)
  return Uint8Array.from(Buffer.concat([head, Buffer.from(exifMark, 'latin1'), block]))
}

/** What stays of a segment: a JFIF header loses its thumbnail, and both headers what somebody wrote behind their end. */
const keptOf = (segment: Uint8Array, code: number): Uint8Array[] => {
  if (isPicture(code)) return [segment]
  if (code === marker.icc && textAt(segment, 4, 12) === 'ICC_PROFILE\0') return [segment]
  if (code === marker.adobe && textAt(segment, 4, 5) === 'Adobe') return [cutTo(segment, 16)]
  if (code !== marker.jfif || textAt(segment, 4, 5) !== 'JFIF\0') return []
  const header = cutTo(segment, 18)
  return segment.length === header.length ? [segment] : [Uint8Array.of(...header.subarray(0, 16), 0, 0)]
}

const cutTo = (segment: Uint8Array, length: number) =>
  segment.length <= length
    ? segment
    : Uint8Array.of(...segment.subarray(0, 2), 0, length - 2, ...segment.subarray(4, length))
