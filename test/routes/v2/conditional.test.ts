import { describe, expect, test } from 'bun:test'
import { resources } from '../../../src/catalog/model/index.ts'
import { writesOf } from '../../../src/catalog/write/documents.ts'
import { testApp } from '../../support/app.ts'
import { concurrentDatabase } from '../../support/database.ts'
import { aDocument, aName, factories } from '../../support/factories.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const world = await aWorld(app, 'published')

const both = ['/v1', '/v2'].flatMap((api) =>
  resources.map((resource) => [`${api}/${resource.path}`, resource, api] as const),
)
const tagOf = (answer: { headers: Headers }) => answer.headers.get('etag') as string

describe.each(both)('%s/{id}', (path, resource, api) => {
  const { type } = resource
  const { update, remove } = writesOf(resource)
  const one = `${path}/${world[type as 'cards'].id}`

  test('a read has a strong ETag, and who has it gets a 304 without a body that counts like any answer', async () => {
    const first = await app.reader.get(one)
    expect(tagOf(first)).toMatch(/^"v[12]-\d+\.\d+-\w+"$/)
    for (const header of [tagOf(first), `"x", ${tagOf(first)}`, `W/${tagOf(first)}`, '*']) {
      const again = await app.reader.get(one, { 'If-None-Match': header })
      expect([again.status, again.text, tagOf(again)]).toEqual([304, '', tagOf(first)])
      expect(Number(again.headers.get('x-ratelimit-remaining'))).toBeLessThan(
        Number(first.headers.get('x-ratelimit-remaining')),
      )
    }
    for (const header of ['"x"', 'x', tagOf(first).slice(0, -2)])
      expect((await app.reader.get(one, { 'If-None-Match': header })).status).toBe(200)
  })

  test('the ETag is of what was shown: other fields are another one', async () => {
    const whole = tagOf(await app.reader.get(one))
    const fewer = tagOf(await app.reader.get(`${one}?fields[${type}]=created_at`))
    expect(fewer).not.toBe(whole)
    expect((await app.reader.get(`${one}?fields[${type}]=created_at`, { 'If-None-Match': whole })).status).toBe(200)
  })

  if (update)
    test('PATCH with an If-Match that holds is done, whatever was shown; with another it is a 412 and changes nothing', async () => {
      const before = await app.operator.get(`${one}?fields[${type}]=created_at`)
      const nothing = aDocument(type, {}, {}, before.one.id)
      const stale = tagOf(before).replace(/-(\d+)\./, (_, version) => `-${Number(version) + 7}.`)
      for (const header of [stale, `W/${stale}`, '"x"', 'x', ''])
        expect([header, (await app.operator.patch(one, nothing, { 'If-Match': header })).faults]).toEqual([
          header,
          ['PRECONDITION_FAILED'],
        ])
      const done = await app.operator.patch(one, nothing, { 'If-Match': `${stale}, ${tagOf(before)}` })
      expect(done.status).toBe(200)
      expect(tagOf(done)).toBe(tagOf(await app.operator.get(one)))
      expect((await app.operator.patch(one, nothing, { 'If-Match': '*' })).status).toBe(200)
      for (const suffix of ['-gzip', '-br', '-zstd']) {
        const tag = tagOf(await app.operator.get(one))
        for (const header of [`W/${tag}`, tag.replace(/"$/, `${suffix}"`), `W/${tag.replace(/"$/, `${suffix}"`)}`]) {
          expect([header, (await app.operator.get(one, { 'If-None-Match': header })).status]).toEqual([header, 304])
          expect([header, (await app.operator.patch(one, nothing, { 'If-Match': header })).status]).toEqual([
            header,
            200,
          ])
        }
      }
      const other = tagOf(await app.operator.get(one.replace(api, api === '/v1' ? '/v2' : '/v1')))
      expect((await app.operator.patch(one, nothing, { 'If-Match': other })).status).toBe(412)
    })

  test('what is not there is a 404 before a 412, and a 412 comes before what is wrong with the document', async () => {
    const nowhere = `${path}/0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e`
    if (remove) expect((await app.operator.delete(nowhere, { 'If-Match': '"x"' })).status).toBe(404)
    if (remove) expect((await app.operator.delete(one, { 'If-Match': '"x"' })).status).toBe(412)
    if (!update) return
    const wrong = aDocument(type, { nothing: 1 }, {}, world[type as 'cards'].id)
    expect((await app.operator.patch(nowhere, wrong, { 'If-Match': '"x"' })).status).toBe(404)
    expect((await app.operator.patch(one, wrong, { 'If-Match': '"x"' })).status).toBe(412)
    expect((await app.operator.patch(one, aDocument('nothing'), { 'If-Match': '"x"' })).status).toBe(400)
    expect((await app.operator.patch(one, wrong)).status).toBe(422)
  })
})

test('a 201 has the ETag that the first read has', async () => {
  const made = await app.operator.post('/v2/brands', aDocument('brands', { name: aName('Brand') }))
  expect(tagOf(made)).toBe(tagOf(await app.operator.get(`/v2/brands/${made.one.id}`)))
})

test('DELETE with the If-Match of the record as it is deletes it', async () => {
  const card = await make.card({ number: '1' })
  const path = `/v1/cards/${card.id}`
  const old = tagOf(await app.operator.get(path))
  await app.operator.patch(path, aDocument('cards', { title: 'New' }, {}, card.id))
  expect((await app.operator.delete(path, { 'If-Match': old })).status).toBe(412)
  expect((await app.operator.delete(path, { 'If-Match': tagOf(await app.operator.get(path)) })).status).toBe(204)
  expect((await app.operator.delete(path, { 'If-Match': old })).status).toBe(404)
})

test('a changed count is another ETag of a set, but not another If-Match', async () => {
  const set = await make.set()
  const path = `/v2/sets/${set.id}`
  const before = tagOf(await app.operator.get(path))
  await make.card({ set, number: '1' })
  expect((await app.operator.get(path, { 'If-None-Match': before })).status).toBe(200)
  const change = aDocument('sets', { description: 'Counted' }, {}, set.id)
  expect((await app.operator.patch(path, change, { 'If-Match': before })).status).toBe(200)
})

test('a card that was erased and made again with its id is another than the one that was read', async () => {
  const set = await make.set()
  const card = await make.card({ set, number: '1' })
  const old = tagOf(await app.operator.get(`/v1/cards/${card.id}`))
  await app.operator.delete(`/v1/sets/${set.id}?force=true`)
  app.clock.offsetSeconds += 1
  await make.card({ id: card.id, number: '1' })
  expect((await app.operator.delete(`/v1/cards/${card.id}`, { 'If-Match': old })).status).toBe(412)
})

const shared = await concurrentDatabase('changes that race under one If-Match')

test.skipIf(!shared)('of many changes under one If-Match exactly one is done', async () => {
  const racing = shared ? await testApp({ db: shared }) : app
  const { operator } = racing
  const these = await aWorld(racing, 'published')
  const changes = {
    brands: (n: number) => aDocument('brands', { description: `d${n}` }, {}, these.brands.id),
    players: (n: number) => aDocument('players', { position: `p${n}` }, {}, these.players.id),
    sets: (n: number) => aDocument('sets', { description: `d${n}` }, {}, these.sets.id),
    cards: (n: number) => aDocument('cards', { notes: `n${n}` }, {}, these.cards.id),
    'set-sources': (n: number) => aDocument('set_sources', { notes: `n${n}` }, {}, these.set_sources.id),
    'object-attributes': (n: number) =>
      aDocument('object-attributes', { attribute_value: `v${n}` }, {}, these['object-attributes'].id),
  }
  for (const [path, change] of Object.entries(changes)) {
    const address = `/v2/${path}/${change(0).data.id}`
    const tag = tagOf(await operator.get(address))
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) => operator.patch(address, change(n), { 'If-Match': tag })),
    )
    expect([path, answers.map(({ status }) => status).toSorted()]).toEqual([path, [200, ...Array(11).fill(412)]])
  }
})
