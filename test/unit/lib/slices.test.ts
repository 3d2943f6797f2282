import { expect, test } from 'bun:test'
import { mapInSlices, mapInTurns, turn } from '../../../src/lib/yield-to-event-loop.ts'

/** Some work of a tenth of a millisecond. */
const laborious = (n: number) => {
  for (const began = performance.now(); performance.now() - began < 0.1; );
  return n * 2
}
const numbers = Array.from({ length: 1000 }, (_, n) => n)
const doubled = numbers.map((n) => n * 2)

test('long lists keep their order, and others have many turns before they are through', async () => {
  let [turns, isThrough] = [0, false]
  const others = (async () => {
    for (; !isThrough; turns++) await turn()
  })()
  const all = await Promise.all([1, 2, 3].map(() => mapInSlices(numbers, laborious)))
  isThrough = true
  await others
  expect(all).toEqual([doubled, doubled, doubled])
  expect(turns).toBeGreaterThan(20)
})

test('what fails in a slice fails the list, and the next one is done', async () => {
  const failing = (n: number) => {
    if (n === 500) throw new Error('half way')
    return n
  }
  await expect(mapInSlices(numbers, failing)).rejects.toThrow('half way')
  expect(await mapInSlices(numbers, (n) => n * 2)).toEqual(doubled)
})

test('between items that take long, others have a turn', async () => {
  let turns = 0
  const count = () => void setImmediate(() => turns++)
  const seen = await mapInTurns(['a', 'b', 'c'], (item, no) => {
    const before = turns
    count()
    for (const began = performance.now(); performance.now() - began < 10; );
    return [item, no, before]
  })
  expect(seen).toEqual([
    ['a', 0, 0],
    ['b', 1, 1],
    ['c', 2, 2],
  ])
})
