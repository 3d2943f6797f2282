import { expect, test } from 'bun:test'
import { readPicture } from '../../../src/catalog/images/picture/read-picture.ts'
import { sniffImage } from '../../../src/catalog/images/sniff.ts'
import type { ImageType } from '../../../src/catalog/model/image-formats.ts'
import { aJpeg, aPng, aWebp, withOrientation } from '../../support/image.ts'

const pictureOf = (bytes: Uint8Array, type: ImageType = sniffImage(bytes) as ImageType) => {
  const picture = readPicture(bytes, type)
  if (typeof picture === 'string') throw new Error(picture)
  return picture
}
const withoutMetadata = (bytes: Uint8Array, type: ImageType) => pictureOf(bytes, type).bytes

const secret = 'N 41.8806 W 87.6742'
const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1')
const spliced = (bytes: Uint8Array, at: number, ...pieces: (string | Uint8Array)[]) =>
  Uint8Array.from(
    Buffer.concat([
      bytes.subarray(0, at),
      ...pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece, 'latin1') : piece)),
      bytes.subarray(at),
    ]),
  )
const segment = (code: number, text: string) => [Uint8Array.of(0xff, code, 0, text.length + 2), text] as const
const chunk = (name: string, text: string) => [Uint8Array.of(0, 0, 0, text.length), name, text, '....'] as const
const riffChunk = (name: string, text: string) =>
  [name, Uint8Array.of(text.length, 0, 0, 0), text, text.length % 2 ? '\0' : ''] as const

test('an image without metadata stays byte for byte', async () => {
  const [jpeg, png, webp] = [await aJpeg(40, 20), aPng(40, 20, true), await aWebp(40, 20)]
  expect(withoutMetadata(jpeg, 'image/jpeg')).toBe(jpeg)
  expect(withoutMetadata(png, 'image/png')).toBe(png)
  expect(withoutMetadata(webp, 'image/webp')).toBe(webp)
})

test('a JPEG loses EXIF, XMP, IPTC and comments, and nothing else', async () => {
  const jpeg = await aJpeg(40, 20)
  const told = spliced(
    jpeg,
    2,
    ...segment(0xe1, `Exif\0\0${secret}`),
    ...segment(0xe1, `http://ns.adobe.com/xap/1.0/\0${secret}`),
    ...segment(0xed, `Photoshop 3.0\0${secret}`),
    ...segment(0xfe, secret),
  )
  expect(textOf(told).split(secret)).toHaveLength(5)
  expect(withoutMetadata(told, 'image/jpeg')).toEqual(jpeg)
})

test('how a JPEG was held stays, and that alone', async () => {
  const held = withOrientation(await aJpeg(40, 20), 6)
  const told = spliced(held, 2, ...segment(0xe1, `Exif\0\0${secret}`))
  const kept = withoutMetadata(told, 'image/jpeg')
  expect(textOf(kept)).not.toContain(secret)
  expect(await new Bun.Image(kept).metadata()).toEqual({ format: 'jpeg', width: 20, height: 40 })
  const upright = withoutMetadata(withOrientation(await aJpeg(40, 20), 1), 'image/jpeg')
  expect(upright).toEqual(await aJpeg(40, 20))
})

test('a PNG loses its texts, times and EXIF', () => {
  const png = aPng(40, 20, true)
  const told = spliced(png, 33, ...['tEXt', 'iTXt', 'zTXt', 'eXIf', 'tIME'].flatMap((name) => chunk(name, secret)))
  expect(withoutMetadata(told, 'image/png')).toEqual(png)
})

test('a WebP loses EXIF and XMP, and no longer says that it has them', async () => {
  const webp = await aWebp(40, 20)
  const extended = (flags: number) =>
    Uint8Array.of(...Buffer.from('VP8X'), 10, 0, 0, 0, flags, 0, 0, 0, 39, 0, 0, 19, 0, 0)
  const file = (flags: number, ...pieces: (string | Uint8Array)[]) => {
    const whole = spliced(spliced(webp, 12, extended(flags)), webp.length + 18, ...pieces)
    new DataView(whole.buffer).setUint32(4, whole.length - 8, true)
    return whole
  }
  const told = file(0x0c, ...riffChunk('EXIF', secret), ...riffChunk('XMP ', `${secret}!`))
  const kept = withoutMetadata(told, 'image/webp')
  expect(kept).toEqual(file(0))
  expect(await new Bun.Image(kept).metadata()).toEqual({ format: 'webp', width: 40, height: 20 })
})

test('a file that is cut off anywhere has no picture', async () => {
  const jpeg = withOrientation(await aJpeg(64, 64), 6)
  for (const whole of [jpeg, aPng(64, 64, true), await aWebp(64, 64)])
    for (let length = 12; length < whole.length; length += 7)
      expect(readPicture(whole.subarray(0, length), sniffImage(whole) as ImageType)).toBe('damaged')
  const endsInside = Uint8Array.of(0xff, 0xd8, 0xff, 0xe1, 0, 6, 0xff, 0xd9, 0, 0, 0xff, 0xda)
  expect(readPicture(endsInside, 'image/jpeg')).toBe('damaged')
})

test('an EXIF segment that lies is left out like any other', async () => {
  const jpeg = await aJpeg(40, 20)
  for (const first of ['II*\0\xff\xff\xff\xff', 'MM\0*\0\0\0\x08\xff\xff', 'II', ''])
    expect(withoutMetadata(spliced(jpeg, 2, ...segment(0xe1, `Exif\0\0${first}`)), 'image/jpeg')).toEqual(jpeg)
})

const behind = (bytes: Uint8Array, ...pieces: (string | Uint8Array)[]) => spliced(bytes, bytes.length, ...pieces)

test("whatever stands behind a picture's end is cut off", async () => {
  for (const whole of [await aJpeg(40, 20), aPng(40, 20, true), await aWebp(40, 20)]) {
    expect(pictureOf(behind(whole, secret)).bytes).toEqual(whole)
    expect(pictureOf(behind(whole, '\0'.repeat(999), await aJpeg(20, 20), secret)).bytes).toEqual(whole)
    expect(pictureOf(behind(whole, whole)).bytes).toEqual(whole)
  }
})

test('a JPEG keeps its tables, scans, color headers and profile, and no other segment', async () => {
  const jpeg = await aJpeg(40, 20)
  const others = [0xe0, 0xe1, 0xe2, 0xe3, 0xe5, 0xea, 0xeb, 0xec, 0xee, 0xef, 0xf0, 0xfd, 0xc8]
  const told = others.flatMap((code) => segment(code, `MPF\0${secret}`))
  expect(withoutMetadata(spliced(jpeg, 2, ...told), 'image/jpeg')).toEqual(jpeg)
  expect(withoutMetadata(spliced(jpeg, 2, secret, '\xff\xff'), 'image/jpeg')).toEqual(jpeg)
  const color = [
    ...segment(0xe2, 'ICC_PROFILE\0\x01\x01a profile'),
    ...segment(0xee, 'Adobe\0\x64\0\0\0\0\x01'),
  ] as const
  const colored = spliced(jpeg, 2, ...color)
  expect(withoutMetadata(colored, 'image/jpeg')).toBe(colored)
})

test('headers of a JPEG lose their thumbnail and what is written behind their end', async () => {
  const jpeg = await aJpeg(40, 20)
  const bare = jpeg.subarray(0, 2)
  const rest = jpeg.subarray(2 + (jpeg[3] === 0xe0 ? 2 + (jpeg[5] as number) : 0))
  const file = (...pieces: (string | Uint8Array)[]) => spliced(spliced(bare, 2, ...pieces), 2 + lengthOf(pieces), rest)
  const lengthOf = (pieces: (string | Uint8Array)[]) => pieces.reduce((sum, { length }) => sum + length, 0)
  const jfif = 'JFIF\0\x01\x01\0\0\x01\0\x01'
  const told = file(...segment(0xe0, `${jfif}\x02\x01abcdef`), ...segment(0xee, `Adobe\0\x64\0\0\0\0\x01${secret}`))
  expect(withoutMetadata(told, 'image/jpeg')).toEqual(
    file(...segment(0xe0, `${jfif}\0\0`), ...segment(0xee, 'Adobe\0\x64\0\0\0\0\x01')),
  )
})

test('what stands between the scans of a progressive JPEG goes too', async () => {
  const jpeg = await new Bun.Image(aPng(64, 64, true)).jpeg({ progressive: true }).bytes()
  const second = Buffer.from(jpeg).lastIndexOf(Buffer.from([0xff, 0xc4]))
  const told = spliced(jpeg, second, ...segment(0xfe, secret), ...segment(0xe1, `Exif\0\0${secret}`))
  expect(withoutMetadata(told, 'image/jpeg')).toEqual(jpeg)
})

test('a PNG keeps what its colors mean, and no other chunk', () => {
  const png = aPng(40, 20, true)
  const unlisted = ['pHYs', 'sPLT', 'hIST', 'dSIG', 'prVt', 'vpAg', 'CgBI', 'acTL', 'fcTL', 'fdAT']
  expect(withoutMetadata(spliced(png, 33, ...unlisted.flatMap((name) => chunk(name, secret))), 'image/png')).toEqual(
    png,
  )
  const colored = spliced(png, 33, ...chunk('gAMA', '\0\0\xb1\x8f'), ...chunk('sRGB', '\0'))
  expect(withoutMetadata(colored, 'image/png')).toBe(colored)
})

test('a WebP keeps one picture and its profile, and no other chunk', async () => {
  const webp = await aWebp(40, 20)
  const file = (...pieces: (string | Uint8Array)[]) => {
    const whole = behind(webp, ...pieces)
    new DataView(whole.buffer).setUint32(4, whole.length - 8, true)
    return whole
  }
  const twice = webp.subarray(12)
  expect(
    withoutMetadata(file(...riffChunk('note', secret), twice, ...riffChunk('ICCP', secret)), 'image/webp'),
  ).toEqual(webp)
})

test('a file of a great many empty pieces is no picture', () => {
  const many = Buffer.alloc(4_000_000)
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), Buffer.from(many).fill(Buffer.from([0xff, 0xe1, 0, 2]))])
  const png = Buffer.concat([aPng(1, 1).subarray(0, 33), Buffer.from(many).fill(Buffer.from('\0\0\0\0tEXt....'))])
  const webp = Buffer.concat([Buffer.from('RIFF....WEBP'), Buffer.from(many).fill(Buffer.from('none\0\0\0\0'))])
  webp.writeUInt32LE(webp.length - 8, 4)
  for (const file of [jpeg, png, webp]) expect(readPicture(file, sniffImage(file) as ImageType)).toBe('damaged')
})
