import { expect, test } from 'bun:test'
import { fragmentOf, readFragment } from '../../../src/dashboard/browser/collection/share.ts'

const ids = (count: number) => Array.from({ length: count }, () => crypto.randomUUID())

test('a link that shows a collection says which cards of which sets, by the ends of their ids', () => {
  const collection = [
    { set: crypto.randomUUID(), have: ids(142), want: ids(3) },
    { set: crypto.randomUUID(), have: [], want: ids(1) },
  ]
  const shown = readFragment(fragmentOf(collection))
  expect(shown).toEqual(
    collection.map(({ set, have, want }) => ({
      ...{ set, have: have.map((id) => id.slice(-8)), want: want.map((id) => id.slice(-8)) },
    })),
  )
})

test('142 cards of a set take less than a thousand characters', () => {
  expect(fragmentOf([{ set: crypto.randomUUID(), have: ids(142), want: [] }]).length).toBeLessThan(1000)
})

test('tens of thousands of cards fit a link, and what is cut off or another fragment shows nothing', () => {
  const fragment = fragmentOf([{ set: crypto.randomUUID(), have: ids(70_000), want: [] }])
  expect(readFragment(fragment)?.[0]?.have).toHaveLength(70_000)
  for (const other of [fragment.slice(0, -4), '#checklist', '', '#show1=%', `${fragment.slice(0, 20)}`])
    expect(readFragment(other)).toBeUndefined()
})
