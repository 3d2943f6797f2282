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

test('after a call for several asks, the next one waits a moment for more if it is told to', async () => {
  const calls: number[][] = []
  const ask = batched(
    async (asks: number[]) => {
      calls.push(asks)
      return asks
    },
    { ...limits, most: 10, gatherMilliseconds: 100 },
  )
  await ask(1)
  await ask(2)
  await Promise.all([3, 4, 5, 6].map(ask))
  const first = ask(7)
  for (let turn = 0; turn < 10; turn++) await new Promise(setImmediate)
  await Promise.all([first, ask(8)])
  expect(calls).toEqual([[1], [2], [3, 4, 5, 6], [7, 8]])
})
