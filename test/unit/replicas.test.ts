import { describe, expect, test } from 'bun:test'
import { openLag } from '../../db/replicas/lag.ts'
import { openPauses } from '../../db/replicas/pauses.ts'
import { nextMark, type PrimaryState } from '../../db/replicas/position.ts'

describe('how far a replica has to be', () => {
  const neededAfter = (...said: PrimaryState[]) =>
    said.reduce<ReturnType<typeof nextMark> | undefined>(nextMark, undefined)?.needed
  const first: PrimaryState = { catalog_state: '7', flushed: '0/FF', timeline: '00000001' }

  test('is what was on disk when this state of the catalog was first seen, however much is counted since', () => {
    expect(neededAfter(first, { ...first, flushed: '0/1FF' }, { ...first, flushed: '1/0' })?.lsn).toBe('0/FF')
  })
  test('moves with the state', () => {
    expect(neededAfter(first, { ...first, catalog_state: '8', flushed: '0/100' })?.lsn).toBe('0/100')
  })
  test('is all that is on disk while the state is unknown', () => {
    const unknown = { ...first, catalog_state: null }
    expect(neededAfter(unknown, { ...unknown, flushed: '0/100' })?.lsn).toBe('0/100')
  })
  test('moves with a new primary, also back', () => {
    const promoted = { ...first, flushed: '0/A0', timeline: '00000002' }
    expect(neededAfter(first, promoted)).toEqual({ lsn: '0/A0', timeline: '00000002' })
    expect(neededAfter(first, { ...first, flushed: '0/A0' })?.lsn).toBe('0/A0')
  })
})

test('a replica is as late as the time since the primary was where it is now', () => {
  const lag = openLag()
  lag.note('0/10', '0/10', 1000)
  expect(lag.seconds(1000)).toBe(0)
  lag.note('0/20', '0/10', 2000)
  lag.note('0/30', '0/1F', 3000)
  expect(lag.seconds(3500)).toBe(1.5)
  lag.note('0/40', '0/20', 4000)
  expect(lag.seconds(4000)).toBe(1)
  lag.note('0/40', undefined, 5000)
  expect(lag.seconds(5000)).toBe(2)
  lag.note('0/40', '0/40', 6000)
  expect(lag.seconds(6000)).toBe(0)
})

describe('a replica is left out', () => {
  test('for pauses that double up to a limit', () => {
    const pauses = openPauses()
    expect(Array.from({ length: 8 }, () => pauses.next('brief', 0))).toEqual([10, 20, 40, 80, 160, 320, 500, 500])
    expect(Array.from({ length: 7 }, () => pauses.next('long', 0))).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000])
  })
  test('for a short one again once it has served for a while', () => {
    const pauses = openPauses()
    const twice = [pauses.next('brief', 0), pauses.next('brief', 10)]
    pauses.well(100)
    expect([...twice, pauses.next('brief', 900)]).toEqual([10, 20, 40])
    pauses.well(1000)
    expect(pauses.next('brief', 2100)).toBe(10)
  })
})
