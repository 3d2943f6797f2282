import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)

const unown = await make.set({
  name: '2001 Neo Discovery',
  year: await make.year({ name: '2001' }),
  status: 'published',
})
const numbers = new Map<string, string>()
for (const number of ['?', '!', '5', '110', '1-10', '98T', 'OP01–001', '320', 'ＲＣ７']) {
  const { id } = await make.card({ set: unown, number, title: 'Unown' })
  numbers.set(id, number)
}

const find = async (q: string) => {
  const answer = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}&filter[type]=cards&sort=number`)
  expect([q, answer.status]).toEqual([q, 200])
  return answer.many.map(({ id }) => numbers.get(id))
}

test.each([
  ['#?', ['?']],
  ['#!', ['!']],
  ['unown #?', ['?']],
  ['number:?', ['?']],
  ['number:!', ['!']],
  ['number:"?"', ['?']],
  ['＃？', ['?']],
  ['number:#320', ['320']],
  ['no:#320', ['320']],
  ['number:#319..#321', ['320']],
  ['＃３２０', ['320']],
  ['#1-10', ['1-10']],
  ['number:"1‐10"', ['1-10']],
  ['#op01-001', ['OP01–001']],
  ['number:op01−001', ['OP01–001']],
  ['#rc7', ['ＲＣ７']],
  ['#98-t', ['98T']],
  ['unown –#?', ['!', '1-10', '5', '98T', '110', '320', 'OP01–001', 'ＲＣ７']],
  ['serial:#/25', []],
])('%p finds the numbers %p', async (q, found) => {
  expect(new Set(await find(q))).toEqual(new Set(found))
})

test.each([
  ['number:1-10', 'number:1..10'],
  ['no:1–10 unown', 'number:1..10 unown'],
  ['serial:5-10', 'serial:5..10'],
  ['year:1989|1985', '(year:1989 OR year:1985)'],
  ['year:1989,1985', '(year:1989 OR year:1985)'],
  ['set:neo|base', '(set:neo OR set:base)'],
  ['code:RC,AU', '(code:RC OR code:AU)'],
  ['is:rookie|auto', '(is:rookie OR is:auto)'],
  ['#5|6', '#5 OR #6'],
  ['!#1', '#1'],
  ['!unown', '!"unown"'],
  ['!!"unown"', '!"unown"'],
  ['abc # def', 'abc def'],
  ['unown # ?', 'unown #?'],
  ['unown #', 'unown'],
  ['unown year:', 'unown'],
  ['neo"unown"', 'neo "unown"'],
  ['unown OR', 'unown'],
  ['OR unown', 'unown'],
  ['unown -', 'unown'],
  ['unown NOT', 'unown'],
  ['unown |', 'unown'],
  ['(unown', '(unown)'],
  ['number:10..1', 'number:1..10'],
  ['serial:10..1', 'serial:1..10'],
  ['year:1990..1985', 'year:1985..1990'],
  ['year:1990-1985', 'year:1985..1990'],
])('%p is refused with the suggestion %p, which can be read', async (q, suggestion) => {
  const answer = await app.reader.get(`/v2/search?q=${encodeURIComponent(q)}`)
  expect([answer.status, answer.document.errors?.[0]?.meta]).toEqual([400, { suggestion }])
  expect((await app.reader.get(`/v2/search?q=${encodeURIComponent(suggestion)}`)).status).toBe(200)
})

test('a season stays a season, and years apart by a dash are a range', async () => {
  expect(await find('year:2001-02 number:5')).toEqual([])
  expect(await find('year:2000-05 number:5')).toEqual(['5'])
  expect(await find('year:2000-2005 number:5')).toEqual(['5'])
})
