import { expect, test } from 'bun:test'
import { parseQuery } from '../../../src/catalog/search/parse.ts'

const words = (text: string, more: object = {}) => ({
  excludes: false,
  wanted: { kind: 'words', words: text.toLowerCase().split(' '), text, isPhrase: false, ...more },
})

test('words, phrases, fields and signs are terms', () => {
  const { terms, faults } = parseQuery(
    'Jordan "Chicago Bulls" #57 /25 player:"michael jordan" -SET:update serial:<=99 is:rookie',
  )
  expect(faults).toEqual([])
  expect(terms).toEqual([
    words('Jordan'),
    words('Chicago Bulls', { isPhrase: true }),
    { excludes: false, wanted: { kind: 'number', number: '57' } },
    { excludes: false, wanted: { kind: 'serial', comparison: '=', limit: 25 } },
    words('michael jordan', { isPhrase: true, field: 'player' }),
    { ...words('update', { field: 'set' }), excludes: true },
    { excludes: false, wanted: { kind: 'serial', comparison: '<=', limit: 99 } },
    { excludes: false, wanted: { kind: 'mark', mark: 'rookie' } },
  ] as never)
})

test('a season is one term of two words, and signs alone mean nothing', () => {
  expect(parseQuery('1986-87 Fleer & / !').terms).toEqual([
    { excludes: false, wanted: { kind: 'words', words: ['1986', '87'], text: '1986-87', isPhrase: false } },
    words('Fleer'),
  ] as never)
})

test.each([
  ['', [0]],
  ['   ', [0]],
  ['& !', [0]],
  ['-jordan', [0]],
  ['-a -b', [0]],
  ['jordan -', [7]],
  ['jordan --bulls -- ""', [15, 18]],
  ['#', [0]],
  ['a #', [2]],
  ['zork:1', [0]],
  ['ok zork:1 blah:"two words" fine', [3, 10]],
  ['player:', [0]],
  ['player: jordan', [0]],
  ['player:""', [0]],
  ['jordan "chicago bulls', [7]],
  ['serial:many', [0]],
  ['serial:<=1000000000', [0]],
  ['serial:=>5', [0]],
  ['number:', [0]],
  ['is:good', [0]],
  ['is:', [0]],
  // A code point outside the basic plane counts once.
  ['👍👍 é zork:1', [5]],
  ['🏀 is:good', [2]],
])('%p is at fault at %p', (q, places) => {
  const { faults } = parseQuery(q)
  expect(faults.map(({ at }) => at)).toEqual(places)
})

test('a query has at most 255 characters and 20 words', () => {
  expect(parseQuery(`${'👍'.repeat(254)}a`).faults).toEqual([])
  expect(parseQuery('a'.repeat(256)).faults).toHaveLength(1)
  expect(parseQuery('a '.repeat(20)).faults).toEqual([])
  expect(parseQuery('a '.repeat(25)).faults.map(({ at }) => at)).toEqual([40])
})

test('nothing that is typed breaks it', () => {
  const signs = [
    '"',
    '-',
    '#',
    '/',
    ':',
    'is:',
    'player:',
    'serial:<',
    "'",
    '\\',
    '%',
    '~',
    '!',
    '(',
    ' ',
    '\n',
    'é',
    '🏀',
    '\u0301',
    '𝕁',
  ]
  let seed = 1
  const next = () => {
    seed = (seed * 48271) % 2147483647
    return signs[seed % signs.length]
  }
  for (let run = 0; run < 3000; run++) {
    const q = Array.from({ length: run % 17 }, next).join('')
    const { terms, faults } = parseQuery(q)
    expect(terms.length + faults.length).toBeGreaterThan(0)
    for (const { at } of faults) expect(at).toBeLessThanOrEqual([...q].length)
  }
})
