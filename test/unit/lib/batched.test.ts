import { expect, test } from 'bun:test'
import { batched } from '../../../src/lib/batched.ts'

const limits = { atOnce: 1, most: 3, deadlineMilliseconds: 60_000, late: () => new Error('late') }

test('what is asked in one turn is one call, in order, up to the most that a call answers', async () => {
  const calls: number[][] = []
  const ask = batched(async (asks: number[]) => {
    calls.push(asks)
    await Bun.sleep(1)
    return asks.map((one) => one * 10)
  }, limits)
  expect(await Promise.all([1, 2, 3, 4].map(ask))).toEqual([10, 20, 30, 40])
  expect(calls).toEqual([[1, 2, 3], [4]])
})

test('a call that fails fails for its askers alone', async () => {
  const ask = batched(async (asks: number[]) => {
    if (asks.includes(1)) throw new Error('refused')
    return asks
  }, limits)
  const first = [1, 2].map((one) => ask(one).catch((error) => error.message))
  expect(await Promise.all(first)).toEqual(['refused', 'refused'])
  expect(await ask(3)).toBe(3)
})

test('a call that never ends does not hold up those after it', async () => {
  const ask = batched((asks: number[]) => (asks[0] === 1 ? new Promise<number[]>(() => {}) : Promise.resolve(asks)), {
    ...limits,
    deadlineMilliseconds: 50,
  })
  expect(await ask(1).catch((error) => error.message)).toBe('late')
  expect(await ask(2)).toBe(2)
})
