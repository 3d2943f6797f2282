import { afterAll, expect, test } from 'bun:test'
import { arrayOfTexts } from '../../../db/arrays.ts'
import { newArguments } from '../../../src/catalog/list/statement.ts'
import { soundOf } from '../../../src/catalog/search/sound.ts'
import {
  closeness,
  formsOf,
  mistakesBetween,
  selectNearWords,
  splitWords,
  wordsOf,
} from '../../../src/catalog/search/words.ts'
import { testDatabase } from '../../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const texts = [
  ...['Michael Jordan', 'Ronald Acuña, Jr.', "Shaquille O'Neal", 'O’Neal', 'J.R. Smith', 'Kareem Abdul-Jabbar'],
  ...[
    '1986-87 Fleer Basketball',
    'Łukasz Fabiański',
    'ÅÄÖ åäö',
    'İstanbul ıI',
    'ΟΔΥΣΣΕΥΣ Σ',
    'ＦＵＬＬ width',
    'Topps™ Chrome®',
    '½ ﬁne',
  ],
  ...[
    '大谷翔平',
    'Шохей Отани',
    '  ',
    '',
    '...',
    '#57 /25',
    'a'.repeat(80),
    '🏀 ball 👍🏽',
    'x\u0301\u0301',
    '\u200bzero',
    'tab\tline\n',
    'straße ﷺ',
  ],
]

test('the database has the words that a query has', async () => {
  const rows = await db.sql<{ words: string }[]>`
    select search_text(t) as words from unnest(${arrayOfTexts(texts)}::text[]) with ordinality u (t, no) order by no`
  expect(rows.map(({ words }) => words.trim().split(' ').filter(Boolean))).toEqual(texts.map(wordsOf))
})

const near: [string, string][] = [
  ['micheal', 'michael'],
  ['jordon', 'jordan'],
  ['jordn', 'jordan'],
  ['gretsky', 'gretzky'],
  ['yastremski', 'yastrzemski'],
  ['antetokumpo', 'antetokounmpo'],
  ['otani', 'ohtani'],
]
const far: [string, string][] = [
  ['jordan', 'gordon'],
  ['cal', 'val'],
  ['1986', '1987'],
  ['mantle', 'mattes'],
]

test.each(near)('%p is near %p, and the index finds it', async (word, name) => {
  expect(mistakesBetween(word, name)).toBeGreaterThan(0)
  const [row] = await db.sql<{ forms: string[] }[]>`select tsvector_to_array(word_forms(${name})) as forms`
  expect(formsOf(word).some((form) => row?.forms.includes(form))).toBe(true)
  expect(new Set(row?.forms)).toEqual(new Set(formsOf(name)))
})

test.each(far)('%p is not near %p', (word, name) => {
  expect(mistakesBetween(word, name)).toBeUndefined()
})

test('words stand one behind the other in a name', () => {
  const [exactly, near] = [new Map(), new Map([['grifey', ['griffey']]])]
  expect(closeness(['ken', 'griffey'], wordsOf('George Ken Griffey Jr.'), exactly)).toBe(0)
  expect(closeness(['ken', 'grifey'], wordsOf('Ken Griffey'), near)).toBe(1)
  expect(closeness(['ken', 'grifey'], wordsOf('Ken Griffey'), exactly)).toBeUndefined()
  expect(closeness(['griffey', 'ken'], wordsOf('Ken Griffey'), near)).toBeUndefined()
})

test('a word that no name has may be two, the first of which is one of a name or too short to be known', async () => {
  await db.sql`insert into words values ('dela'), ('cruzes') on conflict do nothing`
  const [words, args] = [['delacruz', 'cruzes', 'ken'], newArguments()]
  const [row] = await db.sql.unsafe<{ found: string[] }[]>(
    `select (${selectNearWords(words, args)}) as found`,
    args.values as never[],
  )
  expect([...splitWords(words, row?.found ?? [])]).toEqual([
    [
      'delacruz',
      [
        ['d', 'elacruz'],
        ['de', 'lacruz'],
        ['del', 'acruz'],
        ['dela', 'cruz'],
      ],
    ],
  ])
})

test.each([
  ['derrick', 'derek'],
  ['knoblock', 'knoblauch'],
  ['ozzy', 'ozzie'],
  ['ryan', 'ryne'],
  ['phillip', 'filip'],
  ['knight', 'night'],
])('%p sounds like %p', async (one, other) => {
  const [row] = await db.sql`select word_sound(${one}) as one, word_sound(${other}) as other`
  expect([row?.one, row?.other]).toEqual([soundOf(one), soundOf(one)])
})

test('the database hears words as the service does', async () => {
  const words = [
    ...[
      'schmidt',
      'yastrzemski',
      'gretzky',
      'mcgwire',
      'kershaw',
      'geoff',
      'judge',
      'wright',
      'pnin',
      'xavier',
      'vazquez',
    ],
    ...['aaron', 'eye', 'oooo', 'ceddanne', 'cyclone', 'phish', 'ohtani', 'bbb', 'quentin', 'garciaparra', 'zzyzx'],
  ]
  const rows = await db.sql`select word_sound(word) as sound from unnest(${arrayOfTexts(words)}::text[]) word`
  expect(rows.map(({ sound }) => sound)).toEqual(words.map(soundOf))
})

test('words with other letters, digits or hardly any letters have no sound', async () => {
  const rows = await db.sql`select word_sound(word) as sound from unnest(array['大谷', 'u14', 'jr', '']) word`
  expect(rows.map(({ sound }) => sound)).toEqual([null, null, null, null])
})
