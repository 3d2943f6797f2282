import { expect, test } from 'bun:test'
import { startNumbering } from '../../src/catalog/sync/feed/number.ts'
import type { Shown } from '../support/answer.ts'
import { testApp, testBaseUrl } from '../support/app.ts'
import { endsFirst } from '../support/ending.ts'
import { factories } from '../support/factories.ts'
import { aPng } from '../support/image.ts'
import { untilNumbered } from '../support/mirrored.ts'

const app = await testApp()
endsFirst(startNumbering(app.context))

test('nothing is read again while nothing is written, and everything after the next change', async () => {
  const make = factories(app)
  const brand = await make.brand()
  await untilNumbered(app)
  const name = async () => (await app.draftReader.get(`/v1/brands/${brand.id}`)).one.attributes.name
  expect(await name()).toBe(brand.attributes.name)
  await app.db.sql`update brands set name = 'Written past the door' where id = ${brand.id}`
  expect(await name()).toBe(brand.attributes.name)
  await make.year()
  expect(await name()).toBe('Written past the door')
})

test('an answer with the signed address of an image is made anew', async () => {
  const make = factories(app)
  const card = await make.card()
  const upload = await app.fetch(
    new Request(`${testBaseUrl}/v1/card-images?card_id=${card.id}`, {
      method: 'POST',
      headers: { ...app.headers.operator, 'Content-Type': 'image/png' },
      body: aPng(3, 4),
    }),
  )
  const { data: image } = (await upload.json()) as { data: Shown }
  await untilNumbered(app)
  const address = async () => (await app.draftReader.get(`/v1/card-images/${image.id}`)).one.attributes.download_url
  const first = await address()
  app.clock.offsetSeconds += 7200
  expect(await address()).not.toBe(first)
  app.clock.offsetSeconds -= 7200
})
