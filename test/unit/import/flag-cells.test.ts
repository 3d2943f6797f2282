import { expect, test } from 'bun:test'
import { readItems } from './items.ts'

/** The codes and the print run of the card of a row below a header, with the notes about it. */
const read = async (header: string, row: string) => {
  const { cards, notes } = await readItems(`Set,Card #,Player,${header}\nFlags,1,Ann Lee,${row}\n`)
  const [card] = cards
  return [
    [...(card?.attributes ?? []), card?.serialNumber ?? []].flat().join(' '),
    ...notes.map(({ rule, text }) => `${rule} ${text}`),
  ]
}

const yeses = 'yes,Y,X,1,1.0,TRUE,ja,J,oui,sí,Si,sim,да,是,はい,WAHR,VRAI,VERDADERO,VERO,✓,✔️,☑,○,●'
const noes = 'no,N,0,FALSE,nein,Non,no.,nee,нет,否,FALSCH,FAUX,FALSO,×,✗,☐,-,n/a,none,'

test.each([
  ['Rookie', 'RC', `${yeses},RC,Rookie,Rookie Card`, `${noes},Non-Rookie,no rookie`],
  ['RC', 'RC', 'x', 'nein'],
  [
    'Auto',
    'AU',
    `${yeses},Auto,On-Card Auto,signed,Auto Relic`,
    `${noes},non-auto,no_auto,No Auto,Unsigned,not signed`,
  ],
  ['Autograph', 'AU', 'Autographed', 'non'],
  ['Relic', 'MEM', 'Jersey,Game-Used Bat,Patch/Auto', 'no relic'],
  ['Memorabilia', 'MEM', yeses, noes],
])('a column %s says yes or no as people write it', async (header, code, yes, no) => {
  const said = async (cells: string) => {
    const each = await Promise.all(cells.split(',').map(async (cell) => [cell, ...(await read(header, cell))]))
    return each.map(([cell, ...read]) => `${cell}: ${read.join('; ')}`)
  }
  expect(await said(yes)).toEqual(yes.split(',').map((cell) => `${cell}: ${code}`))
  expect(await said(no)).toEqual(no.split(',').map((cell) => `${cell}: `))
})

test.each(['maybe', 'o', 'Base', 'Unlikely', '2', 'Novak', 'Jersey'])(
  'a flag that says %j is noted, and neither sets its code nor clears it',
  async (cell) => {
    expect(await read('Auto', cell)).toEqual(['', `unread-flag Flags: 1 Auto: ${cell}`])
    const { cards } = await readItems(`Set,Card #,Player,Auto,RC\nFlags,1,Ann Lee,${cell},no\n`)
    expect(cards[0]?.denied).toEqual(['RC'])
  },
)

test('a member of JSON says yes or no, too', async () => {
  const rows = ['ja', 'nein', true, false, 'maybe'].map((auto, at) =>
    JSON.stringify({ set: 'Flags', number: `${at}`, player: 'Ann Lee', Auto: auto }),
  )
  const { cards, notes } = await readItems(rows.join('\n'), 'flags.jsonl')
  expect(cards.map(({ attributes }) => attributes.join())).toEqual(['AU', '', 'AU', '', ''])
  expect(notes.map(({ text }) => text)).toEqual(['Flags: 4 Auto: maybe'])
})

test.each([
  ['No', ''],
  ['False', ''],
  ['Base', ''],
  ['None', ''],
  ['N/A', ''],
  ['RC|No', 'RC'],
  ['RC/99', 'RC /99'],
  ['RC/AU #/25', 'RC AU /25'],
  ['A/5', 'A/5'],
])('the codes of %j are %j', async (cell, said) => {
  expect(await read('Attributes', cell)).toEqual([said])
})

test.each(['Yes', 'TRUE'])('among codes, %s is none, and is noted', async (cell) => {
  expect(await read('Attributes', cell)).toEqual(['', `unread-flag Flags: 1 Attributes: ${cell}`])
})
