import { describe, expect, test } from 'bun:test'
import {
  longestNumberKey,
  mayBeOneNumber,
  numberKey,
  partsOfNumber,
  spellingsOfNumber,
} from '../../../src/catalog/model/card-number.ts'

const inOrder = (numbers: (string | null)[]) =>
  numbers.toSorted((a, b) => Buffer.compare(Buffer.from(numberKey(a)), Buffer.from(numberKey(b))))

/** The order that the key promises, written the slow way: runs of digits by value, other characters by code point. */
const compareSlowly = (a: string, b: string): number => {
  const [left, right] = [piecesOf(a), piecesOf(b)]
  for (let at = 0; at < Math.max(left.length, right.length); at += 1) {
    const [x, y] = [left[at], right[at]]
    if (x === undefined || y === undefined) return x === undefined ? -1 : 1
    if (x === y) continue
    if (typeof x === 'bigint' && typeof y === 'bigint') return x < y ? -1 : 1
    const [p, q] = [x, y].map((piece) => (typeof piece === 'bigint' ? '0' : piece))
    return (p ?? '') < (q ?? '') ? -1 : 1
  }
  return 0
}

const piecesOf = (text: string) =>
  (text.toLowerCase().match(/[0-9]+|[^0-9]/g) ?? []).map((piece) => (/[0-9]/.test(piece) ? BigInt(piece) : piece))

const createRandom = (seed: number) => () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0
  return seed / 2 ** 32
}

describe('the order of card numbers', () => {
  test('is natural: 2 before 10, RC-2 before RC-10, cards without a number last', () => {
    const sorted = ['1', '2', '2a', '2b', '10', '101', 'RC-2', 'RC-10', 'T-1', null]
    expect(inOrder(sorted.toReversed())).toEqual(sorted)
  })

  test('takes no notice of case, leading zeros, and white space around a number', () => {
    expect(numberKey('rc-007 ')).toBe(numberKey('RC-7'))
    expect(inOrder(['b-1', 'A-2', 'a-1'])).toEqual(['a-1', 'A-2', 'b-1'])
  })

  test('puts an empty number with those that are missing', () => {
    expect(numberKey('')).toBe(numberKey(null))
    expect(numberKey('  ')).toBe(numberKey(null))
    expect(inOrder([null, '\u{10ffff}', 'ÿ'])).toEqual(['ÿ', '\u{10ffff}', null])
  })

  test('reads full-width digits as digits and compares runs longer than any number type', () => {
    expect(numberKey('１０')).toBe(numberKey('10'))
    const [shorter, longer] = ['9'.repeat(200), `1${'0'.repeat(200)}`]
    expect(inOrder([longer, shorter])).toEqual([shorter, longer])
  })

  test('equals that of a slow comparison for any pair of made-up numbers', () => {
    const random = createRandom(57)
    const alphabet = ['0', '1', '2', '9', '10', '007', 'a', 'B', 'z', '-', '.', ' x', '000', '123456789', '99999999']
    const make = () =>
      Array.from({ length: 1 + Math.floor(random() * 5) }, () => alphabet[Math.floor(random() * alphabet.length)]).join(
        '',
      )
    for (let count = 0; count < 20_000; count += 1) {
      const [a, b] = [make().trim(), make().trim()]
      const byKey = Math.sign(Buffer.compare(Buffer.from(numberKey(a)), Buffer.from(numberKey(b))))
      expect([a, b, byKey]).toEqual([a, b, Math.sign(compareSlowly(a, b))])
    }
  })

  test('has keys of a bounded length for every number of 255 characters', () => {
    const worst = [
      '1a'.repeat(127),
      '9'.repeat(255),
      '😀'.repeat(255),
      '\ufdfa'.repeat(255),
      'İ'.repeat(255),
      '0'.repeat(255),
    ]
    for (const number of worst) {
      expect(Buffer.byteLength(numberKey(number))).toBeLessThanOrEqual(longestNumberKey)
      expect(numberKey(number).isWellFormed()).toBe(true)
    }
  })
})

describe('a number that may be another one, written in another way', () => {
  const partsOf = (number: string) => partsOfNumber(numberKey(number))
  const keysOf = (number: string) => spellingsOfNumber(partsOf(number))

  test.each([
    ['BCP-1', 'BCP1'],
    ['BCP-1', 'bcp 001'],
    ['BCP-1', 'BCP.1'],
    ['8a', '8-A'],
    ['T88A-1', 'T-88-a1'],
    ['4/102', '4'],
    ['4/102', '004/102'],
    ['TG12/TG30', 'TG-12'],
  ])('%s is %s', (one, other) => {
    expect(mayBeOneNumber(partsOf(one), partsOf(other))).toBe(true)
    for (const [number, sought] of [
      [one, other],
      [other, one],
    ] as const)
      expect(keysOf(sought).some((key) => numberKey(number) === key || numberKey(number).startsWith(`${key}/`))).toBe(
        true,
      )
  })

  test.each([
    ['1', '1a'],
    ['11', '1-1'],
    ['15', '1.5'],
    ['AB1', 'A-B1'],
    ['4/102', '4/130'],
    ['A/5', 'A'],
    ['1', ''],
  ])('%s is not %s', (one, other) => expect(mayBeOneNumber(partsOf(one), partsOf(other))).toBe(false))

  test('has few keys, however many places between letters and digits it has', () => {
    expect(keysOf('1')).toHaveLength(1)
    expect(keysOf('BCP-1')).toHaveLength(4)
    expect(keysOf('a1'.repeat(100)).length).toBeLessThan(40)
  })
})
