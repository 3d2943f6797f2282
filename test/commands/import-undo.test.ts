import { expect, test } from 'bun:test'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { ImportOver } from '../../src/catalog/import/write/session.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { beginRun, showAlive } from '../../src/operations/imports/runs.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { merging } from '../support/merges.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db
const imported = async (stdin: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, stdin)('import', '-', '--json', ...flags)).out)
const undone = async (id: string) => (await runningCommands(app.context)('import', '--undo', id, '--json')).json
const expectTrueCounts = async () =>
  expect([...(await sql`select what, place, stored, truth from catalog_drift`)]).toEqual([])

test('an undo takes identifiers back that the import gave to cards of others, and leaves those of others', async () => {
  await imported('set,number,player,id:tcdb\nGiven,1,Ann Lee,1\nGiven,2,Bo Lee,\n')
  const { id } = await imported('set,number,player,id:tcdb\nGiven,1,Ann Lee,1|11\nGiven,2,Bo Lee,2\n')
  const live = async () => {
    const rows = await sql<{ value: string }[]>`select value from identifiers where audience >= 1 order by value`
    return rows.map(({ value }) => value)
  }
  expect(await live()).toEqual(['1', '11', '2'])
  expect(await undone(id)).toMatchObject({ deleted: 2, putBack: 0, left: [] })
  expect(await live()).toEqual(['1'])
  await expectTrueCounts()
  expect((await imported('set,number,player,id:tcdb\nElse,1,Cy Lee,2\n')).notes).toEqual({})
})

test('an undo takes back what an export brought: records, what is attached to them, and where merged ids lead', async () => {
  const source = await testApp()
  const make = factories(source)
  const [first, second] = [await make.player(), await make.player()]
  const set = await make.set()
  const card = await make.card({ set, number: '1', oncard: [first] })
  await source.operator.post('/v2/identifiers', {
    data: {
      type: 'identifiers',
      attributes: { object_type: 'players', object_id: second.id, source: 'tcdb', value: 'P 9' },
    },
  })
  await merging(source).merge([first], second)
  const exported = (await runningCommands(source.context)('export')).out
  const report = await imported(exported)
  expect([report.faults, report.cards.created]).toEqual([[], 1])
  expect((await app.operator.get(`/v2/players/${first.id}`)).status).toBe(301)
  expect(await undone(report.id)).toMatchObject({ left: [] })
  for (const path of [`players/${first.id}`, `players/${second.id}`, `cards/${card.id}`, `sets/${set.id}`])
    expect([path, (await app.operator.get(`/v2/${path}`)).status]).toEqual([path, 404])
  expect([...(await sql`select id from redirects`)]).toEqual([])
  expect([...(await sql`select value from identifiers where value = 'P 9' and audience >= 1`)]).toEqual([])
  await expectTrueCounts()
})

test('an import that is undone while it runs stops, and nothing of it stays', async () => {
  const id = Bun.randomUUIDv7()
  const now = () => app.clock.now()
  await beginRun(app.db, { id, name: 'long.csv', agent: null }, now())
  const stopSigns = await showAlive(app.db, id, app.clock)
  const rows = app.db.kind === 'postgres' ? 9000 : 900
  const table = ['set,number,player', ...Array.from({ length: rows }, (_, row) => `Long,${row},Player ${row % 50}`)]
  const stream = (async function* () {
    yield new TextEncoder().encode(table.join('\n'))
  })()
  let report: Record<string, unknown> | undefined
  const running = writeChecklist(app.db, readChecklist({ name: 'long.csv', stream }), {
    ...{ id, publish: false, now },
    progress: async ({ cards }) => {
      if (report || cards.created === 0) return
      const listed = async (clock: Clock) =>
        (await runningCommands({ ...app.context, clock })('import', '--list', '--json')).json.imports
      const one = { id, file: 'long.csv' }
      expect(await listed(app.clock)).toContainEqual(
        expect.objectContaining({ ...one, status: 'running', error: null }),
      )
      // A minute later without a sign of life.
      const error = 'The command was interrupted.'
      expect(await listed(systemClock(60))).toContainEqual(expect.objectContaining({ ...one, status: 'failed', error }))
      report = await undone(id)
    },
  })
  const error = await running.then(
    () => undefined,
    (thrown) => thrown,
  )
  stopSigns()
  expect(error).toBeInstanceOf(ImportOver)
  expect(report).toMatchObject({ left: [] })
  expect(Number(report?.deleted)).toBeGreaterThan(100)
  const [left] = await sql`
    select (select count(*)::int from cards c join sets s on s.id = c.set_id where s.name = 'Long' and c.deleted_at is null) as cards,
      (select count(*)::int from sets where name = 'Long' and deleted_at is null) as sets`
  expect(left).toEqual({ cards: 0, sets: 0 })
  await expectTrueCounts()
})

test('imports are undone one after the other, the last one first', async () => {
  const set = (...rows: string[]) => `set,number,player,title,notes\n${rows.map((row) => `In turn,${row}\n`).join('')}`
  const first = await imported(set('1,Ann Lee,,', '2,Bo Lee,,'))
  const second = await imported(set('1,Ann Lee,Second,', '2,Bo Lee,,', '3,Cy Lee,,'))
  const third = await imported(set('1,Ann Lee,Third,a note', '2,Bo Lee,Third,'), '--prune')
  expect(third).toMatchObject({ cards: { updated: 2 }, pruned: 1 })
  const cards = async () => {
    const rows = await sql<{ name: string }[]>`
      select c.name from cards c join sets s on s.id = c.set_id
      where s.name = 'In turn' and c.deleted_at is null order by c.number_key collate "C"`
    return rows.map(({ name }) => name)
  }
  expect(await cards()).toEqual(['1 Ann Lee Third', '2 Bo Lee Third'])
  expect(await undone(third.id)).toMatchObject({ putBack: 3, left: [] })
  expect(await cards()).toEqual(['1 Ann Lee Second', '2 Bo Lee', '3 Cy Lee'])
  expect(await undone(second.id)).toMatchObject({ putBack: 1, left: [] })
  expect(await cards()).toEqual(['1 Ann Lee', '2 Bo Lee'])
  expect(await undone(first.id)).toMatchObject({ left: [] })
  expect(await cards()).toEqual([])
  expect([...(await sql`select from sets where name = 'In turn' and deleted_at is null`)]).toEqual([])
  await expectTrueCounts()
})

test('an import is not undone past a later one that stays', async () => {
  const row = (title: string) => imported(`set,number,player,title\nStaying,1,Dy Lee,${title}\n`)
  const [first, second] = [await row('First'), await row('Second')]
  await row('Third')
  expect(await undone(second.id)).toMatchObject({ putBack: 0, left: [{ reason: 'Changed since: title.' }] })
  expect((await undone(first.id)).left).toContainEqual(
    expect.objectContaining({ reason: 'Somebody has changed it since.' }),
  )
})
