import { expect, test } from 'bun:test'
import { idsOf, type Shown } from '../../../support/answer.ts'
import { testApp, testBaseUrl } from '../../../support/app.ts'
import { aDocument, factories, setStatus } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const post = (attributes: object, caller = app.operator) =>
  caller.post('/v1/set-sources', aDocument('set_sources', { source_url: 'https://example.org/a', ...attributes }))
const patch = (source: Shown, attributes: object, caller = app.operator) =>
  caller.patch(`/v1/set-sources/${source.id}`, aDocument('set_sources', { ...attributes }, {}, source.id))

test('a source shows where the checklist was found; url is its own address', async () => {
  const set = await make.set()
  const { one } = await post({ set_id: set.id, title: 'A list', notes: null })
  expect(one.attributes).toMatchObject({
    set_id: set.id,
    source_url: 'https://example.org/a',
    title: 'A list',
    notes: null,
  })
  expect(one.attributes.url).toBe(`${testBaseUrl}/v1/set-sources/${one.id}`)
  const { included } = await app.operator.get(`/v1/set-sources/${one.id}?include=set`)
  expect(idsOf(included)).toEqual([set.id])
})

test('source_url is an http or https address', async () => {
  const source = await make.setSource(await make.set())
  for (const source_url of ['http://a', 'https://example.org/?q=1#x', 'HTTPS://EXAMPLE.ORG'])
    expect([source_url, (await patch(source, { source_url })).status]).toEqual([source_url, 200])
  for (const source_url of [
    '',
    'example.org',
    'ftp://example.org',
    'javascript:alert(1)',
    '//example.org',
    'https://',
    null,
  ])
    expect([source_url, (await patch(source, { source_url })).faults]).toEqual([
      source_url,
      ['VALIDATION-FAILED /data/attributes/source_url'],
    ])
})

test('a source is seen while its set is, and moves with it', async () => {
  const [draft, open] = [await make.set(), await make.set({ status: 'published' })]
  const source = await make.setSource(draft)
  const seen = async () => (await app.reader.get(`/v1/set-sources/${source.id}`)).status
  expect(await seen()).toBe(404)
  await setStatus(app, draft, 'published')
  expect(await seen()).toBe(200)
  await setStatus(app, draft, 'draft')
  expect((await patch(source, { set_id: open.id })).status).toBe(200)
  expect(await seen()).toBe(200)
  const total = async (set: Shown) => (await app.operator.get(`/v1/set-sources?filter[set_id]=${set.id}`)).meta.total
  expect([await total(draft), await total(open)]).toEqual([0, 1])
  await app.operator.delete(`/v1/sets/${open.id}`)
  expect((await app.operator.get(`/v1/set-sources/${source.id}`)).status).toBe(404)
  expect((await patch(source, { title: 'x' })).status).toBe(404)
})

test('a set that does not exist, is deleted or hidden is a fault', async () => {
  const [set, gone] = [await make.set(), await make.set()]
  await app.operator.delete(`/v1/sets/${gone.id}`)
  const fault = ['VALIDATION-FAILED /data/attributes/set_id']
  expect((await post({ set_id: crypto.randomUUID() })).faults).toEqual(fault)
  expect((await post({ set_id: gone.id })).faults).toEqual(fault)
  expect((await post({ set_id: set.id }, app.publishedWriter)).faults).toEqual(fault)
})

test('lists are in the order of creation and filter by set', async () => {
  const [set, other] = [await make.set({ status: 'published' }), await make.set()]
  const sources = [await make.setSource(set), await make.setSource(other), await make.setSource(set)]
  const [a, , c] = idsOf(sources)
  expect(idsOf((await app.reader.get(`/v1/set-sources?filter[set_id]=${set.id}`)).many)).toEqual([a, c] as string[])
  expect((await app.reader.get(`/v1/set-sources?filter[set_id]=${other.id}`)).many).toEqual([])
  expect(idsOf((await app.operator.get('/v1/set-sources?per_page=100')).many).slice(-3)).toEqual(idsOf(sources))
})

test('one set may have one source twice, and a deleted one is gone', async () => {
  const set = await make.set()
  const [a, b] = [await make.setSource(set), await make.setSource(set)]
  expect((await app.operator.delete(`/v1/set-sources/${a.id}`)).status).toBe(204)
  expect((await app.operator.delete(`/v1/set-sources/${a.id}`)).status).toBe(404)
  expect((await app.operator.get(`/v1/set-sources/${b.id}`)).status).toBe(200)
})
