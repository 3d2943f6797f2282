import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../support/factories.ts'

const app = await testApp()
const make = factories(app)

let seed = 1
/** Characters of four bytes each in which no compressor finds a pattern. */
const longest = (characters: number) =>
  Array.from({ length: characters }, () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    return String.fromCodePoint(0x20000 + ((seed >> 8) % 42_000))
  }).join('')

type Field = [path: string, type: string, field: string, limit: number, rest: () => Promise<object> | object]

const set = await make.set()
const named = () => ({ name: longest(20) })
const code = () => ({ attribute: longest(20), name: 'A' })
const value = async () => ({ attribute_id: (await make.attribute()).id, object_type: 'set', object_id: set.id })
const source = () => ({ set_id: set.id, source_url: 'https://example.org/' })

const fields: Field[] = [
  ...['brands', 'manufacturers', 'genres'].flatMap((path): Field[] => [
    [path, path, 'name', 255, () => ({})],
    [path, path, 'description', 10_000, named],
  ]),
  ['years', 'years', 'name', 255, () => ({})],
  ['attributes', 'attributes', 'attribute', 255, () => ({ name: 'A' })],
  ['attributes', 'attributes', 'name', 255, () => ({ attribute: longest(20) })],
  ['attributes', 'attributes', 'description', 10_000, code],
  ['teams', 'teams', 'name', 255, () => ({})],
  ['teams', 'teams', 'location', 255, named],
  ['teams', 'teams', 'abbreviation', 255, named],
  ['players', 'players', 'first_name', 255, () => ({ last_name: longest(240) })],
  ['players', 'players', 'last_name', 255, () => ({ first_name: longest(240) })],
  ['players', 'players', 'position', 255, () => ({ last_name: 'A' })],
  ['players', 'players', 'full_name', 500, () => ({})],
  ['sets', 'sets', 'name', 255, () => ({})],
  ['sets', 'sets', 'description', 10_000, named],
  ['object-attributes', 'object-attributes', 'attribute_value', 255, value],
  ['set-sources', 'set_sources', 'title', 500, source],
  ['set-sources', 'set_sources', 'notes', 10_000, source],
]

test.each(fields)(
  '%s: %s.%s holds %d characters of any kind, and not one more',
  async (path, type, field, limit, rest) => {
    const text = field === 'full_name' ? `${longest(244)} ${longest(255)}` : longest(limit)
    const made = await app.operator.post(`/v1/${path}`, aDocument(type, { ...(await rest()), [field]: text }))
    expect([made.status, made.faults]).toEqual([201, []])
    if (field !== 'full_name') expect(made.one.attributes[field]).toBe(text)
    const more = await app.operator.post(`/v1/${path}`, aDocument(type, { ...(await rest()), [field]: `${text}a` }))
    expect(more.faults).toEqual([`VALIDATION-FAILED /data/attributes/${field}`])
  },
)

test.each([
  ['number', 255],
  ['serial_number', 255],
  ['title', 500],
  ['notes', 10_000],
])('a card’s %s holds %d characters of any kind, and not one more', async (field, limit) => {
  const text = longest(limit)
  expect((await make.card({ set, [field]: text })).attributes[field]).toBe(text)
  const more = await app.operator.post('/v1/cards', aDocument('cards', { [field]: `${text}a` }, { set: toOne(set) }))
  expect(more.faults).toEqual([`VALIDATION-FAILED /data/attributes/${field}`])
})

test('the longest names and codes stand together on a card, are found by, and are renamed', async () => {
  const player = await make.player({ first_name: longest(255), last_name: longest(244) })
  const team = await make.team({ name: longest(255) })
  const attribute = await make.attribute({ attribute: longest(255) })
  const pair = await make.playerTeam({ player, team })
  const card = await make.card({
    ...{ set, number: longest(255), title: longest(500), serial_number: longest(255) },
    ...{ oncard: [pair, team], attributes: [attribute] },
  })
  const found = await app.operator.get(`/v1/cards?filter[name]=${encodeURIComponent(card.attributes.name as string)}`)
  expect(found.many.map(({ id }) => id)).toEqual([card.id])
  const document = aDocument('players', { first_name: longest(255) }, {}, player.id)
  expect((await app.operator.patch(`/v1/players/${player.id}`, document)).status).toBe(200)
  const year = await make.year({ name: longest(255) })
  expect((await make.set({ name: longest(255), year })).attributes.name).toHaveLength(510)
})

test('a card has at most 100 entries', async () => {
  const names = { first_name: longest(255), last_name: longest(244) }
  const players = await Promise.all(Array.from({ length: 101 }, () => make.player(names)))
  const full = await make.card({ set, oncard: players.slice(1) })
  expect(full.relationships.oncard?.data).toHaveLength(100)
  const document = aDocument('cards', {}, { set: toOne(set), oncard: toMany(players) })
  expect((await app.operator.post('/v1/cards', document)).faults).toEqual([
    'VALIDATION-FAILED /data/relationships/oncard/data',
  ])
})

test('blank names are refused, blank descriptions are not', async () => {
  for (const blank of ['', ' ', '\t\n', '\u00a0', '\u3000'])
    for (const [path, type, field] of [
      ['brands', 'brands', 'name'],
      ['teams', 'teams', 'name'],
      ['sets', 'sets', 'name'],
    ] as const)
      expect([blank, (await app.operator.post(`/v1/${path}`, aDocument(type, { [field]: blank }))).faults]).toEqual([
        blank,
        ['VALIDATION-FAILED /data/attributes/name'],
      ])
  expect((await make.brand({ description: '' })).attributes.description).toBe('')
})
