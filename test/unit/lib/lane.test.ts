import { describe, expect, test } from 'bun:test'
import { type Lane, openLane } from '../../../src/lib/lane.ts'
import { turn } from '../../../src/lib/yield-to-event-loop.ts'

const open = (waiting = 2) =>
  openLane({ atOnce: 2, waiting, full: () => new Error('full'), left: () => new Error('left') })

/** Works that end when they are told to, and the order in which they began. */
const worksOn = (lane: Lane) => {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const add = (n: number, signal?: AbortSignal) =>
    lane(() => {
      begun.push(n)
      return new Promise<number>((resolve) => ends.set(n, () => resolve(n)))
    }, signal)
  const end = async (n: number) => {
    ends.get(n)?.()
    await turn()
  }
  return { begun, add, end }
}

describe('a lane', () => {
  test('runs so many at once, and the next in the order in which they came', async () => {
    const { begun, add, end } = worksOn(open())
    const [first, second, third, fourth] = [add(1), add(2), add(3), add(4)]
    await turn()
    expect(begun).toEqual([1, 2])
    await end(2)
    expect(await second).toBe(2)
    expect(begun).toEqual([1, 2, 3])
    await end(1)
    expect(await first).toBe(1)
    expect(begun).toEqual([1, 2, 3, 4])
    await end(4)
    await end(3)
    expect(await Promise.all([third, fourth])).toEqual([3, 4])
  })

  test('refuses who finds too many before, and takes the next when there is room', async () => {
    const { begun, add, end } = worksOn(open(1))
    const works = [add(1), add(2), add(3)]
    await expect(add(4)).rejects.toThrow('full')
    await end(1)
    await works[0]
    const last = add(5)
    await end(2)
    await works[1]
    await end(3)
    await end(5)
    expect(await last).toBe(5)
    expect(begun).toEqual([1, 2, 3, 5])
  })

  test('never begins the work of who left while waiting, and gives the place to another', async () => {
    const { begun, add, end } = worksOn(open(1))
    const leaving = new AbortController()
    const works = [add(1), add(2)]
    const left = add(3, leaving.signal)
    leaving.abort()
    await expect(left).rejects.toThrow('left')
    const next = add(4)
    await end(1)
    await end(2)
    await Promise.all(works)
    await end(4)
    expect(await next).toBe(4)
    expect(begun).toEqual([1, 2, 4])
    await expect(add(5, leaving.signal)).rejects.toThrow('left')
    expect(begun).toEqual([1, 2, 4])
  })

  test('goes on after a work that failed', async () => {
    const lane = open(0)
    const fail = () => lane(() => Promise.reject(new Error('broken')))
    for (let n = 0; n < 5; n++) await expect(fail()).rejects.toThrow('broken')
    expect(await lane(async () => 'well')).toBe('well')
  })
})
