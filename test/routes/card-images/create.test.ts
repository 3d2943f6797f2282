import { afterAll, beforeAll, expect, test } from 'bun:test'
import { aJpeg, aPng, aWebp } from '../../support/image.ts'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService({ IMAGE_MAX_BYTES: '200000', MAX_BODY_BYTES: '4096' })
})
afterAll(() => service.close())

const refusalOf = async (answer: Response) => {
  const { errors } = await readJson(answer)
  return { status: answer.status, codes: errors.map(({ code }) => code), source: errors[0]?.source }
}

test('a raw image becomes a card image with signed addresses', async () => {
  const { cardId } = await service.aCard()
  const bytes = await aJpeg(300, 420)
  const answer = await service.send('POST', `/v1/card-images?card_id=${cardId}`, {
    as: 'editor',
    type: 'image/jpeg',
    body: bytes.slice().buffer,
  })
  const { data } = await readJson(answer.clone())
  const { links } = await answer.json()
  expect(answer.status).toBe(201)
  expect(answer.headers.get('location')).toBe(`http://localhost:3000/v1/card-images/${data.id}`)
  expect([answer.headers.get('location'), links.self]).toEqual([data.links.self, data.links.self])
  expect(data).toMatchObject({
    type: 'card_images',
    attributes: {
      width: 300,
      height: 420,
      content_type: 'image/jpeg',
      bytes: bytes.length,
      expires_at: '2026-11-21T12:30:00.000Z',
    },
    relationships: { card: { data: { type: 'cards', id: cardId } } },
    links: { download: data.attributes.download_url },
  })
  expect(data.attributes.variants).toMatchObject([
    { name: 'thumb', width: 114, height: 160 },
    { name: 'small', width: 286, height: 400 },
    { name: 'large', width: 300, height: 420 },
  ])
})

test('a form brings the image and its card; the bytes decide what it is', async () => {
  const { cardId } = await service.aCard()
  const form = new FormData()
  form.set('card_id', cardId.toUpperCase())
  form.set('file', new File([(await aWebp(20, 20)).slice()], 'front.jpg', { type: 'image/jpeg' }))
  const answer = await service.send('POST', '/v1/card-images?include=card', { as: 'editor', body: form })
  const { data, included } = await readJson(answer)
  expect(answer.status).toBe(201)
  expect(data.attributes.content_type).toBe('image/webp')
  expect(included).toMatchObject([{ type: 'cards', id: cardId }])
})

test('where and when a picture was taken is in no file of it', async () => {
  const { cardId } = await service.aCard()
  const jpeg = await aJpeg(60, 80)
  const place = 'N 41.8806 W 87.6742'
  const exif = Buffer.from(`\xff\xe1\0${String.fromCharCode(8 + place.length)}Exif\0\0${place}`, 'latin1')
  const body = Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
  const { data } = await readJson(
    await service.send('POST', `/v1/card-images?card_id=${cardId}`, { as: 'editor', type: 'image/jpeg', body }),
  )
  const kept = await (await service.send('GET', data.attributes.download_url as string)).bytes()
  expect(Buffer.from(kept).includes(place)).toBe(false)
  expect(kept).toEqual(jpeg.slice())
  expect(data.attributes.bytes).toBe(jpeg.length)
})

test('the card takes its first image as its own and keeps it', async () => {
  const { cardId } = await service.aCard()
  const first = (await readJson(await service.upload(cardId))).data.id
  const back = { type: 'card_images', attributes: { card_id: cardId, image_type: 'back' } }
  const second = (await readJson(await service.uploadForm(back))).data.id
  const { data } = await readJson(await service.send('GET', `/v1/cards/${cardId}`, { as: 'editor' }))
  expect(data.attributes.image_uuid).toBe(first)
  expect(data.relationships.images).toEqual({ data: [first, second].map((id) => ({ type: 'card_images', id })) })
})

test('of uploads for one card at once, one is its image in the end', async () => {
  const { cardId } = await service.aCard()
  const answers = await Promise.all([service.upload(cardId), service.upload(cardId), service.upload(cardId)])
  for (const { status } of answers) expect([201, 409]).toContain(status)
  const { sql } = service.context.db
  const live = await sql`select id, image_type from card_images where card_id = ${cardId} and deleted_at is null`
  expect([...live]).toEqual([{ id: await service.imageOf(cardId), image_type: 'front' }])
})

test('a card that is missing, unknown or hidden is refused where it was named', async () => {
  const { cardId } = await service.aCard('draft')
  const files = service.files()
  const raw = (query: string, as: 'editor' | 'publishedWriter' | 'blindWriter' = 'editor') =>
    service.send('POST', `/v1/card-images${query}`, { as, type: 'image/png', body: aPng(2, 2) })
  const fault = { status: 422, codes: ['VALIDATION-FAILED'], source: { parameter: 'card_id' } }
  expect(await refusalOf(await raw(''))).toEqual(fault)
  expect(await refusalOf(await raw(`?card_id=${Bun.randomUUIDv7()}`))).toEqual(fault)
  expect(await refusalOf(await raw(`?card_id=${cardId}`, 'publishedWriter'))).toEqual(fault)
  expect(await refusalOf(await raw(`?card_id=${cardId}`, 'blindWriter'))).toEqual(fault)
  const malformed = { status: 400, codes: ['INVALID_PARAMETER'], source: { parameter: 'card_id' } }
  expect(await refusalOf(await raw('?card_id=7'))).toEqual(malformed)
  expect(service.files()).toBe(files)
})

test('a form is refused fault by fault', async () => {
  const form = new FormData()
  form.set('file', 'no file')
  form.set('caption', 'x')
  const answer = await service.send('POST', '/v1/card-images', { as: 'editor', body: form })
  const { errors } = await readJson(answer)
  expect(answer.status).toBe(422)
  expect(errors.map(({ source }) => source?.pointer)).toEqual(['/caption', '/file', '/card_id'])
  const unknown = new FormData()
  unknown.set('card_id', Bun.randomUUIDv7())
  unknown.set('file', new File([aPng(2, 2)], 'a.png'))
  expect(await refusalOf(await service.send('POST', '/v1/card-images', { as: 'editor', body: unknown }))).toMatchObject(
    {
      status: 422,
      source: { pointer: '/card_id' },
    },
  )
})

test('a form names one card, the one that the query names', async () => {
  const [{ cardId }, { cardId: other }] = [await service.aCard(), await service.aCard()]
  const upload = async (query: string, ...ids: string[]) => {
    const form = new FormData()
    form.set('file', new File([aPng(20, 20)], 'a.png'))
    for (const id of ids) form.append('card_id', id)
    const answer = await service.send('POST', `/v1/card-images${query}`, { as: 'editor', body: form })
    return [answer.status, (await readJson(answer)).errors?.map(({ source, detail }) => [source?.pointer, detail])]
  }
  expect(await upload('', cardId, other)).toEqual([422, [['/card_id', 'Must be one id.']]])
  expect(await upload(`?card_id=${cardId}`, other)).toEqual([422, [['/card_id', 'The query names another card.']]])
  expect(await service.imageOf(other)).toBeNull()
  expect((await upload(`?card_id=${cardId}`, cardId.toUpperCase()))[0]).toBe(201)
})

test('what is no form is a 400', async () => {
  for (const type of ['multipart/form-data', 'multipart/form-data; boundary=x'])
    expect((await service.send('POST', '/v1/card-images', { as: 'editor', type, body: 'file' })).status).toBe(400)
})

test('what is no image is a 422, another media type a 415, nothing a 400', async () => {
  const { cardId } = await service.aCard()
  const path = `/v1/card-images?card_id=${cardId}`
  const send = (type: string, body: BodyInit | undefined) => service.send('POST', path, { as: 'editor', type, body })
  expect(await refusalOf(await send('image/png', 'hello'))).toMatchObject({ status: 422, source: { pointer: '' } })
  expect(await refusalOf(await send('image/png', 'GIF89a'))).toMatchObject({ status: 422 })
  expect((await send('image/png', aPng(300, 300, true).slice(0, 5000))).status).toBe(422)
  expect((await send('image/png', aPng(30_000, 1))).status).toBe(422)
  for (const type of ['image/gif', 'application/json', 'application/vnd.api+json', 'text/plain'])
    expect((await send(type, aPng(2, 2))).status).toBe(415)
  expect((await send('image/png', undefined)).status).toBe(400)
  expect(await service.imageOf(cardId)).toBeNull()
})

test('an image of too many bytes is a 413, with or without a length, raw or in a form', async () => {
  const { cardId } = await service.aCard()
  const path = `/v1/card-images?card_id=${cardId}`
  const tooLarge = new Uint8Array(200_001)
  tooLarge.set(aPng(2, 2))
  const raw = { as: 'editor' as const, type: 'image/png' }
  expect((await service.send('POST', path, { ...raw, body: tooLarge })).status).toBe(413)
  expect((await service.send('POST', path, { ...raw, body: new Blob([tooLarge]).stream() })).status).toBe(413)
  expect((await service.send('POST', path, { ...raw, body: new Uint8Array(900_000) })).status).toBe(413)
  const form = new FormData()
  form.set('file', new File([tooLarge], 'a.png'))
  expect((await service.send('POST', path, { as: 'editor', body: form })).status).toBe(413)
  const patterned = aPng(200, 200, true)
  expect(patterned.length).toBeGreaterThan(4096)
  expect((await service.upload(cardId, 'editor', patterned)).status).toBe(201)
})

test('uploading takes the scope write, and unknown parameters are named', async () => {
  const { cardId } = await service.aCard()
  expect((await service.upload(cardId, 'reader')).status).toBe(403)
  expect((await service.send('POST', `/v1/card-images?card_id=${cardId}`, { body: aPng(2, 2) })).status).toBe(401)
  const answer = await service.send('POST', `/v1/card-images?card_id=${cardId}&size=1`, {
    as: 'editor',
    type: 'image/png',
    body: aPng(2, 2),
  })
  expect(await refusalOf(answer)).toMatchObject({ status: 400, source: { parameter: 'size' } })
})

test('a commit that fails leaves no file', async () => {
  const { cardId } = await service.aCard()
  const files = service.files()
  const { sql } = service.context.db
  await sql`alter table card_images add constraint no_small check (width > 10)`
  const answer = await service.upload(cardId, 'editor', aPng(5, 5))
  await sql`alter table card_images drop constraint no_small`
  expect(answer.status).toBe(500)
  expect(service.files()).toBe(files)
  expect(await sql`select 1 from loose_images`).toHaveLength(0)
  expect(service.takeFaults()).toMatchObject([{ code: '23514' }])
})
