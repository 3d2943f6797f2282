import { expect, test } from 'bun:test'
import { isWholeJpeg, sniffImage } from '../../../src/catalog/images/sniff.ts'
import { aJpeg, aPng, aWebp, withOrientation } from '../../support/image.ts'

test('an image is what its bytes say', async () => {
  expect(sniffImage(aPng(2, 2))).toBe('image/png')
  expect(sniffImage(await aJpeg(2, 2))).toBe('image/jpeg')
  expect(sniffImage(await aWebp(2, 2))).toBe('image/webp')
})

test('other bytes are no image that is taken', () => {
  const others = ['', 'GIF89a', 'BM', '<svg/>', 'RIFF1234WAVE', '%PDF-1.7', '\x89PNG\r\n', '\xff\xd8']
  for (const text of others) expect(sniffImage(Buffer.from(text, 'latin1'))).toBeUndefined()
})

test('a JPEG is whole with its end marker, and not when it is cut anywhere', async () => {
  const jpeg = withOrientation(await aJpeg(64, 64), 1)
  expect(isWholeJpeg(jpeg)).toBe(true)
  expect(isWholeJpeg(Buffer.concat([jpeg, Buffer.from('what a camera adds')]))).toBe(true)
  for (const share of [0.05, 0.3, 0.6, 0.99]) expect(isWholeJpeg(jpeg.subarray(0, jpeg.length * share))).toBe(false)
})

test('an end marker inside a segment ends no JPEG', () => {
  expect(isWholeJpeg(Buffer.from([0xff, 0xd8, 0xff, 0xe1, 0, 6, 0xff, 0xd9, 0, 0, 0xff, 0xda]))).toBe(false)
})
