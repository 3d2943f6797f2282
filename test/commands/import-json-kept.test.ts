import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db

const importText = async (text: string, ...flags: string[]) =>
  JSON.parse((await runningCommands(app.context, text)('import', '-', '--json', ...flags)).out)
const cardsIn = async (set: string) => [
  ...(await sql<{ number: string; title: string; codes: string[] | null; date: string | null }[]>`
    select c.number, c.title, s.release_date::text as date,
      (select array_agg(a.attribute order by a.attribute collate "C") from card_attributes m
       join attributes a on a.id = m.attribute_id where m.card_id = c.id) as codes
    from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key collate "C", c.title`),
]
const scryfall = (some: object) => ({
  ...{ object: 'card', id: Bun.randomUUIDv7(), name: 'Ice Bear', set: 'cv1', set_name: 'Cold Vale', rarity: 'rare' },
  ...{ released_at: '2021-03-05', collector_number: '1', type_line: 'Creature — Bear', lang: 'en' },
  ...some,
})

const pokemon = (some: object) => ({ ...{ supertype: 'Pokémon', number: '1', name: 'Mew', subtypes: [] }, ...some })

describe('Scryfall', () => {
  test('keeps the language, the printed name and the date of the set', async () => {
    const cards = [{}, { lang: 'ja', printed_name: '氷熊' }, { lang: 'de', printed_name: 'Eisbär' }].map(scryfall)
    await importText(JSON.stringify(cards))
    const date = '2021-03-05'
    expect(await cardsIn('Cold Vale')).toEqual([
      { number: '1', title: 'Ice Bear', codes: ['Bear', 'Rare'], date },
      { number: '1', title: 'Ice Bear (Eisbär)', codes: ['Bear', 'Rare', 'de'], date },
      { number: '1', title: 'Ice Bear (氷熊)', codes: ['Bear', 'Rare', 'ja'], date },
    ])
    expect(await importText(JSON.stringify(cards))).toMatchObject({ cards: { unchanged: 3, updated: 0, created: 0 } })
  })
  test('a date that is none refuses the date and not the card', async () => {
    const report = await importText(JSON.stringify([scryfall({ set_name: 'Dateless', released_at: 'soon' })]))
    expect(report).toMatchObject({ faultCount: 0, cards: { created: 1 }, notes: { 'no-date': { count: 1 } } })
  })
  test('two sets of one name and year that differ in their code are two, also another time', async () => {
    const file = JSON.stringify([
      scryfall({ set_name: 'Same', set: 'sa1' }),
      scryfall({ set_name: 'Same', set: 'sa2' }),
    ])
    await importText(file)
    await importText(file)
    expect((await sql`select from sets where name = 'Same'`).length).toBe(2)
    expect(await cardsIn('Same')).toHaveLength(2)
  })
})

describe('codes of JSON catalogs', () => {
  test('that differ in case are two, also where the catalog has one of them already', async () => {
    await importText('set,number,title,attributes\nBefore,1,Charizard,EX\n')
    const cards = [
      pokemon({ id: 'xy9-1', name: 'Venusaur-EX', subtypes: ['EX'] }),
      pokemon({ id: 'xy9-2', name: 'Venusaur ex', number: '2', subtypes: ['ex'] }),
      pokemon({ id: 'xy9-3', name: 'Mewtwo Vstar', number: '3', subtypes: ['VSTAR', 'Vstar'] }),
    ]
    await importText(JSON.stringify(cards))
    expect((await cardsIn('xy9')).map(({ codes }) => codes)).toEqual([['EX'], ['ex'], ['VSTAR', 'Vstar']])
    expect(await importText(JSON.stringify(cards))).toMatchObject({ cards: { unchanged: 3 } })
  })
  test('a table finds a code without case', async () => {
    await importText('set,number,title,attributes\nAfter,1,Charizard,eX\n')
    expect((await cardsIn('After'))[0]?.codes).toHaveLength(1)
    expect((await sql`select from attributes where attribute = 'eX'`).length).toBe(0)
  })
})

test('numbers keep their digits', async () => {
  const rows = ['12345678901234567890', '9007199254740993', '100', '-98765432109876543210', '1.25']
  const [array, lines] = [
    `[${rows.map((number) => `{"set":"Digits","number":${number},"player":"Ann Lee"}`).join(',')}]`,
    rows.map((number) => `{"set":"Lines","number":${number},"player":"Ann Lee"}`).join('\n'),
  ]
  await importText(array)
  await importText(lines)
  for (const set of ['Digits', 'Lines'])
    expect((await cardsIn(set)).map(({ number }) => number).toSorted()).toEqual(rows.toSorted())
})

describe('a subset’s column', () => {
  const facts = async (like: string) => [
    ...(await sql`
      select s.name, p.name as parent, g.name as genre, y.name as year from sets s left join sets p on p.id = s.parent_id
      left join genres g on g.id = s.genre_id left join years y on y.id = s.year_id
      where s.name = ${like} or p.name = ${like} order by s.no`),
  ]
  const release = '1990 Leaf Baseball'
  test('makes children of the release, and reads its year and genre from its name', async () => {
    for (const header of ['Set,Subset,Card #,Athlete', 'set,subset,number,player'])
      await importText(`${header}\n${release},,1,Ann Lee\n${release},Gold Stars,2,Bo Lee\n${release},Base,3,Cy Lee\n`)
    expect(await facts(release)).toEqual([
      { name: release, parent: null, genre: 'Baseball', year: '1990' },
      { name: 'Gold Stars', parent: release, genre: 'Baseball', year: '1990' },
    ])
  })
})
