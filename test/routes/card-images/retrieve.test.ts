import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const anImage = async (status = 'published') => {
  const { setId, cardId } = await service.aCard(status)
  return { setId, cardId, imageId: (await readJson(await service.upload(cardId))).data.id }
}

const get = (path: string, as: 'editor' | 'reader' = 'reader') => service.send('GET', path, { as })

test('an image is seen by whoever sees its set', async () => {
  const { setId, cardId, imageId } = await anImage('draft')
  const path = `/v1/card-images/${imageId}`
  expect((await get(path)).status).toBe(404)
  expect((await get(path, 'editor')).status).toBe(200)
  await service.setStatus(setId, 'published')
  expect((await get(path)).status).toBe(200)
  const list = await get(`/v1/card-images?filter%5Bcard_id%5D=${cardId}&include=card`)
  expect(await readJson(list)).toMatchObject({
    data: [{ id: imageId }],
    included: [{ type: 'cards', id: cardId }],
    meta: { total: 1 },
  } as object)
  await service.setStatus(setId, 'draft')
  expect((await get(path)).status).toBe(404)
  expect((await readJson(await get(`/v1/card-images?filter%5Bcard_id%5D=${cardId}`))).meta).toMatchObject({ total: 0 })
})

test('the addresses are the same text within a window, for every caller', async () => {
  const { imageId } = await anImage()
  const path = `/v1/card-images/${imageId}`
  const addressNow = async (as?: 'editor') => (await readJson(await get(path, as))).data.attributes.download_url
  const first = await addressNow()
  service.clock.at = new Date('2026-11-21T12:14:59Z')
  expect([await addressNow(), await addressNow('editor')]).toEqual([first, first])
  service.clock.at = new Date('2026-11-21T12:15:00Z')
  expect(await addressNow()).not.toBe(first)
})

test('a sparse image has the fields that were asked for', async () => {
  const { imageId } = await anImage()
  const { data } = await readJson(await get(`/v1/card-images/${imageId}?fields%5Bcard_images%5D=width,expires_at`))
  expect(Object.keys(data.attributes)).toEqual(['width', 'expires_at'])
})

test('images are listed in the order in which they came', async () => {
  const { cardId, imageId } = await anImage()
  service.clock.at = new Date(service.clock.at.getTime() + 1000)
  const back = { type: 'card_images', attributes: { card_id: cardId, image_type: 'back' } }
  const later = (await readJson(await service.uploadForm(back))).data.id
  const { data } = (await readJson(await get(`/v1/card-images?filter%5Bcard_id%5D=${cardId}`))) as unknown as {
    data: { id: string }[]
  }
  expect(data.map(({ id }) => id)).toEqual([imageId, later])
})

test('a PUT is a 405', async () => {
  const { imageId } = await anImage()
  const document = { data: { type: 'card_images', id: imageId, attributes: { width: 1 } } }
  const answer = await service.send('PUT', `/v1/card-images/${imageId}`, { as: 'editor', document })
  expect(answer.status).toBe(405)
  expect(answer.headers.get('allow')).toContain('DELETE')
})
