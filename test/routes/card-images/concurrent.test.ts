import { afterAll, beforeAll, expect, test } from 'bun:test'
import { abandonUpload, noteUpload, sweepLooseImages } from '../../../src/catalog/images/orphan-files.ts'
import { imageStore } from '../../../src/catalog/images/store.ts'
import { readImage } from '../../../src/catalog/images/variants.ts'
import { aPng } from '../../support/image.ts'
import { openService, readJson } from './service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

const aLateHour = () => new Date(service.clock.at.getTime() + 3_600_000)

test('uploads, deletions, publishers and takers of an image leave every count true and no image dangling', async () => {
  const { setId, cardId } = await service.aCard()
  const other = await service.aCard()
  const take = (image: string) => {
    const document = { data: { type: 'cards', id: other.cardId, attributes: { image_uuid: image } } }
    return service.send('PATCH', `/v1/cards/${other.cardId}`, { as: 'editor', document })
  }
  const writers = Array.from({ length: 6 }, async (_, index) => {
    for (let round = 0; round < 4; round++) {
      const upload = await service.upload(cardId)
      if (upload.status === 409) continue
      const { data } = await readJson(upload)
      const answers = await Promise.all([
        take(data.id),
        service.send('DELETE', `/v1/card-images/${data.id}`, { as: 'editor' }),
        index === 0 ? service.setStatus(setId, round % 2 ? 'published' : 'draft') : undefined,
      ])
      expect([200, 422]).toContain(answers[0].status)
      // Another upload may have taken its place by now.
      expect([204, 404]).toContain(answers[1].status)
    }
  })
  await Promise.all(writers)
  const dangling = await service.context.db.sql`
    select c.id from cards c join card_images i on i.id = c.image_uuid where i.deleted_at is not null`
  expect([...dangling]).toEqual([])
  await service.swept()
  expect(service.files()).toBe(0)
}, 60_000)

test('an upload that died half way is swept after an hour, and not before', async () => {
  const { db, config, clock } = service.context
  const store = imageStore(config)
  const id = Bun.randomUUIDv7()
  const { original } = await readImage(aPng(2, 2), '')
  await noteUpload(db, id, clock.now())
  await store.save(id, [original])
  await sweepLooseImages(db, store, clock.now())
  expect(service.files()).toBe(1)
  await sweepLooseImages(db, store, aLateHour())
  expect(service.files()).toBe(0)
})

test('giving up an upload that was committed after all keeps its files', async () => {
  const { cardId } = await service.aCard()
  const { data } = await readJson(await service.upload(cardId))
  const files = service.files()
  await abandonUpload(service.context.db, imageStore(service.config), data.id, service.clock.at)
  await sweepLooseImages(service.context.db, imageStore(service.config), aLateHour())
  expect(service.files()).toBe(files)
})
