import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db
const imported = async (text: string) =>
  JSON.parse((await runningCommands(app.context, text)('import', '-', '--json')).out)
const numbersIn = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number, c.serial_number) as line
    from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key collate "C"`
  return rows.map(({ line }) => line)
}

const values = [
  { number: 7, print_run: 25 },
  { number: '8.0', print_run: '25.0' },
  { number: '009', print_run: '1 of 1' },
  { number: 'RC-2', print_run: null },
  { number: 'Jan-12' },
  { number: '2024-01-12T00:00:00' },
  { number: 45303 },
  { number: '1.00E+05' },
  { number: '#REF!' },
  { number: 10, print_run: 'Gold' },
  { number: 11, year: '1/12/2024' },
  { number: 12, year: '2011-12-01T00:00:00.000Z' },
]
const reasons = [
  'number Jan-12 is a date that a spreadsheet made of a number',
  'number 2024-01-12T00:00:00 is a date that a spreadsheet made of a number',
  'number 45303 is a date as spreadsheets store it: no other number here is that large',
  'number 1.00E+05 is a float that a spreadsheet made of a number',
  'number is #REF!, a spreadsheet error',
  'print run Gold is not a number',
  'year 1/12/2024 is a date that a spreadsheet made of a year',
  'year 2011-12-01T00:00:00.000Z is a date that a spreadsheet made of a year',
]

test.each([
  ['JSON Lines', (rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')],
  ['a JSON array', (rows: object[]) => JSON.stringify(rows)],
])('values that a spreadsheet spoiled refuse their row in %s, and what can be read is read', async (set, written) => {
  const report = await imported(written(values.map((one, at) => ({ set, player: `Player ${at}`, ...one }))))
  expect(report.faults.map(({ reason }: { reason: string }) => reason)).toEqual(reasons)
  expect(await numbersIn(set)).toEqual(['7 /25', '8 /25', '009 /1', 'RC-2'])
})

test('a number that became a date refuses its card in a release', async () => {
  const cards = ['1', 'Jan-12', '2'].map((number) => ({
    ...{ number, name: 'Ken Griffey Jr.', attributes: [], note: null, parallels: [], uniqueId: crypto.randomUUID() },
  }))
  const sets = [{ name: 'Base Set', uniqueId: crypto.randomUUID(), variations: [], parallels: [], cards }]
  const report = await imported(JSON.stringify({ name: '1993 Spoiled Baseball', uniqueId: '', attributes: [], sets }))
  expect([report.cards.created, report.faults.length, report.faults[0].reason]).toEqual([
    ...[2, 1, expect.stringContaining('number Jan-12 is a date')],
  ])
})

test('what somebody changed on a card is listed by names, not by ids', async () => {
  const file = (team: string) => `set,number,player,team,attributes\nNamed,1,Ann Lee,${team},RC\n`
  await imported(`${file('Sox')}Other,1,Bo Reed,,\n`)
  const [card] = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id where s.name = 'Named'`
  const [bo] = await sql<{ id: string }[]>`select id from players where name = 'Bo Reed'`
  const document = {
    data: {
      type: 'cards',
      id: card?.id,
      attributes: {},
      relationships: { oncard: { data: [{ type: 'players', id: bo?.id }] }, attributes: { data: [] } },
    },
  }
  expect((await app.operator.patch(`/v1/cards/${card?.id}`, document)).faults).toEqual([])
  expect((await imported(file('Sox'))).kept).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ field: 'oncard', kept: ['Bo Reed'], said: ['Ann Lee (Sox)'] }),
      expect.objectContaining({ field: 'attributes', kept: [], said: ['RC'] }),
    ]),
  )
})
