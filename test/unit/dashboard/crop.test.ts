import { expect, test } from 'bun:test'
import { type Cut, firstCut, isUncut, partOf, within } from '../../../src/dashboard/browser/edit/images/crop.ts'

const cut = (values: Partial<Cut>): Cut => ({
  ...{ quarterTurns: 0, shape: 'portrait', zoom: 1, across: 0.5, down: 0.5, ...values },
})

test.each([
  ['a wide picture loses its sides', { width: 1000, height: 700 }, {}, { x: 250, y: 0, width: 500, height: 700 }],
  ['a high one its ends', { width: 500, height: 1000 }, {}, { x: 0, y: 150, width: 500, height: 700 }],
  [
    'turned once, sides are ends',
    { width: 1000, height: 500 },
    { quarterTurns: 1 },
    { x: 0, y: 150, width: 500, height: 700 },
  ],
  [
    'the part lies where it was put',
    { width: 1000, height: 700 },
    { across: 1 },
    { x: 500, y: 0, width: 500, height: 700 },
  ],
  [
    'a larger picture is a smaller part',
    { width: 500, height: 700 },
    { zoom: 2 },
    { x: 125, y: 175, width: 250, height: 350 },
  ],
  [
    'the whole is all of it, turned',
    { width: 300, height: 200 },
    { shape: 'whole', quarterTurns: 3 },
    { x: 0, y: 0, width: 200, height: 300 },
  ],
] as const)('%s', (_, picture, values, part) => {
  const found = partOf(picture, cut(values))
  for (const [name, value] of Object.entries(part)) expect(found[name as 'x']).toBeCloseTo(value, 6)
})

test('a picture in the shape of a card is left whole, any other is cut to it', () => {
  expect(isUncut(firstCut({ width: 1500, height: 2100 }))).toBe(true)
  expect(firstCut({ width: 2100, height: 1500 }).shape).toBe('whole')
  expect(firstCut({ width: 1000, height: 900 }).shape).toBe('landscape')
  expect(firstCut({ width: 900, height: 1600 }).shape).toBe('portrait')
})

test('what is uploaded is never larger than it was, and at most so long', () => {
  expect(within({ width: 500, height: 700 }, 2400)).toEqual({ width: 500, height: 700 })
  expect(within({ width: 5000, height: 7000 }, 2400)).toEqual({ width: 1714, height: 2400 })
})
