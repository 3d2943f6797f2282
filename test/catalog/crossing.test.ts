import { expect, test } from 'bun:test'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { writeEntities } from '../../src/catalog/write/entity/write.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import type { Answer, Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { anOperator } from '../support/callers.ts'
import { countDeadlocks } from '../support/deadlocks.ts'
import { aDocument, aName, factories, toMany, toOne } from '../support/factories.ts'
import { operate } from '../support/storm-of-writers.ts'

const app = await testApp()
const make = factories(app)
const { operator, db } = app
/** Twelve callers, each with connections of their own. */
const operators = await Promise.all(Array.from({ length: 12 }, () => anOperator(app.context, app.fetch, app.baseUrl)))

/** What was done meant no deadlock to the server, and left the catalog true. The embedded database has one session. */
const withoutDeadlock = async (work: () => Promise<void>) => {
  const before = db.kind === 'postgres' ? await countDeadlocks(db) : 0
  await work()
  expect(db.kind === 'postgres' ? await countDeadlocks(db) : 0).toBe(before)
  expect([...(await db.sql`select what, place, stored, truth from drift limit 20`)]).toEqual([])
}

const update = ({ type, id }: Shown, attributes: object, relationships: object = {}) => ({
  op: 'update',
  data: { type, id, attributes, relationships },
})

/** Two seconds are the contract's, on a machine that does nothing else: what took longer before was deadlocks, which are counted. */
const patience = 30_000

/** Twelve requests at once, half of them with the operations in the one order and half in the other. */
const crossing = (operations: (n: number) => object[]) =>
  Promise.all(operators.map((each, n) => operate(each, n % 2 ? operations(n) : operations(n).toReversed())))

const statuses = (answers: Answer[]) => answers.map(({ status }) => status)
const all200 = Array(12).fill(200)

test('twelve crossing requests over two records end within two seconds', async () => {
  const [a, b] = [await make.team(), await make.team()]
  await withoutDeadlock(async () => {
    const started = performance.now()
    const answers = await crossing((n) => [update(a, { location: `A ${n}` }), update(b, { location: `B ${n}` })])
    expect(performance.now() - started).toBeLessThan(patience)
    expect(statuses(answers)).toEqual(all200)
  })
  const at = async ({ id }: Shown) => String((await operator.get(`/v2/teams/${id}`)).one.attributes.location).slice(2)
  expect(await at(a)).toBe(await at(b))
})

test('requests that cross each other over sets wait for one another once and never deadlock', async () => {
  const [a, b, brand, year] = [await make.set(), await make.set(), await make.brand(), await make.year()]
  await Promise.all([a, b].map(async (set) => make.card({ set, number: '7', oncard: [await make.player()] })))
  await withoutDeadlock(async () => {
    const answers = await crossing((n) => [
      update(a, { status: n % 3 ? 'published' : 'draft' }, { brand: toOne(n % 4 ? brand : null) }),
      update(b, { status: n % 4 ? 'published' : 'draft' }, { year: toOne(n % 3 ? year : null) }),
    ])
    expect(statuses(answers)).toEqual(all200)
  })
})

test('cards that crossing requests move between two sets wait for one another and never deadlock', async () => {
  const [a, b] = [await make.set(), await make.set({ status: 'published' })]
  const cards = [await make.card({ set: a }), await make.card({ set: b })]
  await withoutDeadlock(async () => {
    const answers = await crossing((n) =>
      cards.map((card, at) => update(card, { number: String(n) }, { set: toOne((n + at) % 3 ? a : b) })),
    )
    expect(statuses(answers)).toEqual(all200)
  })
})

test('crossing renames of players and teams with cards in common never deadlock', async () => {
  const [a, b, team] = [await make.player(), await make.player(), await make.team()]
  const pairs = [await make.playerTeam({ player: a, team }), await make.playerTeam({ player: b, team })]
  const set = await make.set()
  for (let n = 0; n < 6; n++) await make.card({ set, oncard: n % 2 ? [a, b] : pairs })
  await withoutDeadlock(async () => {
    const answers = await crossing(() => [
      update(a, { last_name: aName('A') }),
      update(team, { name: aName('Team') }),
      update(b, { last_name: aName('B') }),
    ])
    expect(statuses(answers)).toEqual(all200)
  })
})

test('crossing requests over relationships never deadlock', async () => {
  const [players, years] = [
    [await make.player(), await make.player()],
    [await make.year(), await make.year()],
  ]
  const cards = [await make.card({ oncard: players }), await make.card({ oncard: players })]
  const sets = [await make.set(), await make.set()]
  const members = (record: Shown, relationship: string) => ({ type: record.type, id: record.id, relationship })
  await withoutDeadlock(async () => {
    const answers = await crossing((n) => [
      ...cards.map((card) => ({
        op: n % 3 ? 'add' : 'remove',
        ref: members(card, 'oncard'),
        data: toMany([players[n % 2] as Shown]).data,
      })),
      ...sets.map((set) => ({ op: 'update', ref: members(set, 'year'), data: toOne(years[n % 2] as Shown).data })),
    ])
    expect(statuses(answers)).toEqual(all200)
  })
})

test('of crossing requests that make two names one holds, and none deadlocks', async () => {
  const names = [aName('Crossed'), aName('Crossed')]
  await withoutDeadlock(async () => {
    const answers = await crossing(() =>
      names.map((name) => ({ op: 'add', data: { type: 'brands', attributes: { name } } })),
    )
    expect(statuses(answers).toSorted()).toEqual([200, ...Array(11).fill(422)])
  })
})

test('crossing requests over what hangs on two records never deadlock', async () => {
  const [set, player] = [await make.set(), await make.player()]
  const card = await make.card({ set, oncard: [player] })
  const values = [await make.objectAttribute(card), await make.objectAttribute(player)]
  await withoutDeadlock(async () => {
    const answers = await crossing((n) => [
      ...values.map((value) => update(value, { attribute_value: `${n}` })),
      { op: 'add', data: { type: 'set_sources', attributes: { set_id: set.id, source_url: 'https://example.org' } } },
      update(player, { position: `${n}` }),
    ])
    expect(statuses(answers)).toEqual(all200)
  })
})

test('what several writes in one transaction touch and nobody foresaw is locked by beginning again', async () => {
  const teams = [await make.team(), await make.team(), await make.team(), await make.team()]
  const rename = (ids: string[]) =>
    enter(db, async (tx) => {
      for (const id of ids)
        await writeEntities(
          tx,
          'teams',
          [{ id, change: (before) => ({ columns: { ...before?.columns, name: aName('Team') }, deleted: false }) }],
          { level: 1, now: new Date() },
        )
    })
  const ids = teams.map(({ id }) => id)
  await withoutDeadlock(async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => rename(n % 2 ? ids : ids.toReversed())))
  })
})

/** A file of cards with ids of their own. */
const checklist = (lines: string[]) => ({
  name: 'beside.csv',
  stream: (async function* () {
    yield new TextEncoder().encode(['id,set,number,player', ...lines].join('\n'))
  })(),
})

test('sets that are erased while an import writes their cards never deadlock with it', async () => {
  const sets = [await make.set({ name: aName('Erased') }), await make.set({ name: aName('Erased') })]
  const rows = db.kind === 'postgres' ? 6000 : 600
  const lines = Array.from(
    { length: rows },
    (_, n) => `${crypto.randomUUID()},${sets[n % 2]?.attributes.name},${n},Player ${n % 20}`,
  )
  let left = sets
  await withoutDeadlock(async () => {
    await writeChecklist(db, readChecklist(checklist(lines), { map: { id: 'id' } }), {
      publish: false,
      now: () => new Date(),
      progress: async () => {
        const [set, ...others] = left
        left = others
        if (set) expect((await operator.delete(`/v1/sets/${set.id}?force=true`)).status).toBe(204)
      },
    })
  })
  expect(left).toEqual([])
})

test('batches beside operations beside renames beside an import never deadlock', async () => {
  const [a, b] = [await make.set({ name: aName('Beside') }), await make.set({ name: aName('Beside') })]
  const players = [await make.player(), await make.player()]
  const cards = [await make.card({ set: a, oncard: players }), await make.card({ set: b, oncard: players })]
  const nameOf = ({ attributes }: Shown) => String(attributes.name)
  const lines = Array.from(
    { length: 200 },
    (_, n) => `${crypto.randomUUID()},${nameOf(n % 2 ? a : b)},${n},${nameOf(players[n % 2] as Shown)}`,
  )
  const row = (card: Shown, set: Shown, n: number) => ({
    ...{ type: 'cards', id: card.id, attributes: { number: `${n}` } },
    relationships: { set: toOne(set), oncard: toMany(players) },
  })
  await withoutDeadlock(async () => {
    const imported = writeChecklist(db, readChecklist(checklist(lines), { map: { id: 'id' } }), {
      publish: false,
      now: () => new Date(),
    })
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => n).flatMap((n) => {
        const [here, there] = n % 2 ? [a, b] : [b, a]
        const rows = [row(cards[0] as Shown, here, n), row(cards[1] as Shown, there, n)]
        const player = players[n % 2] as Shown
        return [
          operator.post('/internal/card-batches', { data: n % 2 ? rows : rows.toReversed() }),
          operate(operator, [
            update(here, { description: `${n}` }),
            update(there, { description: `${n}` }),
            update(player, { position: `${n}` }),
          ]),
          operator.patch(`/v1/players/${player.id}`, aDocument('players', { last_name: aName('X') }, {}, player.id)),
        ]
      }),
    )
    expect(answers.filter(({ status }) => status !== 200).map(({ text }) => text)).toEqual([])
    const report = await imported
    expect([report.faults, report.cards.created]).toEqual([[], 200])
  })
})
