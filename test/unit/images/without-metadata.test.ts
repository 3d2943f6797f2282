import { expect, test } from 'bun:test'
import { withoutMetadata } from '../../../src/catalog/images/without-metadata.ts'
import { aJpeg, aPng, aWebp, withOrientation } from '../../support/image.ts'

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

test('a file that ends or lies in its metadata is answered all the same', async () => {
  const images = {
    'image/jpeg': await aJpeg(40, 20),
    'image/png': aPng(40, 20),
    'image/webp': await aWebp(40, 20),
  } as const
  for (const [type, whole] of Object.entries(images))
    for (let length = 12; length < whole.length; length += 7)
      expect(withoutMetadata(whole.subarray(0, length), type as keyof typeof images).length).toBeLessThanOrEqual(length)
  for (const first of ['II*\0\xff\xff\xff\xff', 'MM\0*\0\0\0\x08\xff\xff', 'II', '']) {
    const lying = spliced(images['image/jpeg'], 2, ...segment(0xe1, `Exif\0\0${first}`))
    expect(withoutMetadata(lying, 'image/jpeg')).toEqual(images['image/jpeg'])
  }
})
