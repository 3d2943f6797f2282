import { afterAll, expect, test } from 'bun:test'
import { arrayOfTexts } from '../../db/arrays.ts'
import { meantBy } from '../../src/catalog/search/match/near-words.ts'
import { mistakesBetween } from '../../src/catalog/search/mistakes.ts'
import { newKnownCodes } from '../../src/catalog/search/name-cache/known-codes.ts'
import { newKnownPeople } from '../../src/catalog/search/name-cache/known-people.ts'
import { newKnownSets } from '../../src/catalog/search/name-cache/known-sets.ts'
import { newKnownTitles } from '../../src/catalog/search/name-cache/known-titles.ts'
import { newWordList } from '../../src/catalog/search/name-cache/word-list.ts'
import { soundOf } from '../../src/catalog/search/sound.ts'
import { closeness } from '../../src/catalog/search/words.ts'
import { foldText } from '../../src/lib/fold-text.ts'
import { wordsOf } from '../../src/lib/words.ts'
import { testDatabase } from '../support/database.ts'

const db = await testDatabase()
afterAll(() => db.close())

const texts = [
  ...[
    'Monkey.D.Luffy',
    'J.R.Smith',
    'Élan.Ñu',
    'Michael Jordan',
    'Ronald Acuña, Jr.',
    "Shaquille O'Neal",
    'O’Neal',
    'J.R. Smith',
    'Kareem Abdul-Jabbar',
  ],
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

test('the database folds every letter and sign as a query does, alone and among others', async () => {
  // Of the many signs that are nothing but themselves, some. Newer ones than the oldest PostgreSQL knows have no lower case there.
  const every: string[] = []
  for (let code = 1; code < 0xe0080; code++) {
    const sign = String.fromCodePoint(code)
    if ((code > 0xffff && code < 0x1d400) || (code > 0x1faff && code < 0xe0000)) continue
    if (/[\p{Cs}\p{Cn}\p{Co}\u1c89\u2c2f\u2c5f\ua7c0-\ua7dc\ua7f1-\ua7f6\u{1e030}-\u{1e06d}]/u.test(sign)) continue
    if (!/[\p{sc=Han}\p{sc=Hang}\p{sc=Yiii}\p{sc=Tang}]/u.test(sign) || code % 17 === 0) every.push(`a${sign}B ${sign}`)
  }
  const drawn = Array.from({ length: 3000 }, (_, seed) =>
    Array.from({ length: 12 }, (_, at) =>
      every[(seed * 7919 + at * at * 104_729 + at) % every.length]?.slice(1, 4),
    ).join(''),
  )
  const differing: string[] = []
  for (let from = 0; from < every.length + drawn.length; from += 20_000) {
    const some = [...every, ...drawn].slice(from, from + 20_000)
    const rows = await db.sql<{ text: string; fold: string; words: string }[]>`
      select t as text, fold_text(t) as fold, search_text(t) as words
      from unnest(${arrayOfTexts(some)}::text[]) with ordinality u (t, no) order by no`
    for (const { text, fold, words } of rows)
      if (fold !== foldText(text) || words.trim() !== wordsOf(text).join(' ')) differing.push(text)
  }
  expect(differing).toEqual([])
})

const alike: [string, string][] = [
  ['Simon Kjær', 'simon KJAER'],
  ['Julian Weiß', 'Julian Weiss'],
  ['Þór Akureyri', 'Thor Akureyri'],
  ['Łukasz Đorđević', 'lukasz dordevic'],
  ['Ｓｈｏｈｅｉ　Ｏｈｔａｎｉ', 'Shohei Ohtani'],
  ['Ken\u00a0Griffey\u202fJr.', 'Ken Griffey Jr'],
  ['Ken\u200b Grif\u00adfey \ufeffJr', 'Ken Griffey Jr'],
  ['Kareem Abdul\u2011Jabbar', 'Kareem Abdul\u2013Jabbar'],
  ['Shaquille O´Neal', "Shaquille O'Neal"],
  ['マイク・トラウト', 'ﾏｲｸ･ﾄﾗｳﾄ'],
  ['\u1105\u1172\u1112\u1167\u11ab\u110c\u1175\u11ab', '류현진'],
]

test.each(alike)('%p and %p are one name', async (one, other) => {
  expect(wordsOf(one)).toEqual(wordsOf(other))
  const [row] = await db.sql`select name_fold(${one}) = name_fold(${other}) as same`
  expect(row?.same).toBe(true)
})

test.each([
  ['佐々木', ['佐々木']],
  ['龍ヶ崎ヶ丘', ['龍ヶ崎ヶ丘']],
  ['ルーキーゝ', ['ルーキーゝ']],
  ['マイク・トラウト', ['マイク', 'トラウト']],
  ['迈克·乔丹', ['迈克', '乔丹']],
  ['Gal·la', ['galla']],
  ['Monkey.D.Luffy', ['monkey', 'd', 'luffy']],
  ['J.R.Smith of St.Louis', ['jr', 'smith', 'of', 'st', 'louis']],
  ['1986—87', ['1986', '87']],
])('%p has the words %p', (text, words) => {
  expect(wordsOf(text)).toEqual(words)
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

test.each(near)('%p is near %p, and is found among other words', (word, name) => {
  expect(mistakesBetween(word, name)).toBeGreaterThan(0)
  const list = newWordList(() => [...near, ...far].flat())
  expect(list.like(word)).toContain(name)
})

test('the words like a word are all that have a few other letters, also once words come and go', () => {
  const letters = 'aeiklmnorst'
  const wordOf = (seed: number) => {
    const length = 3 + (seed % 8)
    return Array.from({ length }, (_, at) => letters[Math.floor(seed / 7 ** at + at * seed) % letters.length]).join('')
  }
  const some = new Set(Array.from({ length: 3000 }, (_, seed) => wordOf(seed)))
  const list = newWordList(() => some)
  list.like('maroni')
  for (let seed = 3000; seed < 3200; seed++) if (!some.has(wordOf(seed))) list.add(wordOf(seed))
  for (let seed = 3000; seed < 3200; seed++) some.add(wordOf(seed))
  for (const word of [...some].filter((_, no) => no % 5 === 0)) {
    list.drop(word)
    some.delete(word)
  }
  for (const [no, kept] of [...some].filter(({ length }, no) => length > 4 && no % 60 === 0).entries()) {
    const word = kept.slice(0, 1 + (no % 3)) + kept.slice(2 + (no % 3))
    const near = [...some].filter((other) => other !== word && mistakesBetween(word, other) !== undefined)
    expect(new Set(list.like(word)).isSupersetOf(new Set(near))).toBe(true)
    expect(near).toContain(kept)
  }
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

test('a word that no name has may be two, the first of which is one of a name', async () => {
  const people = newKnownPeople()
  const person = { type: 'players', key: '', aliases: null, audience: 2, live: 0, published: 0 } as const
  people.put({ ...person, id: '00000000-0000-0000-0000-000000000001', name: 'Dela Cruzes' })
  people.put({ ...person, id: '00000000-0000-0000-0000-000000000002', name: 'El De La Paz' })
  const { split } = await meantBy(
    { people, sets: newKnownSets(), codes: newKnownCodes(), titles: newKnownTitles(), version: 1 },
    ['delacruz', 'cruzes', 'ken'],
  )
  expect([...split]).toEqual([
    [
      'delacruz',
      [
        ['de', 'lacruz'],
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
])('%p sounds like %p', (one, other) => {
  expect(soundOf(one)).toBe(soundOf(other) as string)
  expect(newWordList(() => [other, 'other']).like(one)).toContain(other)
})

test.each([
  ['schmidt', 'smdt'],
  ['yastrzemski', 'astrsmsk'],
  ['wright', 'rgt'],
  ['xavier', 'kfr'],
  ['quentin', 'kntn'],
  ['aaron', 'arn'],
  ['eye', 'a'],
  ['bbb', 'b'],
])('%p sounds as %p', (word, sound) => {
  expect(soundOf(word)).toBe(sound)
})

test('words with other letters, digits or hardly any letters have no sound', () => {
  expect(['大谷', 'u14', 'jr', ''].map(soundOf)).toEqual([undefined, undefined, undefined, undefined])
})
