import { expect, test } from 'bun:test'
import type { Shown } from '../support/answer.ts'
import { testApp } from '../support/app.ts'
import { aDocument, factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const imported = async (stdin: string, ...flags: string[]) => {
  const { exit, out } = await runningCommands(app.context, stdin)('import', '-', '--json', ...flags)
  return { exit, report: JSON.parse(out) }
}
const jsonLines = (...rows: object[]) => rows.map((row) => JSON.stringify(row)).join('\n')

/** What the cards of a set are called elsewhere, by their numbers. */
const identifiersIn = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select c.number || ' ' || i.source || ' ' || i.value as line
    from identifiers i join cards c on c.id = i.object_id and i.object_type = 'cards' join sets s on s.id = c.set_id
    where s.name = ${set} and i.audience >= 1
    order by c.number_key collate "C", i.source collate "C", i.value collate "C"`
  return rows.map(({ line }) => line)
}
const cardNumbered = async (set: string, number: string) => {
  const [card] = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id where s.name = ${set} and c.number = ${number}`
  return card?.id as string
}
const expectTrueCounts = async () =>
  expect([...(await sql`select what, place, stored, truth from catalog_drift`)]).toEqual([])

test('columns id:SOURCE of a table give cards their identifiers; a second import changes nothing', async () => {
  const table = `set,number,player,ID:TCDB,id: beckett
Words 1,1,Ken Griffey Jr.,1234.0,a|b
Words 1,2,Randy Johnson,,"c 1"
Words 1,3,Alvin Davis,0012,
`
  const { exit, report } = await imported(table, '--publish')
  expect([exit, report.faultCount, report.notes, report.cards.created]).toEqual([0, 0, {}, 3])
  const said = ['1 beckett a', '1 beckett b', '1 tcdb 1234', '2 beckett c 1', '3 tcdb 0012']
  expect(await identifiersIn('Words 1')).toEqual(said)
  const again = (await imported(table, '--publish')).report
  expect([again.cards, again.notes]).toMatchObject([{ created: 0, updated: 0, unchanged: 3 }, {}])
  expect(await identifiersIn('Words 1')).toEqual(said)
  const read = await app.reader.get(`/v2/cards/${await cardNumbered('Words 1', '1')}?include=identifiers`)
  expect(read.included.map(({ attributes }) => attributes.value).toSorted()).toEqual(['1234', 'a', 'b'])
  await expectTrueCounts()
})

test('an identifier that another card has is left out and named, and so is one that two rows claim', async () => {
  await imported('set,number,player,id:tcdb\nWords 2,1,Ken Griffey Jr.,77\n')
  const { exit, report } = await imported(
    'set,number,player,id:tcdb\nWords 2,2,Jay Buhner,77\nWords 2,3,Omar Vizquel,78\nWords 2,4,Edgar Martinez,78\n',
  )
  expect([exit, report.cards.created]).toEqual([0, 3])
  const notes = report.notes['identifier-taken']
  expect([notes.count, notes.examples[0]]).toMatchObject([2, { line: 2, text: 'id:tcdb 77' }])
  const all = await identifiersIn('Words 2')
  expect([all.length, all[0]]).toEqual([2, '1 tcdb 77'])
  await expectTrueCounts()
})

test('one that a person took from its card stays away', async () => {
  const table = 'set,number,player,id:tcdb\nWords 3,1,Ken Griffey Jr.,90\n'
  await imported(table)
  const [one] = (await app.operator.get('/v2/identifiers?filter[value]=90')).many as [Shown]
  await app.operator.delete(`/v2/identifiers/${one.id}`)
  await imported(table)
  expect(await identifiersIn('Words 3')).toEqual([])
})

test('values that a spreadsheet spoiled, or that are too long, refuse their row', async () => {
  const { report } = await imported(
    `set,number,player,id:tcdb\nWords 4,1,Ken Griffey Jr.,1.2E+11\nWords 4,2,Jay Buhner,#REF!\nWords 4,3,A Player,${'x'.repeat(256)}\nWords 4,4,Omar Vizquel,5\n`,
  )
  expect([report.faultCount, report.cards.created]).toEqual([3, 1])
  expect(report.faults.map(({ line, reason }: { line: number; reason: string }) => [line, reason])).toEqual([
    [2, 'id:tcdb 1.2E+11 is a float that a spreadsheet made of an id'],
    [3, 'id:tcdb is #REF!, a spreadsheet error'],
    [4, 'id:tcdb is longer than 255 characters'],
  ])
})

test('JSON rows take a text, a number or a list; --map names a heading', async () => {
  const rows = jsonLines(
    { set: 'Words 5', number: '1', player: 'Ken Griffey Jr.', 'id:tcdb': 501 },
    { set: 'Words 5', number: '2', player: 'Jay Buhner', 'id:tcdb': ['502', ' 503'], 'id:x-y': 'a|b' },
  )
  expect((await imported(rows)).report).toMatchObject({ faultCount: 0, notes: {} })
  expect(await identifiersIn('Words 5')).toEqual(['1 tcdb 501', '2 tcdb 502', '2 tcdb 503', '2 x-y a', '2 x-y b'])
  const mapped = await imported(
    'set,number,player,TCDB No.\nWords 6,1,Ken Griffey Jr.,601\n',
    '--map',
    'TCDB No.=id:tcdb',
  )
  expect(mapped.report).toMatchObject({ faultCount: 0, notes: {} })
  expect(await identifiersIn('Words 6')).toEqual(['1 tcdb 601'])
})

test('headings that only an export has, and sources of no such form, are named as unread', async () => {
  const { report } = await imported(
    'set,number,player,Value,Source,Aliases,id:a_b\nWords 7,1,Ken Griffey Jr.,9.99,eBay,Kid,4\n',
  )
  expect(report.notes['unread-column'].examples.map(({ text }: { text: string }) => text)).toEqual([
    ...['Value', 'Source', 'Aliases', 'id:a_b'],
  ])
})

test('cards of pokemon-tcg-data have its ids as identifiers', async () => {
  const card = { id: 'words1-4', name: 'Charizard', supertype: 'Pokémon', number: '4', rarity: 'Rare', subtypes: [] }
  const cards = JSON.stringify([card, { ...card, id: 'words1-5', name: 'Clefairy', number: '5' }], null, 1)
  expect((await imported(cards)).report.cards.created).toBe(2)
  expect(await identifiersIn('words1')).toEqual(['4 pokemon-tcg-data words1-4', '5 pokemon-tcg-data words1-5'])
  expect((await imported(cards)).report.cards).toMatchObject({ created: 0, updated: 0, unchanged: 2 })
  const found = await app.operator.get(
    '/v2/identifiers?filter[source]=pokemon-tcg-data&filter[value]=words1-4&include=object',
  )
  expect(found.included[0]?.attributes.title).toBe('Charizard')
})

test('an export has them on the lines of cards and as records with their ids; its cards alone bring them, too', async () => {
  const set = await make.set({ name: 'Words 8' })
  const card = await make.card({ set, number: '1' })
  const single = await make.identifier(card, { source: 'tcdb', value: '801' })
  for (const value of ['b', 'a|1']) await make.identifier(card, { source: 'x', value })
  await make.identifier(set, { source: 'tcdb', value: '802' })
  const aliased = aDocument('sets', { aliases: ['Eight', 'A|B'] }, {}, set.id)
  await app.operator.patch(`/v2/sets/${set.id}`, aliased)
  const lines = (await runningCommands(app.context)('export')).out
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line))
  const own = lines.find(({ id }) => id === card.id)
  expect([own['id:tcdb'], own['id:x']]).toEqual(['801', ['b', 'a|1']])
  expect(lines.find(({ id }) => id === set.id).aliases).toEqual(['Eight', 'A|B'])
  expect(lines.find(({ id }) => id === single.id)).toMatchObject({
    ...{ type: 'identifiers', object_type: 'cards', object_id: card.id, source: 'tcdb', value: '801', deleted: false },
  })
  const ofAnother = jsonLines(...lines.filter(({ id }) => id === set.id || id === card.id))
    .replaceAll(set.id, crypto.randomUUID())
    .replaceAll(card.id, crypto.randomUUID())
    .replaceAll('Words 8', 'Words 9')
    .replace('"801"', '"901"')
    .replace('["b","a|1"]', '["c","a|2"]')
  expect((await imported(ofAnother)).report).toMatchObject({ faultCount: 0, notes: {} })
  expect(await identifiersIn('Words 9')).toEqual(['1 tcdb 901', '1 x a|2', '1 x c'])
})
