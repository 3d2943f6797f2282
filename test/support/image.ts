import { deflateSync } from 'node:zlib'

/** A PNG with one color, or with a pattern that doesn't compress to nothing. */
export const aPng = (width: number, height: number, patterned = false): Uint8Array<ArrayBuffer> => {
  const rows = Buffer.alloc((width * 3 + 1) * height)
  if (patterned) for (let at = 0; at < rows.length; at++) if (at % (width * 3 + 1)) rows[at] = noise(at)
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 2], 8)
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]
  return Uint8Array.from(Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), ...parts]))
}

/** The same for the same number, with no pattern that a compressor could find. */
const noise = (at: number) => Math.imul(at ^ 0x9e3779b9, 0x85ebca6b) >>> 24

const chunk = (type: string, data: Buffer) => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const framed = Buffer.alloc(body.length + 8)
  framed.writeUInt32BE(data.length, 0)
  framed.set(body, 4)
  framed.writeUInt32BE(Bun.hash.crc32(body) >>> 0, body.length + 4)
  return framed
}

export const aJpeg = (width: number, height: number): Promise<Uint8Array> =>
  new Bun.Image(aPng(width, height, true)).jpeg({ quality: 90 }).bytes()

export const aWebp = (width: number, height: number): Promise<Uint8Array> =>
  new Bun.Image(aPng(width, height, true)).webp({ quality: 80 }).bytes()

/** An EXIF block with an orientation: 6 is a quarter turn. */
const orientationTiff = (orientation: number) =>
  Buffer.from(`49492a000800000001001201030001000000${orientation.toString(16).padStart(2, '0')}00000000000000`, 'hex')

/** The JPEG with an EXIF segment with its orientation. */
export const withOrientation = (jpeg: Uint8Array, orientation: number): Uint8Array => {
  const exif = Buffer.concat([
    Buffer.from([0xff, 0xe1, 0, 34]),
    Buffer.from('Exif\0\0', 'latin1'),
    orientationTiff(orientation),
  ])
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

/** The PNG with an eXIf chunk with its orientation. */
export const heldPng = (png: Uint8Array, orientation: number): Uint8Array =>
  Buffer.concat([png.subarray(0, 33), chunk('eXIf', orientationTiff(orientation)), png.subarray(33)])

/** The simple WebP of this size as an extended one, with an EXIF chunk with its orientation. */
export const heldWebp = (webp: Uint8Array, width: number, height: number, orientation: number): Uint8Array =>
  extendedWebp(0x08, width, height, webp.subarray(12), riffChunk('EXIF', orientationTiff(orientation)))

/** A WebP that shows the same frame this many times. */
export const anAnimatedWebp = async (width: number, height: number, frames: number): Promise<Uint8Array> => {
  const place = Buffer.alloc(16)
  place.writeUIntLE(width - 1, 6, 3)
  place.writeUIntLE(height - 1, 9, 3)
  place.writeUIntLE(100, 12, 3)
  const frame = riffChunk('ANMF', Buffer.concat([place, (await aWebp(width, height)).subarray(12)]))
  return extendedWebp(0x02, width, height, riffChunk('ANIM', Buffer.alloc(6)), ...Array(frames).fill(frame))
}

const extendedWebp = (flags: number, width: number, height: number, ...chunks: Uint8Array[]) => {
  const canvas = Buffer.from([flags, 0, 0, 0, 0, 0, 0, 0, 0, 0])
  canvas.writeUIntLE(width - 1, 4, 3)
  canvas.writeUIntLE(height - 1, 7, 3)
  return riffChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), riffChunk('VP8X', canvas), ...chunks]))
}

const riffChunk = (name: string, data: Uint8Array) => {
  const length = Buffer.alloc(4)
  length.writeUInt32LE(data.length)
  return Buffer.concat([Buffer.from(name), length, data, Buffer.alloc(data.length % 2)])
}
