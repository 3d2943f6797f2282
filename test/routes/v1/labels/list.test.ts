import { describe, expect, test } from 'bun:test'
import { setKindIds } from '../../../../src/catalog/model/counts.ts'
import { idsOf } from '../../../support/answer.ts'
import { testApp, testBaseUrl } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const labels = [
  ['brands', 'brand'],
  ['manufacturers', 'manufacturer'],
  ['genres', 'genre'],
  ['years', 'year'],
] as const

describe.each(labels)('GET /v1/%s', (path, noun) => {
  const named = async (query: string, caller = app.draftReader) =>
    (await caller.get(`/v1/${path}?${query}`)).many.map(({ attributes }) => attributes.name as string)

  test('is in the order of names without case, in the collation C', async () => {
    for (const name of ['b', 'B 2', 'a', 'Ä', '1', '~']) await make[noun]({ name })
    expect(await named('')).toEqual(['1', 'a', 'b', 'B 2', '~', 'Ä'])
    expect(await named('per_page=2&page=2')).toEqual(['b', 'B 2'])
  })

  test('filter[name] is exact, or with like: any part without case; its wildcards are literal', async () => {
    expect(await named('filter[name]=b')).toEqual(['b'])
    expect(await named('filter[name]=like:B')).toEqual(['b', 'B 2'])
    expect(await named('filter[name]=like:%C3%A4')).toEqual(['Ä'])
    for (const part of ['%25', '_', '%5C']) expect(await named(`filter[name]=like:${part}`)).toEqual([])
    expect(await named('filter[name]=LIKE:b')).toEqual([])
  })

  test('the bare name is an old name of filter[name], never beside it', async () => {
    const { many, headers } = await app.draftReader.get(`/v1/${path}?name=b`)
    expect([many.map(({ attributes }) => attributes.name), headers.has('deprecation')]).toEqual([['b'], true])
    expect(await named('name=like:B')).toEqual(['b', 'B 2'])
    const both = await app.draftReader.get(`/v1/${path}?name=b&filter[name]=b`)
    expect(both.faults).toEqual(['INVALID_PARAMETER name'])
  })

  test('include=sets brings the sets that the caller may see, in the order of their names', async () => {
    const label = await make[noun]({ name: 'with sets' })
    const b = await make.set({ name: 'b', [noun]: label, status: 'published' })
    const a = await make.set({ name: 'A', [noun]: label, parent: b, status: 'published' })
    const draft = await make.set({ name: 'aa', [noun]: label })
    const gone = await make.set({ name: 'c', [noun]: label })
    await app.operator.delete(`/v1/sets/${gone.id}`)
    for (const [caller, wanted] of [
      [app.reader, [a, b]],
      [app.draftReader, [a, draft, b]],
    ] as const) {
      const { one, included } = await caller.get(`/v1/${path}/${label.id}?include=sets`)
      expect(one.relationships.sets as object).toEqual({ data: wanted.map(({ id }) => ({ type: 'sets', id })) })
      expect(idsOf(included)).toEqual(idsOf([...wanted]))
    }
    const listed = await app.draftReader.get(`/v1/${path}?include=sets&per_page=100`)
    expect(
      listed.many.map(({ relationships }) => (relationships.sets?.data as unknown[] | undefined)?.length).toSorted(),
    ).toEqual([...[0, 0, 0, 0, 0, 0, 3]])
    expect((await app.draftReader.get(`/v1/${path}/${label.id}?include=cards`)).status).toBe(400)
  })
})

test('more than 1,000 sets are cut, and meta and a link say where the rest is', async () => {
  const brand = await make.brand({ name: 'Large' })
  const first = await make.set({ name: 'copied', brand, status: 'published' })
  await app.db.sql`
    insert into sets (id, no, name, status, audience, brand_id, created_at, updated_at)
    select gen_random_uuid(), 100000 + n, 'set ' || lpad(n::text, 5, '0'), 'published', 2, ${brand.id}, now(), now()
    from generate_series(1, 1200) n`
  await app.db.sql`update tallies set live = live + 1200, published = published + 1200, live_roots = live_roots + 1200,
    published_roots = published_roots + 1200 where list = 1 and id in (${brand.id}, ${setKindIds.base}, 'ffffffff-ffff-ffff-ffff-ffffffffffff')`
  const { one, included } = await app.reader.get(`/v1/brands/${brand.id}?include=sets`)
  const { data, meta, links } = one.relationships.sets as { data: unknown[]; meta: object; links: { related: string } }
  expect([data.length, included.length, meta]).toEqual([1000, 1000, { total: 1201, truncated: true }])
  expect(data[0]).toEqual({ type: 'sets', id: first.id })
  const rest = await app.reader.get(links.related.slice(testBaseUrl.length))
  expect([rest.status, rest.meta.total]).toEqual([200, 1201])
})
