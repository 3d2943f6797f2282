import { expect, test } from 'bun:test'
import { bitsOf, newBits } from '../../../src/catalog/search/name-cache/bits.ts'

const numbersIn = (bytes: Uint8Array) =>
  Array.from({ length: 8 * bytes.length }, (_, no) => no).filter((no) => ((bytes[no >> 3] as number) >> (no & 7)) & 1)

test('each number has the bit that get_bit of PostgreSQL reads, however large it is', () => {
  expect([...newBits().all()]).toEqual([])
  expect([...bitsOf([{ no: 0 }, { no: 9 }])]).toEqual([1, 2])
  const nos = [0, 1, 7, 8, 511, 512, 513, 4095, 100_000]
  expect(numbersIn(bitsOf(nos.toReversed().map((no) => ({ no }))))).toEqual(nos)
  const bits = newBits()
  for (const no of nos) bits.put(no, true)
  for (const no of [100_000, 7, 600]) bits.put(no, false)
  expect(numbersIn(bits.all())).toEqual([0, 1, 8, 511, 512, 513, 4095])
})
