import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Columns that exports have, in files of others. */
const app = await testApp()
const make = factories(app)
const { sql } = app.db

const imported = async (content: string, ...flags: string[]) => {
  const { exit, out, err } = await runningCommands(app.context, content)('import', '-', '--json', ...flags)
  return exit === 2 ? { err, unread: [] } : { ...JSON.parse(out), unread: unreadOf(JSON.parse(out)) }
}
const unreadOf = ({ notes }: { notes: Record<string, { examples: { text: string }[] }> }) =>
  notes['unread-column']?.examples.map(({ text }) => text) ?? []

const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', s.kind, s.status, s.release_date::text, c.name, case when c.deleted_at is not null then 'deleted' end)
      as line
    from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key collate "C"`
  return rows.map(({ line }) => line)
}

test.each([
  ['ID,Set,Card #,Player', '1,Own 1,1,Ann Lee', ['ID']],
  ['Set Name,Card Number,Name,Type,Rarity', 'Own 2,1,Ariel,Character,Common', ['Type']],
  ['Set,Card #,Player,Deleted', 'Own 3,1,Ann Lee,yes', ['Deleted']],
  [
    'ID,Type,Set_ID,Set,Number,Player,Status,Kind',
    '7,Card,44,Own 4,1,Ann Lee,owned,foil',
    ['ID', 'Type', 'Set_ID', 'Status', 'Kind'],
  ],
  [
    'id,set,number,player,release_date',
    'e0b7e9a5-7f64-4b5c-9d7b-2f1f3f6b7a11,Own 5,1,Ann Lee,soon',
    ['id', 'release_date'],
  ],
  ['ID;Set;Parent ID;Card #;Player', '9;Own 6;8;1;Ann Lee', ['ID', 'Parent ID']],
])('in %s, columns of records are unread and named', async (header, row, unread) => {
  const set = /Own \d/.exec(row)?.[0] ?? ''
  const report = await imported(`${header}\n${row}\n`)
  expect(report).toMatchObject({ cards: { created: 1 }, faultCount: 0, unread })
  expect(await cardsOf(set)).toEqual([expect.stringMatching(/^base draft 1 A\w+/)])
})

test('in JSON, too, unless a type is that of a resource', async () => {
  const rows = [
    { Set: 'Own J', Number: '001', Name: 'Director K', Type: 'Leader', Rarity: 'Special', id: 17, status: 'new' },
    { Set: 'Own J', Number: '002', Name: 'Guard', Type: 'Unit', Rarity: 'Common', id: 18, status: 'old' },
  ]
  const report = await imported(JSON.stringify({ total_cards: 2, data: rows }))
  expect(report).toMatchObject({ cards: { created: 2 }, faultCount: 0, unread: ['Type', 'id', 'status'] })
  const titles = await sql<
    { title: string }[]
  >`select title from cards where title in ('Director K', 'Guard') order by 1`
  expect(titles.map(({ title }) => title)).toEqual(['Director K', 'Guard'])
  const id = crypto.randomUUID()
  await imported(`{"type":"cards","id":"${id}","set":"Own K","number":"1","player":["Ann Lee"],"deleted":true}`)
  expect(await cardsOf('Own K')).toEqual(['base draft 1 Ann Lee deleted'])
})

test("with ids of cards and sets they are an export's, and are read", async () => {
  const set = await make.set({ name: 'Own L' })
  const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
  const header = 'id,set_id,set,kind,release_date,number,player,deleted'
  const rows = `${one},${set.id},Own L,insert,1999-01-02,1,Ann Lee,\n${two},${set.id},Own L,insert,1999-01-02,2,Bo Lee,true\n`
  expect(await imported(`${header}\n${rows}`)).toMatchObject({ faultCount: 0, unread: [] })
  expect(await sql`select id from cards where id in (${one}, ${two})`).toHaveLength(2)
})

test('the caller may say what they mean, and leave any column out', async () => {
  const id = crypto.randomUUID()
  const file = `Card ID,Set,Card #,Player,State,Team\n${id},Own M,1,Ann Lee,published,Mets\n`
  const report = await imported(file, '--map', 'Card ID=id', '--map', 'State=status', '--map', 'Team=')
  expect(report).toMatchObject({ cards: { created: 1 }, teams: 0, unread: ['Team'] })
  expect(await sql`select id from cards where id = ${id}`).toHaveLength(1)
  expect(await cardsOf('Own M')).toEqual(['base published 1 Ann Lee'])
  const left = await imported('Set,Number,Player\nOwn N,1,Ann Lee\n', '--map', 'Number=')
  expect(left.faults[0].reason).toContain('no column for the number')
  expect((await imported(file, '--map', 'Team=', '--map', 'team=team')).err).toContain('another column than before')
})
