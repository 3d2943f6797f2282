import { expect, test } from 'bun:test'
import { sniffImage } from '../../../src/catalog/images/sniff.ts'
import { aJpeg, aPng, aWebp } from '../../support/image.ts'

test('an image is what its bytes say', async () => {
  expect(sniffImage(aPng(2, 2))).toBe('image/png')
  expect(sniffImage(await aJpeg(2, 2))).toBe('image/jpeg')
  expect(sniffImage(await aWebp(2, 2))).toBe('image/webp')
})

test('other bytes are no image that is taken', () => {
  const others = ['', 'GIF89a', 'BM', '<svg/>', 'RIFF1234WAVE', '%PDF-1.7', '\x89PNG\r\n', '\xff\xd8']
  for (const text of others) expect(sniffImage(Buffer.from(text, 'latin1'))).toBeUndefined()
})
