import { expect, test } from 'bun:test'
import { readChanges } from '../../../src/dashboard/browser/operations/audit/audit-changes.ts'

test('what a set, a todo, a limit and a key were before is told beside what they are', () => {
  expect(readChanges({ name: '1990 Leaf', from: 'draft', to: 'published' })).toEqual({
    changes: [{ name: 'State', before: 'draft', after: 'published' }],
    facts: [{ name: 'Name', value: '1990 Leaf' }],
  })
  expect(readChanges({ step: 'fetch', status: 'completed', previous_status: 'pending' })).toEqual({
    changes: [{ name: 'Status', before: 'pending', after: 'completed' }],
    facts: [{ name: 'Step', value: 'fetch' }],
  })
  expect(
    readChanges({ before: { rate_limit: null }, after: { rate_limit: { limit: 5, per: [1, 2] }, pool: true } }),
  ).toEqual({
    changes: [
      { name: 'Rate limit', before: '–', after: 'Limit: 5, Per: [1,2]' },
      { name: 'Pool', before: '–', after: 'true' },
    ],
    facts: [],
  })
})

test('whatever else a program posted is told as it is', () => {
  expect(readChanges({ before: 'noon', from: 1, replaces: null })).toEqual({
    changes: [],
    facts: [
      { name: 'Before', value: 'noon' },
      { name: 'From', value: '1' },
      { name: 'Replaces', value: '–' },
    ],
  })
  expect(readChanges({})).toEqual({ changes: [], facts: [] })
})
