import { expect, test } from 'bun:test'
import { firstFew } from '../../../src/lib/first-few.ts'

test('the first few of some values are those that sorting all puts first, and equal ones keep their order', () => {
  let seed = 3
  const below = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
    return Math.floor((seed / 2 ** 31) * limit)
  }
  for (const most of [1, 2, 26])
    for (const count of [0, 1, 25, 26, 27, 500]) {
      const values = Array.from({ length: count }, (_, no) => ({ rank: below(40), no }))
      const compare = (a: { rank: number }, b: { rank: number }) => a.rank - b.rank
      expect(firstFew(values, most, compare)).toEqual(values.toSorted(compare).slice(0, most))
    }
})
