import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const anImage = async (status = 'published') => {
  await service.swept()
  const { setId, cardId } = await service.aCard(status)
  const { data } = await readJson(await service.upload(cardId))
  return { setId, cardId, imageId: data.id, download: data.attributes.download_url }
}

const remove = (path: string, as: 'editor' | 'publishedWriter' = 'editor') => service.send('DELETE', path, { as })

test('a deleted image is gone with its files, and its card is without it', async () => {
  const { cardId, imageId, download } = await anImage()
  const files = service.files()
  expect((await remove(`/v1/card-images/${imageId}`)).status).toBe(204)
  expect(await service.imageOf(cardId)).toBeNull()
  expect((await service.send('GET', `/v1/card-images/${imageId}`, { as: 'editor' })).status).toBe(404)
  expect((await service.send('GET', download)).status).toBe(404)
  expect((await remove(`/v1/card-images/${imageId}`)).status).toBe(404)
  await service.swept()
  expect(service.files()).toBe(files - 4)
  expect(await service.context.db.sql`select 1 from loose_images`).toHaveLength(0)
})

test('every card that had it as its own loses it, and says so by its version', async () => {
  const { imageId } = await anImage()
  const other = await service.aCard('draft')
  const attributes = { image_uuid: imageId }
  const document = { data: { type: 'cards', id: other.cardId, attributes } }
  expect((await service.send('PATCH', `/v1/cards/${other.cardId}`, { as: 'editor', document })).status).toBe(200)
  await remove(`/v1/card-images/${imageId}`)
  expect(await service.imageOf(other.cardId)).toBeNull()
  const [card] = await service.context.db.sql`select version from cards where id = ${other.cardId}`
  expect(card?.version).toBe('3')
})

test('a card of a deleted set that had it as its own holds nothing up', async () => {
  const { imageId } = await anImage()
  const other = await service.aCard()
  const document = { data: { type: 'cards', id: other.cardId, attributes: { image_uuid: imageId } } }
  await service.send('PATCH', `/v1/cards/${other.cardId}`, { as: 'editor', document })
  await remove(`/v1/sets/${other.setId}`)
  expect((await remove(`/v1/card-images/${imageId}`)).status).toBe(204)
})

test('deleting takes the scope, and what is hidden is a 404', async () => {
  const { imageId } = await anImage('draft')
  expect((await remove(`/v1/card-images/${imageId}`, 'publishedWriter')).status).toBe(403)
  expect((await remove(`/v1/card-images/${Bun.randomUUIDv7()}`)).status).toBe(404)
  expect((await remove('/v1/card-images/7')).status).toBe(404)
})

test('a deleted card hides its images and keeps their files; a set erased for good takes them along', async () => {
  const { setId, cardId, imageId } = await anImage()
  const files = service.files()
  await remove(`/v1/cards/${cardId}`)
  expect((await service.send('GET', `/v1/card-images/${imageId}`, { as: 'editor' })).status).toBe(404)
  expect((await remove(`/v1/sets/${setId}?force=true`)).status).toBe(204)
  await service.swept()
  expect(service.files()).toBe(files - 4)
})
