import { expect, test } from 'bun:test'
import { startNumbering } from '../../src/catalog/sync/feed/number.ts'
import type { Shown } from '../support/answer.ts'
import { testApp, testBaseUrl } from '../support/app.ts'
import { endsFirst } from '../support/ending.ts'
import { factories } from '../support/factories.ts'
import { aPng } from '../support/image.ts'
import { merging } from '../support/merges.ts'
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

/** The text of an answer, to somebody who sees drafts. */
const textOf = async (path: string) => {
  const answer = await app.fetch(new Request(`${testBaseUrl}${path}`, { headers: app.headers.draftReader }))
  expect(answer.status).toBe(200)
  return answer.text()
}

test('a long list is the same answer when it is made and when it is kept', async () => {
  const make = factories(app)
  const set = await make.set()
  for (let no = 1; no <= 25; no++) await make.card({ set, number: String(no), title: `№ ${no}, “the best”` })
  await untilNumbered(app)
  const path = `/v1/cards?filter[set_id]=${set.id}&include=set`
  const made = await textOf(path)
  expect(made).toContain('№ 25, “the best”')
  expect(made.length).toBeGreaterThan(15_000)
  await app.db.sql`update cards set notes = 'Written past the door' where set_id = ${set.id}`
  expect(await textOf(path)).toBe(made)
})

test('a long answer without records is still looked at again for merged ids when it is kept', async () => {
  const make = factories(app)
  const [player, same] = [await make.player(), await make.player()]
  const card = await make.card({ oncard: [player] })
  await merging(app).merge([same], player)
  await untilNumbered(app)
  const path = `/v1/cards?filter[player_id]=${same.id}&fields[cards]=${'name,'.repeat(400)}name`
  for (let time = 1; time <= 3; time++) expect(await textOf(path)).toContain(`"id":"${card.id}"`)
})

test('forty long lists that were each asked for once are all kept: texts take little room', async () => {
  const make = factories(app)
  const set = await make.set()
  for (let no = 1; no <= 100; no++)
    await make.card({ set, number: String(no), notes: 'A note that many cards have. '.repeat(40) })
  await untilNumbered(app)
  const paths = Array.from({ length: 40 }, (_, n) => `/v1/cards?filter[set_id]=${set.id}&per_page=${100 - n}`)
  const made: string[] = []
  for (const path of paths) made.push(await textOf(path))
  expect(made.reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(5_000_000)
  await app.db.sql`update cards set notes = 'Written past the door' where set_id = ${set.id}`
  for (const [n, path] of paths.entries()) expect([path, (await textOf(path)) === made[n]]).toEqual([path, true])
})
