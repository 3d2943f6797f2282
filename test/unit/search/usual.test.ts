import { expect, test } from 'bun:test'
import { noticeUsual } from '../../../src/catalog/search/usual.ts'

test('of any number of statements forty that come again are prepared, and stay so', () => {
  const isUsual = noticeUsual()
  const texts = Array.from({ length: 200 }, (_, no) => `select ${no}`)
  expect(texts.filter(isUsual)).toEqual([])
  const prepared = texts.filter(isUsual)
  expect(prepared).toEqual(texts.slice(0, 40))
  expect(texts.filter(isUsual)).toEqual(prepared)
})
