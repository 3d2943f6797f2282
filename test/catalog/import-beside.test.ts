import { expect, test } from 'bun:test'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import type { ImportReport } from '../../src/catalog/import/write/report.ts'
import { testApp } from '../support/app.ts'
import { aDocument } from '../support/factories.ts'

const app = await testApp()

/** Some chunks of rows with ids of their own: each database takes some hundred in one. */
const rows = app.db.kind === 'postgres' ? 2250 : 900
const cardsInOne = 500
const ids = Array.from({ length: rows }, () => crypto.randomUUID())
const players = 40

/** Rows whose sets, players and teams have names of their own. */
const source = (of: string, cards = ids) => {
  const line = (id: string, row: number) =>
    `${id},Baseball,1991,Topps,Topps,${of} Set ${row % 3},${row},${of} Player ${row % players},${of} Team ${row % 5},RC`
  const checklist = ['id,genre,year,manufacturer,brand,set,number,player,team,attributes', ...cards.map(line)]
  return {
    name: 'ids.csv',
    stream: (async function* () {
      yield new TextEncoder().encode(checklist.join('\n'))
    })(),
  }
}

test('an import stays sound while others rename its players and hide its sets', async () => {
  const { db, operator } = app
  let told = 0
  const meddle = async () => {
    const [player] = await db.sql`select id from players where name like ${`%Player ${told % players}`} limit 1`
    const [set] = await db.sql`select id from sets where name = ${`Renamed Set ${told % 3}`}`
    const name = { first_name: 'Other', last_name: `Player ${told}` }
    const patches = [
      operator.patch(`/v1/players/${player?.id}`, aDocument('players', name, {}, player?.id)),
      operator.patch(
        `/v1/sets/${set?.id}`,
        aDocument('sets', { status: told % 2 ? 'draft' : 'published' }, {}, set?.id),
      ),
    ]
    told++
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual([200, 200])
  }
  const report = await writeChecklist(db, readChecklist(source('Renamed'), { map: { id: 'id' } }), {
    ...{ cardsInOne, publish: true },
    now: () => new Date(),
    progress: meddle,
  })
  expect(told).toBeGreaterThan(3)
  expect(report.faults).toEqual([])
  expect(report.cards).toEqual({ created: rows, updated: 0, unchanged: 0, failed: 0 })
  expect([...(await db.sql`select what, place from drift`)]).toEqual([])
  const [truth] = await db.sql`
    select count(*)::int as cards, count(distinct c.id)::int as different,
      count(*) filter (where position(p.name in c.name) = 0)::int as misnamed
    from cards c join oncard o on o.card_id = c.id join players p on p.id = o.player_id`
  expect(truth).toEqual({ cards: rows, different: rows, misnamed: 0 })
})

test('an import stays sound while others merge its players and teams', async () => {
  const { db, operator } = app
  const fresh = ids.map(() => crypto.randomUUID())
  let merged = 0
  const meddle = async () => {
    for (const type of ['players', 'teams'] as const) {
      const [into, from] = await db.sql<{ id: string }[]>`
        select id from ${db.sql(type)} where name like 'Merged %' and deleted_at is null order by id desc limit 2`
      if (!into || !from) continue
      const asked = { object_type: type, from_ids: [from.id], into_id: into.id }
      expect((await operator.post('/internal/merges', asked)).faults).toEqual([])
      merged++
    }
  }
  const report = await writeChecklist(db, readChecklist(source('Merged', fresh), { map: { id: 'id' } }), {
    ...{ cardsInOne, publish: true },
    now: () => new Date(),
    progress: meddle,
  })
  expect(merged).toBeGreaterThan(3)
  expect(report.faults).toEqual([])
  expect(report.cards).toEqual({ created: rows, updated: 0, unchanged: 0, failed: 0 })
  expect([...(await db.sql`select what, place from drift`)]).toEqual([])
  const [truth] = await db.sql`
    select count(distinct o.card_id)::int as cards, count(*) filter (where p.deleted_at is not null)::int as dead,
      count(distinct lower(p.name)) filter (where p.deleted_at is null)::int - count(distinct p.id)::int as again
    from oncard o join players p on p.id = o.player_id where o.card_id = any(${fresh}::uuid[])`
  expect(truth).toEqual({ cards: rows, dead: 0, again: 0 })
})

test('a card that is there already is found among thousands that are new', async () => {
  const { db } = app
  const found = ids.map(() => crypto.randomUUID())
  const write = (cards: typeof ids) =>
    writeChecklist(db, readChecklist(source('Found', cards), { map: { id: 'id' } }), {
      ...{ cardsInOne, publish: true },
      now: () => new Date(),
    })
  await write(found.slice(-7, -6))
  const report = await write(found)
  expect(report.faults).toEqual([])
  expect(report.cards).toEqual({ created: rows - 1, updated: 1, unchanged: 0, failed: 0 })
  expect([...(await db.sql`select what, place from drift`)]).toEqual([])
})

test('whole chunks that were read before the reader failed are written by the time it says so', async () => {
  const { db } = app
  const items = async function* () {
    yield* readChecklist(
      source(
        'Broken',
        ids.map(() => crypto.randomUUID()),
      ),
      { map: { id: 'id' } },
    )
    throw new Error('broken off')
  }
  let written = 0
  const progress = ({ cards }: ImportReport) => {
    written = cards.created
  }
  const importing = writeChecklist(db, items(), { cardsInOne, publish: true, now: () => new Date(), progress })
  expect(await importing.catch(({ message }: Error) => message)).toBe('broken off')
  if (db.kind === 'postgres') expect(written).toBe(2000)
  const [stored] = await db.sql`
    select count(*)::int as cards from cards c join sets s on s.id = c.set_id where s.name like 'Broken %'`
  expect(stored?.cards).toBe(written)
})

test('imports of one new checklist at once make its sets, people and cards once', async () => {
  const { db } = app
  const text = `set,number,player,team\n${Array.from({ length: 60 }, (_, row) => `Twin Set,${row},Twin Player ${row % 9},Twin Team`).join('\n')}\n`
  const write = () => {
    const stream = (async function* () {
      yield new TextEncoder().encode(text)
    })()
    return writeChecklist(db, readChecklist({ name: 'twins.csv', stream }), {
      ...{ publish: true, now: () => new Date(), progress: async () => {} },
    })
  }
  const reports = await Promise.all([write(), write(), write()])
  expect(reports.flatMap(({ faults }) => faults)).toEqual([])
  const [made] = await db.sql`
    select (select count(*)::int from sets where name = 'Twin Set') as sets,
      (select count(*)::int from players where name like 'Twin Player %') as players,
      (select count(*)::int from teams where name = 'Twin Team') as teams,
      (select count(*)::int from cards c join sets s on s.id = c.set_id where s.name = 'Twin Set' and c.deleted_at is null) as cards`
  expect(made).toEqual({ sets: 1, players: 9, teams: 1, cards: 60 })
})
