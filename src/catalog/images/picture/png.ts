import { readOrientation } from '../exif.ts'
import { joinedPieces, pieceLimit, textAt } from './bytes.ts'
import type { NoPicture, Picture } from './picture.ts'

/** The chunks that a picture is made of, and those that say what its colors mean (PNG, third edition, section 11). */
const pictureChunks = ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']
const colorChunks = ['cHRM', 'cICP', 'gAMA', 'iCCP', 'mDCV', 'cLLI', 'sBIT', 'sRGB']
const keptChunks = new Set([...pictureChunks, ...colorChunks])

const signatureBytes = 8
/** Length, type and checksum. */
const frameBytes = 12

/**
 * A PNG with what its picture and colors need. Of an animated one, the still picture stays, which everybody shows who doesn't
 * know frames.
 */
export const readPng = (bytes: Uint8Array): Picture | NoPicture => {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const pieces = [bytes.subarray(0, signatureBytes)]
  let orientation: number | undefined
  for (let at = signatureBytes, read = 0; at + frameBytes <= bytes.length && read < pieceLimit; read++) {
    const chunk = bytes.subarray(at, at + frameBytes + file.readUInt32BE(at))
    const type = textAt(chunk, 4, 4)
    at += frameBytes + file.readUInt32BE(at)
    if (keptChunks.has(type)) pieces.push(chunk)
    else if (type === 'eXIf') orientation ??= readOrientation(chunk.subarray(8, -4))
    if (type === 'IEND') return at > bytes.length ? 'damaged' : { bytes: joinedPieces(pieces, bytes), orientation }
  }
  return 'damaged'
}
