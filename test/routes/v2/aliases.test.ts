import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, aName, factories, toOne } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const post = (type: string, attributes: object) => app.operator.post(`/v2/${type}`, aDocument(type, { ...attributes }))
const patch = ({ type, id }: Shown, attributes: object, api = 'v2') =>
  app.operator.patch(`/${api}/${type}/${id}`, aDocument(type, { ...attributes }, {}, id))

const aliased = ['players', 'teams', 'brands', 'manufacturers', 'genres', 'years', 'sets']
const named = (type: string) => (type === 'players' ? { last_name: aName('Player') } : { name: aName('Name') })

describe.each(aliased)('aliases of %s', (type) => {
  test('are written by POST and PATCH, and read alone, in lists, sparse and by other documents that leave them', async () => {
    const plain = await post(type, named(type))
    expect([plain.status, plain.one.attributes.aliases]).toEqual([201, []])
    const { one } = await post(type, { ...named(type), aliases: ['The Kid', 'Junior'] })
    expect(one.attributes.aliases).toEqual(['The Kid', 'Junior'])
    const again = await patch(one, { aliases: ['Junior', 'The Kid', '大谷'] })
    expect(again.one.attributes.aliases).toEqual(['Junior', 'The Kid', '大谷'])
    expect((await app.operator.get(`/v2/${type}/${one.id}`)).one.attributes).toEqual(again.one.attributes)
    const { many } = await app.operator.get(`/v2/${type}?filter[id]=${one.id}`)
    expect(many[0]?.attributes).toEqual(again.one.attributes)
    const sparse = await app.operator.get(`/v2/${type}?filter[id]=${one.id}&fields[${type}]=aliases`)
    expect(sparse.many[0]?.attributes).toEqual({ aliases: ['Junior', 'The Kid', '大谷'] })
    expect((await patch(one, named(type))).one.attributes.aliases).toEqual(['Junior', 'The Kid', '大谷'])
    expect((await patch(one, { aliases: [] })).one.attributes.aliases).toEqual([])
  })

  test('/v1 neither shows nor takes them, and leaves them as they are', async () => {
    const { one } = await post(type, { ...named(type), aliases: ['Other'] })
    const old = (await app.operator.get(`/v1/${type}/${one.id}`)).one
    expect(Object.keys(old.attributes)).not.toContain('aliases')
    expect((await patch(one, { aliases: ['x'] }, 'v1')).faults).toEqual(['VALIDATION-FAILED /data/attributes/aliases'])
    expect((await app.operator.get(`/v1/${type}/${one.id}?fields[${type}]=aliases`)).status).toBe(400)
    expect((await patch(one, named(type), 'v1')).status).toBe(200)
    expect((await app.operator.get(`/v2/${type}/${one.id}`)).one.attributes.aliases).toEqual(['Other'])
  })
})

test('aliases are trimmed and each is kept once, in its first place', async () => {
  const { one } = await post('teams', { name: 'Bulls', aliases: [' Da Bulls ', 'CHI', 'Da Bulls', 'chi'] })
  expect(one.attributes.aliases).toEqual(['Da Bulls', 'CHI', 'chi'])
})

test('at most 50, each one line of 1 to 255 characters: each fault is at its own place', async () => {
  const refused = async (aliases: unknown) => (await post('teams', { name: 'Bulls', aliases })).faults
  const at = (place: string) => [`VALIDATION-FAILED /data/attributes/aliases${place}`]
  const many = (count: number) => Array.from({ length: count }, (_, index) => `Name ${index}`)
  expect((await post('teams', { name: 'Bulls', aliases: many(50) })).one.attributes.aliases).toEqual(many(50))
  expect(await refused(many(51))).toEqual(at(''))
  expect(await refused('Bulls')).toEqual(at(''))
  expect(await refused(null)).toEqual(at(''))
  for (const wrong of ['', '  ', 'a\nb', 'a\u2028b', 'x'.repeat(256), 'a\u0000', 1, null, ['a']])
    expect([wrong, await refused(['fine', wrong])]).toEqual([wrong, at('/1')])
  expect(await refused(['', 'fine', 7])).toEqual([...at('/0'), ...at('/2')])
})

test.each(aliased)('more than 50, of merges, can be dropped one by one: %s', async (type) => {
  const { one } = await post(type, { ...named(type), aliases: ['x'] })
  const many = Array.from({ length: 53 }, (_, index) => `Name ${index}`)
  const table = app.db.sql(type)
  await app.db.sql`update ${table} set aliases = ${many.join('\n')} where id = ${one.id}`
  expect((await patch(one, { aliases: many.slice(1) })).one.attributes.aliases).toEqual(many.slice(1))
  expect((await patch(one, { aliases: many })).faults).toEqual(['VALIDATION-FAILED /data/attributes/aliases'])
  expect((await patch(one, named(type))).one.attributes.aliases).toEqual(many.slice(1))
  expect((await patch(one, { aliases: many.slice(0, 50) })).one.attributes.aliases).toEqual(many.slice(0, 50))
  expect((await patch(one, { aliases: many.slice(0, 51) })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/aliases',
  ])
})

test('fifty aliases of the longest characters are kept, whatever folding makes of them', async () => {
  const long = ['ﷺ', '㎢', 'ß', '💩', '㍿', 'İ'].flatMap((letter) =>
    Array.from({ length: 8 }, (_, index) => `${letter.repeat(254)}${index}`),
  )
  for (const type of aliased) {
    const { status, one } = await post(type, { ...named(type), aliases: long })
    expect([type, status, one.attributes.aliases]).toEqual([type, 201, long])
  }
})

test('a player has a disambiguation and a day of birth, which a PATCH takes away again', async () => {
  const { one } = await post('players', {
    ...{ first_name: 'Frank', last_name: 'Thomas', disambiguation: 'first baseman', born_on: '1968-05-27' },
  })
  expect(one.attributes).toMatchObject({ disambiguation: 'first baseman', born_on: '1968-05-27', name: 'Frank Thomas' })
  const old = (await app.operator.get(`/v1/players/${one.id}`)).one
  expect(Object.keys(old.attributes)).toEqual([
    ...['name', 'first_name', 'last_name', 'position', 'created_at', 'updated_at', 'url'],
  ])
  const bare = await patch(one, { disambiguation: null, born_on: null })
  expect(bare.one.attributes).toMatchObject({ disambiguation: null, born_on: null })
  expect((await patch(one, { born_on: '1968-02-30', disambiguation: 'a\nb' })).faults).toEqual([
    'VALIDATION-FAILED /data/attributes/born_on',
    'VALIDATION-FAILED /data/attributes/disambiguation',
  ])
})

test('what is read of both versions at once is each what its version shows, and new after a change', async () => {
  const team = await make.team()
  const read = () =>
    Promise.all(['v1', 'v2', 'v2', 'v1'].map((api) => app.operator.get(`/${api}/teams/${team.id}`))).then((all) =>
      all.map(({ one }) => one.attributes.aliases),
    )
  expect(await read()).toEqual([undefined, [], [], undefined])
  await patch(team, { aliases: ['New'] })
  expect(await read()).toEqual([undefined, ['New'], ['New'], undefined])
  await patch(team, { aliases: ['Newer'] })
  expect(await read()).toEqual([undefined, ['Newer'], ['Newer'], undefined])
})

test('records that /v2 includes, finds, relates and operates on have them', async () => {
  const { one: brand } = await post('brands', { name: aName('Brand'), aliases: ['Upper'] })
  const player = await make.player({ last_name: 'Zzyzxowski' })
  await patch(player, { aliases: ['Zed'] })
  const set = await make.set({ brand, status: 'published' })
  const card = await make.card({ set, oncard: [player] })
  const aliasesIn = (some: Shown[], { id }: Shown) => some.find((one) => one.id === id)?.attributes.aliases
  const { included } = await app.reader.get(`/v2/cards/${card.id}?include=set.brand,oncard`)
  expect([aliasesIn(included, brand), aliasesIn(included, player)]).toEqual([['Upper'], ['Zed']])
  const old = await app.reader.get(`/v1/cards/${card.id}?include=oncard`)
  expect(aliasesIn(old.included, player)).toBeUndefined()
  const found = await app.reader.get('/v2/search?q=Zzyzxowski&filter[type]=players')
  expect(aliasesIn(found.many, player)).toEqual(['Zed'])
  expect((await app.reader.get(`/v2/sets/${set.id}/brand`)).one.attributes.aliases).toEqual(['Upper'])
  const headers = {
    'Content-Type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
    Accept: 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
  }
  const operations = [
    { op: 'add', data: { type: 'teams', lid: 'a', attributes: { name: 'New', aliases: ['a', 'b'] } } },
    { op: 'update', data: { type: 'teams', lid: 'a', attributes: { aliases: ['c'] } } },
  ]
  const answer = await app.operator.send('POST', '/v2/operations', {
    body: JSON.stringify({ 'atomic:operations': operations }),
    headers,
  })
  const results = JSON.parse(answer.text)['atomic:results'] as { data: Shown }[]
  expect(results.map(({ data }) => data.attributes.aliases)).toEqual([['a', 'b'], ['c']])
})

test('a change of aliases is a change of the record: its tag is another, and the feed has it', async () => {
  const set = await make.set()
  const { headers } = await app.operator.get(`/v2/sets/${set.id}`)
  const cursor = ((await app.operator.get('/v2/changes?page[after]=now')).meta.page as { cursor: string }).cursor
  const changed = await patch(set, { aliases: ['Other'] })
  expect(changed.headers.get('etag')).not.toBe(headers.get('etag'))
  const feed = await app.operator.get(
    `/v2/changes?page[after]=${encodeURIComponent(cursor)}&include=resource&filter[type]=sets`,
  )
  expect(feed.included.map(({ id, attributes }) => [id, attributes.aliases])).toEqual([[set.id, ['Other']]])
  const tag = String(headers.get('etag'))
  const late = await app.operator.patch(`/v2/sets/${set.id}`, aDocument('sets', { aliases: [] }, {}, set.id), {
    'If-Match': tag,
  })
  expect(late.status).toBe(412)
  expect((await app.operator.get(`/v2/sets/${set.id}`, { 'If-None-Match': tag })).status).toBe(200)
  const same = await patch(set, { aliases: ['Other', ' Other '] })
  expect(same.one.attributes.updated_at).toBe(changed.one.attributes.updated_at as string)
})

test('a document that was read is taken back whole, relationships included', async () => {
  const player = await make.player()
  await make.identifier(player)
  const read = await app.operator.get(`/v2/players/${player.id}?include=identifiers`)
  expect((await app.operator.patch(`/v2/players/${player.id}`, { data: read.one })).status).toBe(200)
  const parent = aDocument('sets', { name: aName('Set'), aliases: ['a'] }, { brand: toOne(await make.brand()) })
  expect((await app.operator.post('/v2/sets', parent)).status).toBe(201)
})

test('autocomplete offers who is called so by an alias, the whole one before beginnings', async () => {
  const set = (await post('sets', { name: aName('Set'), status: 'published' })).one
  const star = (await post('players', { last_name: 'Zyqarro', aliases: ['Dokemi Vubeki', 'Wadoru'] })).one
  const other = (await post('players', { last_name: 'Wadorusen' })).one
  for (const oncard of [[star], [other], [other]]) await make.card({ set, oncard })
  const complete = async (q: string) => {
    const { document } = await app.reader.get(`/v2/autocomplete?q=${encodeURIComponent(q)}`)
    return (document.data as unknown as Shown[]).map(({ id }) => id)
  }
  for (const q of ['dokemi vubeki', 'Dokemi Vub', 'dokemi', 'vubeki']) expect(await complete(q)).toEqual([star.id])
  expect(await complete('wadoru')).toEqual([star.id, other.id])
  expect(await complete('wado')).toEqual([other.id, star.id])
})
