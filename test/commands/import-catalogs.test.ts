import { afterAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { testApp } from '../support/app.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const { sql } = app.db
const folder = await mkdtemp(join(tmpdir(), 'cardstock-catalogs-'))
afterAll(() => rm(folder, { recursive: true }))

const importing = async (path: string, stdin: string | Uint8Array = '') => {
  const { exit, out } = await runningCommands(app.context, stdin)('import', path, '--json')
  return { exit, report: JSON.parse(out) }
}
const imported = (content: unknown) =>
  importing('-', content instanceof Uint8Array ? content : JSON.stringify(content, null, 1))

/** The cards of a set by number: number, title, codes; and what the set is. */
const setNamed = async (name: string) => {
  const cards = await sql<{ id: string; line: string }[]>`
    select c.id, concat_ws(' ', c.number, c.title, (
      select '[' || string_agg(a.attribute, ', ' order by a.attribute collate "C") || ']'
      from card_attributes o join attributes a on a.id = o.attribute_id where o.card_id = c.id)) as line
    from cards c join sets s on s.id = c.set_id where s.name = ${name} order by c.number_key collate "C"`
  const [set] = await sql`
    select g.name as genre, y.name as year, s.kind, s.release_date::text as date
    from sets s left join genres g on g.id = s.genre_id left join years y on y.id = s.year_id where s.name = ${name}`
  return { cards: cards.map(({ line }) => line), ids: cards.map(({ id }) => id), set: { ...set } }
}
const isUnchanged = (cards: number) => ({
  faultCount: 0,
  cards: { created: 0, updated: 0, unchanged: cards },
  sets: { created: 0, updated: 0 },
})

describe('a bulk file of Scryfall', () => {
  const ids = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const card = (at: number, rest: object) => ({
    ...{ object: 'card', id: ids[at], oracle_id: crypto.randomUUID(), lang: 'en', released_at: '2019-05-03' },
    ...{ set_id: crypto.randomUUID(), set: 'tst', set_name: 'Signature Test', set_type: 'expansion', digital: false },
    ...{ prices: { usd: null }, artist: 'An Artist', finishes: ['nonfoil'], games: ['paper'], promo: false },
    ...rest,
  })
  const bulk = [
    card(0, {
      ...{ collector_number: '1', name: 'First, the [Test]', rarity: 'mythic' },
      type_line: 'Legendary Creature — Human Time Lord',
    }),
    card(1, {
      ...{ collector_number: '2★', name: 'Day // Night', rarity: 'common' },
      type_line: 'Creature — Human // Creature — Wolf',
    }),
    card(2, {
      ...{ collector_number: '3', name: 'Both // Both', rarity: 'rare' },
      card_faces: [{ type_line: 'Land' }, { type_line: 'Plane — Two Words' }],
    }),
  ]

  test('gives sets, and cards with their ids, titles, and codes; a second import, also as packed JSON Lines, changes nothing', async () => {
    const { exit, report } = await imported(bulk)
    expect([exit, report.notes]).toEqual([0, {}])
    expect(report).toMatchObject({ cards: { created: 3 }, sets: { created: 1 } })
    expect(await setNamed('Signature Test')).toEqual({
      cards: [
        '1 First, the [Test] [Human, Mythic, Time Lord]',
        '2★ Day // Night [Common, Human, Wolf]',
        '3 Both // Both [Rare, Two Words]',
      ],
      ids: ids as string[],
      set: { genre: 'Magic: The Gathering', year: '2019', kind: 'base', date: '2019-05-03' },
    })
    expect((await imported(bulk)).report).toMatchObject(isUnchanged(3))
    const lines = Bun.gzipSync(bulk.map((each) => JSON.stringify(each)).join('\n'))
    expect((await imported(lines)).report).toMatchObject(isUnchanged(3))
    expect((await imported({ object: 'list', has_more: false, data: bulk })).report).toMatchObject(isUnchanged(3))
  })

  test('refuses what is no card in it, and reads the rest; one that is cut off gives what came before', async () => {
    const other = (number: string) =>
      card(0, { id: crypto.randomUUID(), set_name: 'Odd', collector_number: number, name: 'Odd' })
    const mixed = await imported([other('1'), { object: 'ruling' }, null, other('2')])
    expect(mixed.report).toMatchObject({ cards: { created: 2 }, faults: [{ line: 2 }, { line: 3 }] })
    const cut = JSON.stringify([other('3'), other('4')]).slice(0, -20)
    expect((await importing('-', cut)).report).toMatchObject({
      cards: { created: 1 },
      faults: [{ reason: expect.stringContaining('breaks off before the end of its list. Everything before') }],
    })
  })
})

describe('release files of pokemon-tcg-data', () => {
  const cardsOf = (set: string) =>
    JSON.stringify(
      [
        {
          ...{ id: `${set}-4`, name: 'Charizard', supertype: 'Pokémon', subtypes: ['Stage 2'], hp: '120' },
          number: '4',
        },
        { ...{ id: `${set}-58`, name: 'Pikachu', supertype: 'Pokémon', subtypes: ['Basic'], hp: '40' }, number: '58' },
        { ...{ id: `${set}-99`, name: 'Fire Energy', supertype: 'Energy' }, number: '99' },
      ].map((card) => ({
        ...card,
        rarity: 'Rare Holo',
        artist: 'An Artist',
        images: { small: 'https://a.test/1.png' },
      })),
      null,
      2,
    )
  const setsOf = (...ids: string[]) =>
    JSON.stringify(
      ids.map((id) => ({
        id,
        name: `Named ${id}`,
        series: 'Base',
        printedTotal: 3,
        total: 3,
        releaseDate: '1999/01/09',
      })),
    )
  const files = (set: string): Record<string, string> => ({
    'data/README.md': '# Data',
    'data/cards/en/.keep': '',
    [`data/cards/en/${set}.json`]: cardsOf(set),
    'data/decks/en/deck.json': JSON.stringify([
      { id: 'd-1', name: 'Deck', types: ['Fire'], cards: [{ id: 'x-1', count: 2 }] },
    ]),
    'data/sets/en.json': setsOf('other', set),
  })
  const asFolder = async (set: string) => {
    for (const [path, content] of Object.entries(files(set))) await Bun.write(join(folder, set, path), content)
    return join(folder, set)
  }
  const asTar = async (set: string) => {
    Bun.spawnSync(['tar', '-cf', 'data.tar', 'data/README.md', 'data/cards', 'data/decks', 'data/sets'], {
      cwd: await asFolder(set),
    })
    return join(folder, set, 'data.tar')
  }
  const asZip = async (set: string) => {
    const entries = Object.entries(files(set)).map(([path, content]) => [path, strToU8(content)])
    await Bun.write(join(folder, `${set}.zip`), zipSync(Object.fromEntries(entries)))
    return join(folder, `${set}.zip`)
  }

  test.each([
    ['a folder', 'base1', asFolder],
    ['a tar that has them first', 'base2', asTar],
    ['a zip that has them first', 'base3', asZip],
    [
      'their own file in such a folder',
      'base4',
      async (set: string) => `${await asFolder(set)}/data/cards/en/${set}.json`,
    ],
  ])('cards in %s take their set from sets/en.json; a second import changes nothing', async (_, set, made) => {
    const path = await made(set)
    const { exit, report } = await importing(path)
    expect([exit, report.notes['read-as']]).toEqual([0, undefined])
    expect(report).toMatchObject({ cards: { created: 3 }, sets: { created: 1 } })
    expect(await setNamed(`Named ${set}`)).toMatchObject({
      cards: ['4 Charizard [Rare Holo, Stage 2]', '58 Pikachu [Basic, Rare Holo]', '99 Fire Energy [Rare Holo]'],
      set: { genre: 'Pokémon', year: '1999', kind: 'base', date: '1999-01-09' },
    })
    expect((await importing(path)).report).toMatchObject(isUnchanged(3))
  })

  test('a rarity that was corrected there changes its card, and makes no other one', async () => {
    const path = await asFolder('base9')
    await importing(path)
    const { ids } = await setNamed('Named base9')
    const cards = join(folder, 'base9/data/cards/en/base9.json')
    await Bun.write(cards, (await Bun.file(cards).text()).replace('Rare Holo', 'Rare'))
    expect((await importing(path)).report).toMatchObject({ cards: { created: 0, updated: 1, unchanged: 2 } })
    expect((await setNamed('Named base9')).ids).toEqual(ids)
  })

  test('cards alone take their set from the name of their file, and the report says so', async () => {
    const path = join(folder, 'gym1.json')
    await Bun.write(path, cardsOf('gym1'))
    const { exit, report } = await importing(path)
    expect(exit).toBe(0)
    expect(report.notes['read-as']).toMatchObject({
      count: 1,
      examples: [{ text: expect.stringContaining("the set gym1, by the file's name") }],
    })
    expect(await setNamed('gym1')).toMatchObject({ cards: { length: 3 }, set: { genre: 'Pokémon', year: null } })
    expect((await importing(path)).report).toMatchObject(isUnchanged(3))
  })

  test.each([
    ['no date', 'undated1', {}],
    ['a date that is null', 'undated2', { releaseDate: null }],
    ['an empty date', 'undated3', { releaseDate: '' }],
    ['a date that is none', 'undated4', { releaseDate: 'to be announced' }],
  ])('cards of a set with %s come in under its name, without a year', async (_, set, date) => {
    const path = await asFolder(set)
    const sets = [{ id: set, name: `Named ${set}`, series: 'Other', printedTotal: 3, total: 3, ...date }]
    await Bun.write(join(path, 'data/sets/en.json'), JSON.stringify(sets))
    for (const place of [`${path}/data/cards/en/${set}.json`, path]) {
      const { exit, report } = await importing(place)
      expect([exit, report.faultCount, report.notes['read-as']]).toEqual([0, 0, undefined])
    }
    expect(await setNamed(`Named ${set}`)).toMatchObject({
      cards: { length: 3 },
      set: { genre: 'Pokémon', year: null, kind: 'base', date: null },
    })
  })

  test('sets without their cards are refused in one sentence', async () => {
    const { exit, report } = await importing('-', setsOf('alone'))
    expect([exit, report.faults.length, report.sets.created]).toEqual([1, 1, 0])
    expect(report.faults[0].reason).toContain('without their cards')
  })
})

test.each([
  [
    'a list of other objects',
    [
      { id: 1, title: 'A post' },
      { id: 2, title: 'Another' },
    ],
  ],
  ['a list of texts', ['a', 'b']],
  ['another object', { type: 'object', properties: {} }],
  ['rulings of Scryfall', [{ object: 'ruling', oracle_id: crypto.randomUUID(), comment: 'No.' }]],
])('%s is refused in one sentence, and nothing is written', async (_, content) => {
  const before = await sql`select (select count(*) from cards) as cards, (select count(*) from attributes) as codes`
  const { exit, report } = await imported(content)
  expect([exit, report.faults.length]).toEqual([1, 1])
  expect(report.faults[0].reason).toContain('neither rows nor a release')
  expect(await sql`select (select count(*) from cards) as cards, (select count(*) from attributes) as codes`).toEqual(
    before,
  )
})
