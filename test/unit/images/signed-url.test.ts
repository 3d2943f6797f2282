import { expect, test } from 'bun:test'
import type { Config } from '../../../src/config.ts'
import { type PresentedUrl, readSignedUrl, signedUrls } from '../../../src/files/signed-url.ts'

const secret = 'a secret of thirty-two characters'
const config = { baseUrl: 'https://cards.example.org', imageUrlTtlSeconds: 900 } as Config
const image = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e'

const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1000)
const urlAt = (seconds: number, audience = 2) =>
  signedUrls({ config, secret }, 'images', at(seconds))(image, 'thumb', audience)
const readImageUrl = (by: string, presented: PresentedUrl, now: Date) =>
  readSignedUrl(by, 'images', presented, now, [[1], [2]])
const present = (
  url: string,
  change: Partial<{ id: string; name: string; expires: string; signature: string }> = {},
) => {
  const { pathname, searchParams: search } = new URL(url)
  const [, , id = '', name = ''] = pathname.split('/')
  const { id: otherId = id, name: otherName = name, ...others } = change
  for (const [parameter, value] of Object.entries(others)) search.set(parameter, value)
  return { id: otherId, name: otherName, search }
}

test('an address is the same within a window and another in the next', () => {
  expect(urlAt(0)).toEqual(urlAt(899.9))
  expect(urlAt(900).url).not.toBe(urlAt(899.9).url)
})

test('it expires at the end of the window after the current one', () => {
  expect(urlAt(0).expiresAt).toBe(at(1800).toISOString())
  const { url } = urlAt(899)
  expect(readImageUrl(secret, present(url), at(1799.9))).toMatchObject({ bound: [2] })
  expect(readImageUrl(secret, present(url), at(1800))).toBeUndefined()
})

test('it grants what the image was when it was made', () => {
  expect(readImageUrl(secret, present(urlAt(0, 1).url), at(1))?.bound).toEqual([1])
  expect(readImageUrl(secret, present(urlAt(0, 2).url), at(1))?.bound).toEqual([2])
})

test('it holds for one file of one image, for one time and one secret', () => {
  const { url } = urlAt(0)
  const changes = [
    { id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f' },
    { name: 'original' },
    { expires: '9999999999' },
    { expires: '' },
    { expires: '1e12' },
    { signature: '' },
    { signature: 'é' },
    { signature: `${new URL(url).searchParams.get('signature')}0` },
  ]
  for (const change of changes) expect(readImageUrl(secret, present(url, change), at(1))).toBeUndefined()
  expect(readImageUrl(`${secret}.`, present(url), at(1))).toBeUndefined()
})
