import { expect, test } from 'bun:test'
import { pixelLimit, readImage } from '../../../src/catalog/images/variants.ts'
import type { ApiError } from '../../../src/jsonapi/errors.ts'
import { aJpeg, anAnimatedWebp, aPng, aWebp, heldPng, heldWebp, withOrientation } from '../../support/image.ts'

const sizes = async (bytes: Uint8Array) => {
  const { original, variants } = await readImage(bytes, '')
  return [original, ...variants].map(({ name, width, height }) => [name, width, height])
}

const refusal = async (bytes: Uint8Array) => {
  const error = await readImage(bytes, '/file').then(
    () => undefined,
    (reason: ApiError) => reason,
  )
  return { ...error?.errors[0], status: error?.status }
}

test('an image gets three variants that fit their boxes', async () => {
  expect(await sizes(await aJpeg(1500, 2100))).toEqual([
    ['original', 1500, 2100],
    ['thumb', 114, 160],
    ['small', 286, 400],
    ['large', 857, 1200],
  ])
})

test('every variant is a WebP of the size that it is said to have', async () => {
  const { variants } = await readImage(await aWebp(900, 300), '')
  for (const { bytes, width, height, contentType } of variants) {
    expect(await new Bun.Image(bytes).metadata()).toEqual({ format: 'webp', width, height })
    expect(contentType).toBe('image/webp')
  }
})

test('nothing is enlarged, and a line of pixels stays one', async () => {
  expect(await sizes(aPng(100, 50))).toEqual([
    ['original', 100, 50],
    ['thumb', 100, 50],
    ['small', 100, 50],
    ['large', 100, 50],
  ])
  expect((await sizes(aPng(5000, 1)))[1]).toEqual(['thumb', 160, 1])
})

test('a photograph stands as it was held', async () => {
  expect(await sizes(withOrientation(await aJpeg(210, 150), 6))).toEqual([
    ['original', 150, 210],
    ['thumb', 114, 160],
    ['small', 150, 210],
    ['large', 150, 210],
  ])
})

test('a PNG and a WebP stand as they were held, as a JPEG does, their originals too', async () => {
  const jpeg = await aJpeg(60, 40)
  const png = await new Bun.Image(jpeg).png().bytes()
  const webp = await new Bun.Image(jpeg).webp({ lossless: true }).bytes()
  for (let orientation = 1; orientation <= 8; orientation++) {
    const upright = await new Bun.Image(withOrientation(jpeg, orientation)).png().bytes()
    const size = orientation > 4 ? [40, 60] : [60, 40]
    for (const held of [heldPng(png, orientation), heldWebp(webp, 60, 40, orientation)]) {
      const { original, variants } = await readImage(held, '')
      expect([original, ...variants].map(({ width, height }) => [width, height])).toEqual(Array(4).fill(size))
      expect(await new Bun.Image(original.bytes).png().bytes()).toEqual(upright)
      expect(Buffer.from(original.bytes).includes(/png/i.test(original.contentType) ? 'eXIf' : 'EXIF')).toBe(false)
    }
  }
})

test('a WebP with loss stays one when it is turned', async () => {
  const held = heldWebp(await aWebp(210, 150), 210, 150, 6)
  const { original } = await readImage(held, '')
  expect(original).toMatchObject({ contentType: 'image/webp', width: 150, height: 210 })
  expect(Buffer.from(original.bytes).includes('VP8 ')).toBe(true)
})

test('an animated WebP is refused by that name', async () => {
  for (const frames of [1, 2, 5])
    expect(await refusal(await anAnimatedWebp(40, 20, frames))).toMatchObject({
      status: 422,
      detail: 'Must be a still picture. This is an animated WebP.',
      source: { pointer: '/file' },
    })
})

test('what is no image, or a damaged one, is refused at its pointer', async () => {
  const [png, jpeg, webp] = [aPng(300, 300, true), await aJpeg(300, 300), await aWebp(300, 300)]
  const bad = [Buffer.from('hello'), Buffer.alloc(0), Buffer.from('GIF89a..........')]
  const cut = [png, jpeg, webp].flatMap((bytes) => [bytes.subarray(0, 30), bytes.subarray(0, bytes.length / 2)])
  for (const bytes of [...bad, ...cut])
    expect(await refusal(bytes)).toMatchObject({ status: 422, code: 'VALIDATION-FAILED', source: { pointer: '/file' } })
})

test('a small file of too many pixels is refused before it is unpacked', async () => {
  const bomb = aPng(9000, 9000)
  expect(await refusal(bomb)).toMatchObject({ status: 422, detail: `Must have at most ${pixelLimit} pixels.` })
  expect(await refusal(aPng(30_000, 1))).toMatchObject({ status: 422 })
})

test('many images at once all come out', async () => {
  const all = await Promise.all(Array.from({ length: 6 }, () => sizes(aPng(200, 100))))
  expect(all).toHaveLength(6)
})
