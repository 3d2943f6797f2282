import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const told = (cardId: string, imageType?: string, others: object = {}) => ({
  type: 'card_images',
  attributes: { card_id: cardId, ...(imageType ? { image_type: imageType } : {}), ...others },
})
const idOf = async (answer: Response | Promise<Response>) => (await readJson(await answer)).data.id
const imagesOf = async (cardId: string) => {
  const answer = await service.send('GET', `/v1/card-images?filter%5Bcard_id%5D=${cardId}`, { as: 'editor' })
  const { data } = (await answer.json()) as { data: { id: string; attributes: { image_type: string } }[] }
  return Object.fromEntries(data.map(({ id, attributes }) => [attributes.image_type, id]))
}
const patch = (id: string, attributes: object) =>
  service.send('PATCH', `/v1/card-images/${id}`, {
    as: 'editor',
    document: { data: { type: 'card_images', id, attributes } },
  })

test('the part data says the card and the type, with or without the outer data', async () => {
  const { cardId } = await service.aCard()
  const back = await service.uploadForm({ data: told(cardId, 'back') })
  expect(back.status).toBe(201)
  const { data } = await readJson(back)
  expect(data.attributes).toMatchObject({ card_id: cardId, image_type: 'back', mime_type: 'image/png' })
  expect(data.attributes.file_size).toBe(data.attributes.bytes)
  expect(data.attributes.storage_path).toBeString()
  const front = await service.uploadForm(told(cardId))
  expect((await readJson(front)).data.attributes).toMatchObject({ card_id: cardId, image_type: 'front' })
  const byForm = await service.uploadForm(
    { type: 'card_images', attributes: { image_type: 'back' } },
    { card_id: cardId },
  )
  expect((await readJson(byForm)).data.attributes).toMatchObject({ card_id: cardId, image_type: 'back' })
})

test('a card has one image of each type: a new one takes the place of the old, and its files go', async () => {
  const { cardId } = await service.aCard()
  const front = await idOf(service.upload(cardId))
  const back = await idOf(service.uploadForm(told(cardId, 'back')))
  await service.swept()
  const files = service.files()
  const second = await idOf(service.uploadForm(told(cardId, 'front')))
  expect(await imagesOf(cardId)).toEqual({ front: second, back })
  expect(await service.imageOf(cardId)).toBe(second)
  expect((await service.send('GET', `/v1/card-images/${front}`, { as: 'editor' })).status).toBe(404)
  const newBack = await idOf(service.uploadForm(told(cardId, 'back')))
  expect(await imagesOf(cardId)).toEqual({ front: second, back: newBack })
  expect(await service.imageOf(cardId)).toBe(second)
  await service.swept()
  expect(service.files()).toBe(files)
  const { data } = await readJson(await service.send('GET', `/v1/cards/${cardId}`, { as: 'editor' }))
  expect(data.relationships.images).toMatchObject({ data: [{ id: second }, { id: newBack }] })
})

test('PATCH changes the type, and takes the place of the other', async () => {
  const { cardId } = await service.aCard()
  const front = await idOf(service.upload(cardId))
  const answer = await patch(front, { image_type: 'back', width: 1, card_id: cardId })
  expect(answer.status).toBe(200)
  expect((await readJson(answer)).data.attributes).toMatchObject({ image_type: 'back', width: 50 })
  expect(await imagesOf(cardId)).toEqual({ back: front })
  const other = await idOf(service.upload(cardId))
  expect((await patch(other, { image_type: 'back' })).status).toBe(200)
  expect(await imagesOf(cardId)).toEqual({ back: other })
  expect((await patch(other, { image_type: 'back' })).status).toBe(200)
  expect((await patch(other, {})).status).toBe(200)
  expect((await patch(front, { image_type: 'front' })).status).toBe(404)
  await service.swept()
})

test('what data says wrong is refused at its pointer', async () => {
  const { cardId } = await service.aCard()
  const pointers = async (data: unknown, fields?: Record<string, string>) => {
    const answer = await service.uploadForm(data, fields)
    const { errors } = await readJson(answer)
    return [answer.status, ...errors.map(({ source }) => source?.pointer)]
  }
  expect(await pointers(told(cardId, 'side'))).toEqual([422, '/data/attributes/image_type'])
  expect(await pointers(told('7'))).toEqual([422, '/data/attributes/card_id'])
  expect(await pointers(told(cardId, 'front', { color: 'red' }))).toEqual([422, '/data/attributes/color'])
  expect(await pointers(told(Bun.randomUUIDv7()))).toEqual([422, '/data/attributes/card_id'])
  expect(await pointers(told(Bun.randomUUIDv7()), { card_id: cardId })).toEqual([422, '/data/attributes/card_id'])
  expect(await pointers('{')).toEqual([400, undefined])
  expect((await patch(await idOf(service.upload(cardId)), { image_type: 'side' })).status).toBe(422)
})
