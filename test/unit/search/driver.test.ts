import { expect, test } from 'bun:test'
import { parseQuery } from '../../../src/catalog/search/language/parse.ts'
import { type TermNode, termsOf } from '../../../src/catalog/search/language/query.ts'
import type { Atom } from '../../../src/catalog/search/match/term-matches.ts'
import { driverOf } from '../../../src/catalog/search/rank/compile.ts'

const inSets = (cards: number): Atom => ({ of: 'kind', kind: 'base', cards, cost: 0 })
const onCards = (cards: number): Atom => ({ of: 'number', keys: ['1'], cards, cost: 0 })

/** The driver of a query, each of whose words has some cards of sets, and some that have it themselves. */
const driverFor = (q: string, found: Record<string, [ofSets: number, ofCards: number]>) => {
  const { node } = parseQuery(q)
  if (!node) throw new Error(q)
  const atomsOf = ({ wanted }: TermNode) => {
    const [ofSets, ofCards] = found[wanted.kind === 'words' ? wanted.text : ''] ?? [0, 0]
    return [...(ofSets ? [inSets(ofSets)] : []), ...(ofCards ? [onCards(ofCards)] : [])]
  }
  expect(termsOf(node).every((term) => atomsOf(term).length > 0)).toBe(true)
  const driver = driverOf(node, atomsOf, 150_000)
  if (typeof driver !== 'object') throw new Error(q)
  const text = ({ wanted }: TermNode) => (wanted.kind === 'words' ? wanted.text : '')
  return { words: driver.terms.map(text), ways: driver.atoms.map(({ of }) => of), cards: driver.cards }
}

test('sets that have all of several common words give the candidates, beside the cards that have one themselves', () => {
  const { words, ways, cards } = driverFor('1989 upper deck 1', {
    ...{ '1989': [11_000, 2], upper: [21_000, 0], deck: [15_000, 270], '1': [19_000, 1700] },
  })
  expect(words).toEqual(['upper', '1989', 'deck'])
  expect(ways).toEqual(['every', 'number', 'number'])
  expect(cards).toBeLessThan(2500)
})

test('a word that few cards have gives them alone', () => {
  const found = { '1989': [11_000, 0], topps: [76_000, 20], griffey: [0, 770] } as const
  expect(driverFor('1989 topps griffey', { ...found } as never)).toEqual({
    ...{ words: ['griffey'], ways: ['number'], cards: 770 },
  })
})

test('alternatives count as one of the words that sets have', () => {
  const { words } = driverFor('1989 (upper OR lower) deck', {
    ...{ '1989': [11_000, 0], upper: [21_000, 0], lower: [500, 0], deck: [15_000, 0] },
  })
  expect(words.toSorted()).toEqual(['1989', 'deck', 'lower', 'upper'])
})
