import { afterAll, beforeAll, expect, test } from 'bun:test'
import { makeApp } from '../../../src/app.ts'
import { aPng } from '../../support/image.ts'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Attributes = { download_url: string; variants: { name: string; width: number; height: number; url: string }[] }

const anImage = async (status = 'published') => {
  const { setId, cardId } = await service.aCard(status)
  const { data } = await readJson(await service.upload(cardId, 'editor', aPng(300, 420, true)))
  return { setId, imageId: data.id, ...(data.attributes as unknown as Attributes) }
}

test('an address gives the bytes as they came, without a credential and uncounted', async () => {
  const { download_url, imageId } = await anImage()
  const answer = await service.send('GET', download_url)
  expect(answer.status).toBe(200)
  expect(await answer.bytes()).toEqual(aPng(300, 420, true))
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'image/png',
    'x-content-type-options': 'nosniff',
    'cache-control': 'private, max-age=1800, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    etag: `"${imageId}-original"`,
  })
  expect(answer.headers.has('x-ratelimit-limit')).toBe(false)
})

test('each variant is the WebP of the size that the record says', async () => {
  const { variants } = await anImage()
  expect(variants.map(({ name }) => name)).toEqual(['thumb', 'small', 'large'])
  for (const { url, width, height } of variants) {
    const answer = await service.send('GET', url)
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(await new Bun.Image(await answer.bytes()).metadata()).toEqual({ format: 'webp', width, height })
  }
})

test('who has the file already gets a 304, and HEAD no body', async () => {
  const { download_url } = await anImage()
  const etag = (await service.send('HEAD', download_url)).headers.get('etag') as string
  for (const sent of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await service.send('GET', download_url, { headers: { 'If-None-Match': sent } })
    expect([answer.status, await answer.text()]).toEqual([304, ''])
  }
  const other = await service.send('GET', download_url, { headers: { 'If-None-Match': '"other"' } })
  expect(other.status).toBe(200)
})

test('a part of the file is sent to who asks for one', async () => {
  const app = makeApp(service.context)
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => app.handle(request) })
  const { pathname, search } = new URL((await anImage()).download_url)
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(new URL(pathname + search, server.url), { headers })
    return { status: answer.status, headers: answer.headers, bytes: await answer.bytes() }
  }
  const whole = await ask({})
  expect([whole.status, whole.headers.get('accept-ranges')]).toEqual([200, 'bytes'])
  const part = await ask({ Range: 'bytes=10-19' })
  expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 10-19/${whole.bytes.length}`])
  expect(part.bytes).toEqual(whole.bytes.slice(10, 20))
  expect((await ask({ Range: 'bytes=99999999-' })).status).toBe(416)
  expect((await ask({ Range: 'bytes=0-9', 'If-Range': '"other"' })).status).toBe(200)
  await server.stop(true)
})

test('a wrong or missing signature is a 403, for unknown images too', async () => {
  const { download_url, imageId } = await anImage()
  const { search } = new URL(download_url)
  const wrong = [
    `/images/${imageId}/original`,
    `/images/${imageId}/original?expires=99999999999&signature=00`,
    `/images/${imageId}/thumb${search}`,
    `/images/${Bun.randomUUIDv7()}/original${search}`,
    `/images/7/..%2f..%2fetc%2fpasswd${search}`,
    download_url.replace(/signature=./, 'signature=x'),
  ]
  for (const path of wrong) {
    const answer = await service.send('GET', path)
    expect([answer.status, (await readJson(answer)).errors[0]?.code]).toEqual([403, 'FORBIDDEN'])
  }
  expect((await service.send('GET', `${download_url}&size=1`)).status).toBe(400)
})

test('an address expires at the time that the record says', async () => {
  const start = service.clock.at
  const { download_url } = await anImage()
  service.clock.at = new Date('2026-11-21T12:29:59.999Z')
  expect((await service.send('GET', download_url)).status).toBe(200)
  service.clock.at = new Date('2026-11-21T12:30:00Z')
  expect((await service.send('GET', download_url)).status).toBe(403)
  service.clock.at = start
})

test('the address of a published image opens nothing once its set is a draft; a new one of a draft reader does', async () => {
  const { setId, imageId, download_url } = await anImage()
  await service.setStatus(setId, 'draft')
  expect((await service.send('GET', download_url)).status).toBe(404)
  const { data } = await readJson(await service.send('GET', `/v1/card-images/${imageId}`, { as: 'editor' }))
  expect((await service.send('GET', data.attributes.download_url)).status).toBe(200)
  await service.setStatus(setId, 'published')
  expect((await service.send('GET', data.attributes.download_url)).status).toBe(200)
})
