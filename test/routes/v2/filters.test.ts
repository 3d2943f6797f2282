import { expect, test } from 'bun:test'
import { criteriaOf } from '../../../src/catalog/model/criteria.ts'
import { resourcesInV2 } from '../../../src/catalog/model/v2.ts'
import { operatorsOf } from '../../../src/jsonapi/list-filters.ts'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { aDocument, factories } from '../../support/factories.ts'
import { aWorld } from '../../support/worlds.ts'

const app = await testApp()
const make = factories(app)
const worlds = [await aWorld(app, 'published'), await aWorld(app, 'published'), await aWorld(app, 'draft')]
const [first, second] = worlds as [(typeof worlds)[number], (typeof worlds)[number]]
const parallel = await make.set({
  status: 'published',
  parent: first.sets,
  kind: 'parallel',
  release_date: '1986-10-01',
})
const child = await make.card({
  ...{ set: parallel, number: 'RC-1', serial_number: '7/25', title: 'A, b%_', oncard: [first.players, second.teams] },
  attributes: [first.attributes],
})
await app.db.sql`update cards set parent_id = ${first.cards.id} where id = ${child.id}`
await make.card({ set: parallel, serial_number: '/100', oncard: [second.playerteams, first.teams] })
await make.player({ first_name: 'Élodie', last_name: 'O’Neil, Jr.' })

type Value = string | number | null
const idOf = (record: Shown, name: string) => [record.relationships[name]?.data ?? []].flat().map(({ id }) => id)
const sets = new Map((await app.operator.get('/v2/sets?page[size]=100')).many.map((set) => [set.id, set]))
const pairs = new Map((await app.operator.get('/v2/player-teams?page[size]=100')).many.map((pair) => [pair.id, pair]))
const codes = new Map((await app.operator.get('/v2/attributes?page[size]=100')).many.map((one) => [one.id, one]))

/** What a record has of what a filter asks for, from what the service shows. */
const valuesOf = (record: Shown, name: string): Value[] => {
  const { type, id, attributes, relationships = {} } = record
  if (name === 'id') return [id]
  if (type === 'cards') {
    const entries = [relationships.oncard?.data ?? []].flat()
    const ofPairs = entries.flatMap((entry) => pairs.get(entry.id) ?? [])
    if (name === 'player' || name === 'team')
      return [
        ...entries.filter((entry) => entry.type === `${name}s`).map((entry) => entry.id),
        ...ofPairs.flatMap((pair) => idOf(pair, name)),
      ]
    if (name === 'attribute')
      return idOf(record, 'card_attributes').map((one) => codes.get(one)?.attributes.attribute as string)
    if (name === 'serial_limit')
      return [/\/ ?(\d{1,9})$/.exec(String(attributes.serial_number ?? ''))?.[1] ?? []].flat().map(Number)
    if (['genre', 'year', 'brand', 'manufacturer'].includes(name))
      return idOf(record, 'set').flatMap((set) => idOf(sets.get(set) as Shown, name))
  }
  if (name in relationships) return idOf(record, name)
  return attributes[name] === null ? [] : [attributes[name] as Value]
}

const has = (values: Value[], operator: string, asked: string): boolean => {
  const is = (one: Value) => String(one) === asked
  const lower = (one: Value) => String(one).toLowerCase()
  const compare = (one: Value) =>
    typeof one === 'number' ? one - Number(asked) : String(one) < asked ? -1 : is(one) ? 0 : 1
  const matches: Record<string, (one: Value) => boolean> = {
    eq: is,
    like: (one) => lower(one).includes(asked.toLowerCase()),
    prefix: (one) => lower(one).startsWith(asked.toLowerCase()),
    gt: (one) => compare(one) > 0,
    gte: (one) => compare(one) >= 0,
    lt: (one) => compare(one) < 0,
    lte: (one) => compare(one) <= 0,
  }
  if (operator === 'ne') return !values.some(is)
  if (operator === 'null') return (values.length === 0) === (asked === 'true')
  return values.some(matches[operator] as (one: Value) => boolean)
}

const askedFor = (operator: string, value: Value) => {
  if (operator === 'null') return ['true', 'false']
  if (operator === 'like') return [String(value).slice(1, 5).toUpperCase(), String(value).slice(1, 3), '%']
  if (operator === 'prefix') return [String(value).slice(0, 4).toUpperCase(), '_']
  return [String(value)]
}

for (const resource of resourcesInV2)
  for (const [name, criterion] of Object.entries(criteriaOf(resource)))
    test(`${resource.path}: filter[${name}] finds exactly what has it, with every operator and in every direction`, async () => {
      const list = async (query: string) => await app.operator.get(`/v2/${resource.path}?page[size]=100&${query}`)
      const all = (await list('')).many
      const samples = [...new Set(all.flatMap((record) => valuesOf(record, name)))].slice(0, 4)
      for (const operator of operatorsOf(criterion.kind, criterion.nullable))
        for (const sample of samples.length > 0 ? samples : ['RC'])
          for (const asked of askedFor(operator, sample)) {
            if (samples.length === 0 && operator !== 'null') continue
            const filter = `filter[${name}]${operator === 'eq' ? '' : `[${operator}]`}=${encodeURIComponent(operator === 'like' || operator === 'prefix' ? asked : asked.replaceAll(',', '\\,'))}`
            const wanted = idsOf(all.filter((record) => has(valuesOf(record, name), operator, asked)))
            for (const sort of ['', '&sort=-updated_at']) {
              const answer = await list(`${filter}${sort}`)
              const got = idsOf(answer.status === 200 ? answer.many : [])
              expect([filter, sort, answer.status, sort ? got.toSorted() : got]).toEqual([
                filter,
                sort,
                200,
                sort ? wanted.toSorted() : wanted,
              ])
              expect([filter, answer.meta]).toEqual([filter, { page: { total: wanted.length } }])
            }
          }
      const several = samples.map((one) => encodeURIComponent(String(one).replaceAll(',', '\\,'))).join(',')
      if (samples.length > 1)
        for (const operator of ['', '[ne]']) {
          const answer = await list(`filter[${name}]${operator}=${several}`)
          const wanted = all.filter(
            (record) => samples.some((one) => has(valuesOf(record, name), 'eq', String(one))) === (operator === ''),
          )
          expect([several, idsOf(answer.many), answer.meta]).toEqual([
            several,
            idsOf(wanted),
            { page: { total: wanted.length } },
          ])
        }
    })

test('filters are and-ed, also those of a set, a player and a team together', async () => {
  const found = async (query: string) => idsOf((await app.operator.get(`/v2/cards?${query}`)).many)
  const [set, player, team] = [
    `filter[set]=${parallel.id}`,
    `filter[player]=${first.players.id}`,
    `filter[team]=${second.teams.id}`,
  ]
  expect(await found(`${set}&${player}&${team}`)).toEqual([child.id])
  expect(await found(`${set}&${player}&sort=-name`)).toEqual([child.id])
  expect(await found(`${player}&filter[number]=RC-1`)).toEqual([child.id])
  expect(await found(`${player}&filter[number]=1`)).toEqual([first.cards.id])
  expect(await found(`${player}&filter[genre]=${first.genres.id}`)).toEqual([first.cards.id])
  expect(await found(`filter[brand]=${first.brands.id}&filter[serial_limit][lte]=25`)).toEqual([])
  expect(await found(`filter[created_at][gte]=2000-01-01&filter[created_at][lt]=2001-01-01`)).toEqual([])
  expect(await found(`${set}&filter[serial_limit][gt]=7&filter[serial_limit][lt]=26`)).toEqual([child.id])
})

test('a published reader finds nothing of a draft by any filter', async () => {
  const draft = worlds[2] as (typeof worlds)[number]
  for (const filter of [
    `set]=${draft.sets.id}`,
    `player]=${draft.players.id}`,
    `team]=${draft.teams.id}`,
    `genre]=${draft.genres.id}`,
    `attribute]=${draft.attributes.attributes.attribute}`,
    `id]=${draft.cards.id}`,
    `name]=${encodeURIComponent(String(draft.cards.attributes.name))}`,
  ])
    for (const sort of ['checklist', '-name']) {
      const answer = await app.reader.get(`/v2/cards?filter[${filter}&sort=${sort}`)
      expect([filter, answer.status, answer.many, answer.meta]).toEqual([filter, 200, [], { page: { total: 0 } }])
    }
  expect((await app.reader.get('/v2/sets?filter[status]=draft')).meta).toEqual({ page: { total: 0 } })
})

test('a value that a filter cannot have is a 400 of its own, and so is an operator that it does not take', async () => {
  const faults = async (path: string, query: string) => (await app.reader.get(`/v2/${path}?${query}`)).faults
  for (const [path, query] of [
    ['cards', 'filter[set]=x'],
    ['cards', `filter[set]=${first.sets.id},`],
    ['cards', 'filter[serial_limit]=-1'],
    ['cards', 'filter[serial_limit][gt]=99999999999'],
    ['cards', 'filter[number][null]=yes'],
    ['cards', 'filter[created_at][gt]=yesterday'],
    ['cards', 'filter[created_at][gt]=2026-02-30'],
    ['cards', 'filter[created_at][gt]=0000-01-01T00:00:00Z'],
    ['sets', 'filter[status]=gone'],
    ['sets', 'filter[release_date]=2026-13-01'],
    ['cards', `filter[id]=${Array(101).fill(first.cards.id).join(',')}`],
    ['cards', 'filter[player][like]=x'],
    ['cards', 'filter[attribute][prefix]=x'],
    ['cards', 'filter[set][null]=true'],
    ['cards', 'filter[name][eq]=x'],
    ['cards', 'filter[name][]=x'],
    ['cards', 'filter[nothing]=x'],
    ['cards', 'filter[__proto__]=x'],
    ['cards', 'filter[constructor][ne]=x'],
    ['players', 'filter[name]=%00'],
    ['players', 'filter[name][like]=%ff'],
  ] as const)
    expect([query, await faults(path, query)]).toEqual([query, [`INVALID_PARAMETER ${query.split('=')[0]}`]])
  for (const name of ['filter[name][like]', 'filter[name][prefix]', 'filter[created_at][gt]', 'filter[number][null]'])
    expect([name, await faults('cards', `${name}=x&${name}=y`)]).toEqual([name, [`INVALID_PARAMETER ${name}`]])
  expect(await faults('cards', 'filter[name][like]=%27%3B--&filter[name][prefix]=%5C')).toEqual([])
})

test('totals of cards with a number or a serial limit, and of sets of a kind, follow whatever is written', async () => {
  const totals = async (caller = app.operator) => {
    const asked = ['number]=057a', 'number]=57b', 'number][null]=true', 'serial_limit]=0333,333', 'serial_limit]=444']
    const answers = await Promise.all(asked.map((filter) => caller.get(`/v2/cards?filter[${filter}`)))
    const kind = await caller.get('/v2/sets?filter[kind]=variation,insert')
    return [...answers, kind].map(({ meta, many }) =>
      (meta as { page: { total?: number } }).page.total === many.length ? many.length : 'untrue',
    )
  }
  const [none, hidden] = [await totals(), await totals(app.reader)].map((all) => Number(all[2])) as [number, number]
  const set = await make.set({ status: 'draft', kind: 'variation' })
  const card = await make.card({ set, number: '057a', serial_number: '1/ 00333' })
  const other = await make.card({ set, number: null, serial_number: '2/1333333333' })
  expect([await totals(), await totals(app.reader)]).toEqual([
    [1, 0, none + 1, 1, 0, 1],
    [0, 0, hidden, 0, 0, 0],
  ])
  await app.operator.patch(`/v1/sets/${set.id}`, aDocument('sets', { status: 'published', kind: 'insert' }, {}, set.id))
  expect(await totals(app.reader)).toEqual([1, 0, hidden + 1, 1, 0, 1])
  await app.operator.patch(
    `/v1/cards/${card.id}`,
    aDocument('cards', { number: '57b', serial_number: '/444' }, {}, card.id),
  )
  expect(await totals(app.reader)).toEqual([0, 1, hidden + 1, 0, 1, 1])
  await app.operator.delete(`/v1/cards/${other.id}`)
  expect(await totals()).toEqual([0, 1, none, 0, 1, 1])
  await app.operator.delete(`/v1/sets/${set.id}?force=true`)
  expect(await totals()).toEqual([0, 0, none, 0, 0, 0])
})
