import { expect, test } from 'bun:test'
import { parseQuery, queryLimits } from '../../../src/catalog/search/language/parse.ts'
import { tokensOf } from '../../../src/catalog/search/language/tokens.ts'

const units = [')', '(', '-', '- ', '! ', '佐 ', '𠀀 ', '# ', '| ', 'OR ', 'NOT ', '/a/ ', 'year: ', '"', '-(', 'a ']
const repeated = (unit: string, length: number) => [...unit.repeat(length)].slice(0, length).join('')

test.each(units)('a text of sixteen times as many %p takes about that much longer to split', (unit) => {
  const [short, long] = [repeated(unit, 1000), repeated(unit, 16_000)]
  // Quadratic splitting takes 256 times as long.
  expect(soonest(() => tokensOf(long)) / soonest(() => times(16, () => tokensOf(short)))).toBeLessThan(6)
})

test.each(units)('a query of %p alone has at most three suggestions, and each can be read', (unit) => {
  const { faults } = parseQuery(repeated(unit, queryLimits.characters))
  const suggestions = faults.flatMap(({ suggestion }) => suggestion ?? [])
  expect(suggestions.length).toBeLessThanOrEqual(3)
  for (const one of suggestions) expect(parseQuery(one).faults).toEqual([])
})

test('a query says where each term is, in characters', () => {
  expect(tokensOf('𠀀  (佐 -𠀀b)').map(({ at, text }) => [at, text])).toEqual([
    [0, '𠀀'],
    [3, '('],
    [4, '佐'],
    [6, '-'],
    [7, '𠀀b'],
    [9, ')'],
  ])
})

/** The least processor time of some runs, in milliseconds: a busy machine adds none. */
const soonest = (work: () => unknown): number => {
  const runs = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.max(0.1, Math.min(...runs))
}

const times = (count: number, work: () => unknown) => {
  for (let n = 0; n < count; n++) work()
}
