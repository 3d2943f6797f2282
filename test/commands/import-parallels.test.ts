import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { dryFirst, type ImportReport, noteTexts } from './dry-first.ts'
import { runningCommands } from './running.ts'

/** Parallels that are imported before the cards that they are based on. */
const app = await testApp()
const { sql } = app.db
const saidIn = (report: ImportReport) => ({ cards: report.cards, notes: noteTexts(report) })
const { importFiles } = dryFirst(app, saidIn)
const imported = async (...files: string[]) => {
  const report = await importFiles(files)
  return { id: report.id, ...saidIn(report) }
}

/** The cards of a set's parallels, with the number of the card that each is based on. */
const parallelsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', s.name, c.name, 'of ' || b.number) as line
    from cards c join sets s on s.id = c.set_id join sets a on a.id = s.parent_id left join cards b on b.id = c.parent_id
    where a.name = ${set} and c.deleted_at is null order by s.name, c.number_key collate "C"`
  return rows.map(({ line }) => line)
}
const base = (set: string, ...rows: string[]) => `Set,Card #,Player\n${rows.map((row) => `${set},${row}\n`).join('')}`
const gold = (set: string, ...rows: string[]) =>
  `Set,Card #,Player,Parallel\n${rows.map((row) => `${set},${row},Gold\n`).join('')}`
const rows = ['1,Ann Lee', 'BCP-2,Bo Lee', '3,Cy Lee']
const linked = ['Gold 1 Ann Lee of 1', 'Gold 3 Cy Lee of 3', 'Gold BCP-2 Bo Lee of BCP-2']
const alone = ['Gold 1 Ann Lee', 'Gold 3 Cy Lee', 'Gold BCP-2 Bo Lee']

test('in a file of their own, they get them once these are imported, and the report says so', async () => {
  await imported(gold('Later', ...rows))
  expect(await parallelsOf('Later')).toEqual(alone)
  const report = await imported(base('Later', ...rows))
  expect(report).toMatchObject({ cards: { created: 3, updated: 0 } })
  expect(report.notes).toEqual({ 'parents-found': ['Gold: 3 cards'] })
  expect(await parallelsOf('Later')).toEqual(linked)
  for (const file of [base, gold])
    expect(await imported(file('Later', ...rows))).toMatchObject({ cards: { unchanged: 3, updated: 0 }, notes: {} })
})

test('in one import, in either order of the files', async () => {
  const notes = { 'parents-found': ['Gold: 3 cards'] }
  expect(await imported(gold('Together', ...rows), base('Together', ...rows))).toMatchObject({
    cards: { created: 6, updated: 0 },
    notes,
  })
  expect(await parallelsOf('Together')).toEqual(linked)
  expect(await imported(base('In order', ...rows), gold('In order', ...rows))).toMatchObject({ notes: {} })
  expect(await parallelsOf('In order')).toEqual(linked)
})

test('only those whose cards are there, also where a number is written in another way', async () => {
  await imported(gold('Some', ...rows))
  expect((await imported(base('Some', 'BCP2,Bo Lee'))).notes).toEqual({ 'parents-found': ['Gold: 1 card'] })
  expect(await parallelsOf('Some')).toEqual(['Gold 1 Ann Lee', 'Gold 3 Cy Lee', 'Gold BCP-2 Bo Lee of BCP2'])
  expect((await imported(base('Some', '1,Ann Lee'))).notes).toEqual({ 'parents-found': ['Gold: 1 card'] })
  expect(await parallelsOf('Some')).toEqual(['Gold 1 Ann Lee of 1', 'Gold 3 Cy Lee', 'Gold BCP-2 Bo Lee of BCP2'])
})

test('also where the cards of a release are in its set Base', async () => {
  await imported(gold('1991 Based', ...rows))
  const inBase = `Product,Card Set,Card #,Player\n${rows.map((row) => `1991 Based,Base,${row}\n`).join('')}`
  expect((await imported(inBase)).notes['parents-found']).toEqual(['Gold: 3 cards'])
  expect((await parallelsOf('1991 Based')).filter((line) => line.startsWith('Gold'))).toEqual(linked)
  expect(await imported(gold('1991 Based', ...rows))).toMatchObject({ cards: { unchanged: 3, updated: 0 } })
})

test('an undo parts them again, and the same file brings them together', async () => {
  await imported(gold('Undone', ...rows))
  const { id } = await imported(base('Undone', ...rows))
  await runningCommands(app.context)('import', '--undo', id)
  expect(await parallelsOf('Undone')).toEqual(alone)
  expect((await imported(base('Undone', ...rows))).notes).toEqual({ 'parents-found': ['Gold: 3 cards'] })
  expect(await parallelsOf('Undone')).toEqual(linked)
})

test('an undo of an import with both deletes both', async () => {
  const { id } = await imported(gold('Both', ...rows), base('Both', ...rows))
  await runningCommands(app.context)('import', '--undo', id)
  expect(await parallelsOf('Both')).toEqual([])
})

test('one that somebody parted stays alone', async () => {
  await imported(gold('Parted', ...rows))
  await imported(base('Parted', ...rows))
  const [card] = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id join sets a on a.id = s.parent_id
    where a.name = 'Parted' and c.number = '3'`
  const [revision] = (await app.operator.get(`/v2/cards/${card?.id}/revisions`)).many
  const body = JSON.stringify({ object_type: 'cards', object_id: card?.id, revision: revision?.id })
  const headers = { 'Content-Type': 'application/json' }
  expect((await app.operator.send('POST', '/internal/reverts', { body, headers })).status).toBe(201)
  expect(await parallelsOf('Parted')).toContain('Gold 3 Cy Lee')
  await imported(base('Parted', '4,Dy Lee'))
  expect(await parallelsOf('Parted')).toEqual(['Gold 1 Ann Lee of 1', 'Gold 3 Cy Lee', 'Gold BCP-2 Bo Lee of BCP-2'])
})

test('of two cards with the number, it is the one with its title, or else the one without', async () => {
  const titled = (...rows: string[]) =>
    `Set,Card #,Player,Card Title,Parallel\n${rows.map((row) => `Titles,${row}\n`).join('')}`
  await imported(titled('1,Ann Lee,,Gold', '1,Ann Lee,Error,Gold', '2,Bo Lee,,Gold'))
  await imported(titled('1,Ann Lee,Error,', '1,Ann Lee,,', '2,Bo Lee,Home,', '2,Bo Lee,Away,'))
  const found = await sql`
    select c.number, c.title, b.title as base, b.id is not null as linked from cards c join sets s on s.id = c.set_id
    left join cards b on b.id = c.parent_id where s.name = 'Gold' and c.name like '%Lee%'
      and s.parent_id = (select id from sets where name = 'Titles') order by c.number, c.title nulls first`
  expect([...found]).toEqual([
    { number: '1', title: null, base: null, linked: true },
    { number: '1', title: 'Error', base: 'Error', linked: true },
    { number: '2', title: null, base: null, linked: false },
  ])
})

test.each([
  ['its people', ['026/167,Ann Lee', '26/100,Bo Lee'], ['26,Ann Lee', '026,Bo Lee']],
  ['its people, though another has its number just so', ['26,Bo Lee', '026/167,Ann Lee'], ['26,Ann Lee']],
  ['nobody else’s', ['26/99,Ann Lee'], ['026,Cy Lee', '26/99,Ann Lee']],
])('where numbers are written in two ways, a parallel is based on the card with %s', async (_, cards, parallels) => {
  const based = (rows: string[]) => rows.map((row) => row.split(',')[1])
  for (const isTurned of [false, true]) {
    const set = `Spelled ${cards.length}${parallels.length} ${isTurned}`
    const files = [base(set, ...cards), gold(set, ...parallels)]
    for (const file of isTurned ? files.toReversed() : files) await imported(file)
    const found = await sql<{ player: string; on: string | null }[]>`
      select substring(c.name from '[A-Z].*') as player, substring(b.name from '[A-Z].*') as on
      from cards c join sets s on s.id = c.set_id join sets a on a.id = s.parent_id left join cards b on b.id = c.parent_id
      where a.name = ${set}`
    expect(found.toSorted((a, b) => (a.player < b.player ? -1 : 1)).map(({ player, on }) => [player, on])).toEqual(
      based(parallels)
        .toSorted()
        .map((player) => [player ?? '', based(cards).includes(player) ? (player ?? '') : null]),
    )
    for (const file of files) expect(await imported(file)).toMatchObject({ cards: { created: 0, updated: 0 } })
  }
})
