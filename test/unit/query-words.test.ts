import { expect, test } from 'bun:test'
import { narrowingWords, withWord } from '../../src/dashboard/browser/catalog/query-words.ts'

test.each([
  ['jordan set:"base set" -rookie', ['set:"base set"', '-rookie'], ['jordan -rookie', 'jordan set:"base set"']],
  ['year>=1989 is:auto', ['year>=1989', 'is:auto'], ['is:auto', 'year>=1989']],
  ['RC-2 "michael jordan" #57', [], []],
  ['jordan OR is:auto', [], []],
  ['(is:auto jordan)', [], []],
  ['', [], []],
])('the words that narrow %p can each be left out', (query, words, without) => {
  const found = narrowingWords(query)
  expect(found.map(({ word }) => word)).toEqual(words)
  expect(found.map((one) => one.without)).toEqual(without)
})

test('a value that narrows is added as a phrase', () => {
  expect(withWord('jordan', 'set', 'The "Best"')).toBe('jordan set:"The Best"')
  expect(withWord('jordan OR pippen', 'year', '1990')).toBe('(jordan OR pippen) year:"1990"')
  expect(withWord('"this OR that"', 'year', '1990')).toBe('"this OR that" year:"1990"')
})
