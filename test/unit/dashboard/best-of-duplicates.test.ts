import { expect, test } from 'bun:test'
import { bestOf } from '../../../src/dashboard/browser/operations/curation/groups.ts'

const named = (name: string, cards_count = 1) => ({ id: name, name, cards_count, genres: [], years: [] })

test.each([
  [[named('Jose Ramirez', 9), named('José Ramírez')], 'José Ramírez'],
  [[named('Ronald AcuÃ±a', 9), named('Ronald Acuna', 2), named('Ronald Acuña')], 'Ronald Acuña'],
  [[named('ROGERS HORNSBY', 9), named('Rogers Hornsby')], 'Rogers Hornsby'],
  [[named('JOSÉ RAMÍREZ', 9), named('Jose Ramirez')], 'Jose Ramirez'],
  [[named('Cal Ripken Jr'), named('Cal Ripken Jr.', 3)], 'Cal Ripken Jr.'],
])('of %j the best written stays, and of equals the one with most cards: %s', (records, best) => {
  expect(bestOf(records)?.name).toBe(best)
})
