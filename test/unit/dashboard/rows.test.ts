import { expect, test } from 'bun:test'
import { emptyRow, numberAfter } from '../../../src/dashboard/browser/edit/entry/rows.ts'

test.each([
  ['57', '58'],
  ['9', '10'],
  ['099', '100'],
  ['009', '010'],
  ['RC-9', 'RC-10'],
  ['US1-20', 'US1-21'],
  ['57b', ''],
  ['', ''],
  ['9'.repeat(40), `1${'0'.repeat(40)}`],
])('after “%s” comes “%s”', (number, next) => {
  expect(numberAfter(number)).toBe(next)
})

test('each row has an id of its own, a random UUID', () => {
  const [one, other] = [emptyRow('1').id, emptyRow('1').id]
  expect(one).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(one).not.toBe(other)
})
