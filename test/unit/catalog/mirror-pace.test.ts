import { describe, expect, test } from 'bun:test'
import { paceSeconds, readAllowance, waitSeconds } from '../../../src/catalog/sync/mirror/pace.ts'

const starter = { limit: 1000, seconds: 86_400 }

describe('requests of a mirror', () => {
  test('of a Starter key last the day, however many are left', () => {
    for (const remaining of [999, 500, 7]) {
      const pace = paceSeconds({ ...starter, remaining }, false)
      expect(Math.ceil(starter.seconds / pace)).toBeLessThanOrEqual(remaining)
    }
    expect(paceSeconds({ ...starter, remaining: 0, seconds: 60 }, true)).toBeGreaterThan(60)
  })

  test('come at once while more is waiting, until a quarter of the window is left', () => {
    expect(paceSeconds({ ...starter, remaining: 251 }, true)).toBe(0)
    expect(paceSeconds({ ...starter, remaining: 250 }, true)).toBeGreaterThan(300)
  })

  test('wait long at the source where they are few', () => {
    expect([0, 1.8, 20.5, 86.4].map(waitSeconds)).toEqual([10, 10, 21, 30])
  })

  test('go by the clock of the source', () => {
    const headers = (date?: string) =>
      new Headers({
        ...{ 'X-RateLimit-Limit': '1000', 'X-RateLimit-Remaining': '9', 'X-RateLimit-Reset': '1795264200' },
        ...(date ? { Date: date } : {}),
      })
    const atSource = new Date((1_795_264_200 - 90) * 1000).toUTCString()
    expect(readAllowance(headers(atSource), 0)).toEqual({ limit: 1000, remaining: 9, seconds: 90 })
    expect(readAllowance(new Headers(), 0)).toBeUndefined()
  })
})
