import { expect, test } from 'bun:test'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import type { ImportItem } from '../../../src/catalog/import/read/item.ts'
import { personName } from '../../../src/catalog/model/person-name.ts'
import { aWorkbook } from '../../support/workbook.ts'

/** What a table with these cells of players and teams is read as: who, title, codes and serial number of each card, and what was noted. */
const read = async (header: string, rows: string[]) => {
  const text = `${header}\n${rows.map((row, at) => `Cells,${at + 1},${row}\n`).join('')}`
  const stream = (async function* () {
    yield new TextEncoder().encode(text)
  })()
  const items = await Array.fromAsync(readChecklist({ name: 'cells.csv', stream }))
  return items.flatMap((item) =>
    item.kind === 'card' || item.kind === 'note' ? [...undecidedIn(item), sayItem(item)] : [],
  )
}

const undecidedIn = (item: ImportItem) => (item.kind === 'card' && item.undecided ? ['undecided-name'] : [])

const sayItem = (item: ImportItem & { kind: 'card' | 'note' }) => {
  if (item.kind === 'note') return item.rule
  const who = item.entries.map(({ player, team }) => [player && personName(player), team].filter(Boolean).join(' @ '))
  return [who.join(' + '), item.title ?? '', item.attributes.join(' '), item.serialNumber ?? '']
    .filter((part) => part !== '')
    .join(' | ')
}

test.each([
  ['Ann Lee & Bo Lee,Chicago Cubs', 'Ann Lee @ Chicago Cubs + Bo Lee @ Chicago Cubs'],
  ['Ann Lee and Bo Lee,', 'Ann Lee + Bo Lee'],
  ['Ann Lee; Bo Lee; Cy Lee,', 'Ann Lee + Bo Lee + Cy Lee'],
  ['Ann Lee + Bo Lee Jr.,', 'Ann Lee + Bo Lee Jr.'],
  ['"Ann Lee, Bo Lee Jr., Cy Lee",', 'Ann Lee + Bo Lee Jr. + Cy Lee'],
  ['"Ann Lee\nBo Lee","Chicago Cubs\nNew York Mets"', 'Ann Lee @ Chicago Cubs + Bo Lee @ New York Mets'],
  ['"Ann\nLee",', 'Ann Lee'],
  ['Ann Lee (Chicago Cubs) / Bo Lee (New York Mets),', 'Ann Lee @ Chicago Cubs + Bo Lee @ New York Mets'],
  ['New York Mets & Chicago Cubs,', 'New York Mets + Chicago Cubs'],
  ['Ann Lee RC AU,', 'Ann Lee | RC AU'],
  ['Ann Lee (RC),', 'Ann Lee | RC'],
  ['Ann Lee - RC,', 'Ann Lee | RC'],
  ['"Ann Lee, RC",', 'Ann Lee | RC'],
  ['"Lee, Ann RC",', 'Ann Lee | RC'],
  ['"Ann Lee RC, AU",', 'Ann Lee | RC AU'],
  ['Ann Lee /99,Chicago Cubs', 'Ann Lee @ Chicago Cubs | /99'],
  ['Ann Lee #/25,', 'Ann Lee | /25'],
  ['Ann Lee 7/25,', 'Ann Lee | /25'],
  ['Ann Lee 1/1,', 'Ann Lee | /1'],
  ['Ann Lee SN99,', 'Ann Lee | /99'],
  ['Ann Lee (AU) (RC) (/10),', 'Ann Lee | AU RC | /10'],
  ['Ann Lee & Bo Lee RC /5,', 'Ann Lee + Bo Lee | RC | /5'],
  ...['ROOKIE', 'Rookie', 'Rookie Card', '[RC]', '(R)', '(Rookie Card)'].map((word) => [
    `Ann Lee ${word},`,
    'Ann Lee | RC',
  ]),
  ...['AUTO', 'Auto', 'Autograph', '[Auto]'].map((word) => [`Ann Lee ${word},`, 'Ann Lee | AU']),
  ['Ann Lee Jersey,', 'Ann Lee | JSY'],
  ['Ann Lee Relic,', 'Ann Lee | RELIC'],
  ['Ann Lee AUTO /99,', 'Ann Lee | AU | /99'],
  ['Ann Lee Patch RC /25,', 'Ann Lee | PATCH RC | /25'],
  ['Ann Lee Rookie Patch Auto,', 'Ann Lee | RC PATCH AU'],
  ['Dan Patch,', 'Dan Patch'],
  ['Ann Lee Silver,', 'Ann Lee Silver'],
  ['Ann Lee w/ Bo Lee,', 'Ann Lee + Bo Lee'],
  ['Ann Lee with Bo Lee,', 'Ann Lee + Bo Lee'],
  ['Ann Lee x Bo Lee RC,', 'Ann Lee + Bo Lee | RC'],
  ['Ann Lee • Bo Lee,', 'Ann Lee + Bo Lee'],
  ['Ann Lee・Bo Lee,', 'Ann Lee + Bo Lee'],
  ['マイク・トラウト,', 'マイク・トラウト'],
  ['"Bo Lee, V",', 'Bo Lee V'],
  ['"De La Cruz, C",', 'C De La Cruz'],
  ['"De La Cruz, Elly Antonio",', 'Elly Antonio De La Cruz'],
  ['大谷翔平,', '大谷翔平'],
  ['מיקה לוי /99,', 'מיקה לוי | /99'],
])('in a checklist that others wrote, %j holds %s', async (row, said) => {
  expect(await read('Card Set,Card #,Player,Team', [row])).toEqual([said])
})

test.each([
  'Ann Lee, OF',
  'Ann Lee, 1B',
  'Ann Lee, C',
  'Ann Lee, SP/DH',
  'Ann Lee - QB',
  'Ann Lee, OF RC',
  'Al Lee Jr., SS',
])('the position in %j is dropped, and noted', async (cell) => {
  const name = cell.startsWith('Al') ? 'Al Lee Jr.' : 'Ann Lee'
  const said = cell.endsWith('RC') ? `${name} | RC` : name
  expect(await read('Card Set,Card #,Player,Team', [`"${cell}",`])).toEqual(['position-dropped', said])
})

test.each([
  ['', ['ambiguous-code', 'Ann Lee | SP']],
  ['Baseball', ['ambiguous-code', 'Ann Lee | SP']],
  ['Basketball', ['Ann Lee | SP']],
])('SP behind a name is the code, also in the sport %j, where it may be a position', async (sport, said) => {
  const rows = (cell: string) => [`${cell},${sport}`]
  expect(await read('Card Set,Card #,Player,Sport', rows('"Ann Lee, SP"'))).toEqual(said)
  expect(await read('Card Set,Card #,Player,Sport', rows('Ann Lee SP'))).toEqual(['Ann Lee | SP'])
})

test('a line break in a cell of a workbook is one, too', async () => {
  const book = aWorkbook({
    Cards: [
      ['Card\nSet', 'Card\n#', 'Player', 'Team', 'Notes'],
      ['Cells', 1, 'Ann Lee\nBo Lee', 'Chicago\nCubs', 'one\ntwo'],
    ],
  })
  const stream = (async function* () {
    yield book
  })()
  const items = await Array.fromAsync(readChecklist({ name: 'cells.xlsx', stream }))
  const cards = items.flatMap((item) => (item.kind === 'card' ? [[sayItem(item), item.notes]] : []))
  expect(cards).toEqual([['Ann Lee @ Chicago Cubs + Bo Lee @ Chicago Cubs', 'one\ntwo']])
})

test('what may be read otherwise is noted', async () => {
  const rows = [
    '"Ann Lee, Bo Lee",',
    '"Ann Lee, Jr., Bo Lee",',
    'Lee/Ray/Day,',
    'Penn & Teller,',
    'Ann Lee #99,',
    'Ann Lee VAR,',
    'Ann Lee – Bo Lee,',
    'Young Guns - Ann Lee RC,',
  ]
  expect(await read('Card Set,Card #,Player,Team', rows)).toEqual(
    [
      ...['Ann Lee + Bo Lee', 'Ann Lee Jr. + Bo Lee', 'Lee/Ray/Day', 'Penn & Teller', 'Ann Lee #99', 'Ann Lee VAR'],
      ...['Ann Lee + Bo Lee', 'Ann Lee | Young Guns | RC'],
    ].flatMap((said) => ['undecided-name', said]),
  )
})

test('a title in a column of its own leaves the names to their column', async () => {
  const rows = [
    'Ann Lee / Bo Lee,Rookie Leaders,Chicago Cubs / New York Mets',
    'Ann Lee RC,Home,',
    'Ann Lee (Cap On),Home,',
    'Ann Lee,Ann Lee,',
    'Rookie Stars: Ann Lee / Bo Lee,Rookies,',
    'Checklist,,',
    'Checklist,Checklist,',
  ]
  expect(await read('Card Set,Card #,Player,Card Title,Team', rows)).toEqual([
    'Ann Lee @ Chicago Cubs + Bo Lee @ New York Mets | Rookie Leaders',
    'Ann Lee | Home | RC',
    'Ann Lee | Home, Cap On',
    'Ann Lee',
    'Ann Lee + Bo Lee | Rookies, Rookie Stars',
    'Checklist',
    'Checklist',
  ])
  expect(
    await read('Card Set,Card #,Player,Card Title', ['Suzuki / Pujols,Leaders', 'The Undertaker,Legends']),
  ).toEqual([...['undecided-name', 'Leaders, Suzuki / Pujols', 'undecided-name', 'The Undertaker | Legends']])
})

test.each([
  ['Hockey', 'Ann Lee (Hurricanes),CAR', ['Ann Lee @ Hurricanes']],
  ['', 'Ann Lee (Hurricanes),CAR', ['Ann Lee @ Hurricanes']],
  ['Hockey', 'Ann Lee (Wild),', ['Ann Lee @ Wild']],
  ['Baseball', 'Ann Lee (Reds),Cincinnati Reds', ['Ann Lee @ Cincinnati Reds']],
  ['Baseball', 'Ann Lee (Wild),', ['Ann Lee | Wild']],
  ['Baseball', 'Ann Lee (Mets),California Angels', ['undecided-name', 'Ann Lee @ California Angels | Mets']],
  ['Baseball', 'Ann Lee (Base),CIN', ['Ann Lee @ CIN']],
  ['Baseball', 'Ann Lee [Base] RC,CIN', ['Ann Lee @ CIN | RC']],
])('in %j, what brackets say beside a team is a team only if it may be the same: %s', async (sport, row, said) => {
  expect(await read('Card Set,Card #,Player,Team,Sport', [`${row},${sport}`])).toEqual(said)
})

test('a print run with the names gives way to that of its own column, and a difference is noted', async () => {
  expect(await read('Card Set,Card #,Player,Print Run', ['Ann Lee /99,99', 'Bo Lee /99,25'])).toEqual([
    ...['Ann Lee | /99', 'serial-differs', 'Bo Lee | /25'],
  ])
})

test('a column of capitals keeps its codes', async () => {
  expect(await read('Card Set,Card #,Player', ['ANN LEE RC', 'BO MCGEE (AU)', 'CY LEE & DI LEE'])).toEqual([
    ...['Ann Lee | RC', 'Bo McGee | AU', 'Cy Lee + Di Lee'],
  ])
})

test('in our own form a name is taken word for word, and each that may hold more is noted', async () => {
  const odd = ['"Ann Lee, Bo Lee"', 'Ann Lee & Bo Lee', 'Ann Lee/Bo Lee', 'Ann Lee /99', 'Ann Lee VAR']
  const said = odd.flatMap((name) => ['undecided-name', name.replaceAll('"', '')])
  expect(await read('set,number,player', [...odd, '"Griffey, Jr., Ken"', 'Jean-Luc Lee', 'Ann Lee (RC)'])).toEqual([
    ...[...said, 'Ken Griffey Jr.', 'Jean-Luc Lee', 'Ann Lee | RC'],
  ])
})
