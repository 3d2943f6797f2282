import { expect, test } from 'bun:test'
import { editDistance } from '../../../src/lib/edit-distance.ts'

test('the distance counts letters that are added, left out, changed or swapped', () => {
  expect(editDistance('', '')).toBe(0)
  expect(editDistance('PORT', '')).toBe(4)
  expect(editDistance('PORT', 'PORT')).toBe(0)
  expect(editDistance('PROT', 'PORT')).toBe(1)
  expect(editDistance('PORTS', 'PORT')).toBe(1)
  expect(editDistance('DATBASE_ULR', 'DATABASE_URL')).toBe(2)
  expect(editDistance('HOSTNAME', 'HOST')).toBe(4)
})
