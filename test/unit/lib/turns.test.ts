import { expect, test } from 'bun:test'
import { type Asking, openTurns } from '../../../src/lib/fair-queue.ts'

/** Turns that write down who began, in order. */
const aLine = (shares: Parameters<typeof openTurns>[0]) => {
  const turns = openTurns(shares)
  const began: string[] = []
  const ask = (name: string, more: Partial<Asking> = {}) => {
    const asking: Asking = { key: name[0] as string, begin: () => void began.push(name), ...more }
    turns.ask(asking)
    return asking
  }
  return { turns, began, ask }
}

test('callers are served in turn, however many one of them asks for', () => {
  const { turns, began, ask } = aLine({ places: 1, each: 1 })
  const first = ask('a1')
  const [a2, b1, c1] = [ask('a2'), ask('b1'), ask('c1')]
  const [a3, b2] = [ask('a3'), ask('b2')]
  for (const one of [first, a2, b1, c1, a3]) turns.leave(one)
  expect(began).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2'])
  turns.leave(b2)
  expect(turns.counts()).toEqual({ running: 0, waiting: 0 })
})

test('of one caller so many have a place, and what is left is for others', () => {
  const { turns, began, ask } = aLine({ places: 8, each: 2 })
  const [a1] = ['a1', 'a2', 'a3', 'a4'].map((name) => ask(name)) as [Asking]
  ask('b1')
  expect(began).toEqual(['a1', 'a2', 'b1'])
  turns.leave(a1)
  expect(began).toEqual(['a1', 'a2', 'b1', 'a3'])
  expect(turns.waitingFor('a')).toBe(1)
})

test('what is heavy shares a lane, and lets what is not pass', () => {
  const { turns, began, ask } = aLine({ places: 4, each: 4, heavy: 1 })
  const heavy = ask('a1', { isHeavy: true })
  ask('b1', { isHeavy: true })
  ask('b2')
  expect(began).toEqual(['a1', 'b2'])
  turns.leave(heavy)
  expect(began).toEqual(['a1', 'b2', 'b1'])
})

test('what is urgent goes before everybody, and what works for many is not bound by one caller’s share', () => {
  const { turns, began, ask } = aLine({ places: 2, each: 1 })
  const first = ask('m1', { isForMany: true })
  ask('m2', { isForMany: true })
  ask('a1')
  ask('g1', { isUrgent: true })
  turns.leave(first)
  expect(began).toEqual(['m1', 'm2', 'g1'])
})

test('who is forgotten never begins, and nobody is lost behind them', () => {
  const { turns, began, ask } = aLine({ places: 1, each: 1 })
  const first = ask('a1')
  const left = ask('b1')
  ask('c1')
  turns.forget(left)
  turns.leave(first)
  expect(began).toEqual(['a1', 'c1'])
  expect(turns.counts()).toEqual({ running: 1, waiting: 0 })
})
