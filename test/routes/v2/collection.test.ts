import { expect, test } from 'bun:test'
import { idsOf, type Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set({ status: 'published' })
const hiddenSet = await make.set()
const [first, second, third] = [
  await make.card({ set, number: '10' }),
  await make.card({ set, number: 'RC-2' }),
  await make.card({ set, number: '10', title: 'Variation' }),
]
const hidden = await make.card({ set: hiddenSet, number: '10' })

const collect = (data: unknown, query = '') => app.reader.post(`/v2/cards/collection${query}`, { data })
const byId = ({ id }: Pick<Shown, 'id'>) => ({ type: 'cards', id })
const byNumber = (number: string, { id } = set) => ({ type: 'cards', set_id: id, number })

test('cards come in the order in which they were asked for, each once', async () => {
  const answer = await collect([
    byId(third),
    byNumber('RC-2'),
    byId(third),
    byId({ id: second.id.toUpperCase() }),
    byId(first),
  ])
  expect(answer.status).toBe(200)
  expect(idsOf(answer.many)).toEqual([third.id, second.id, first.id])
  expect(answer.meta).toEqual({ not_found: [] })
})

test('a number that several cards share gives all of them, by id', async () => {
  expect(idsOf((await collect([byNumber('10')])).many)).toEqual([first.id, third.id].toSorted())
})

test('what is not there, or hidden, is told as it was sent', async () => {
  const missing = [
    { type: 'cards', id: '0195A3C2-7D1E-7C3A-9D4E-2F6A8B0C1D2E' },
    byId(hidden),
    byNumber('010'),
    byNumber('10', hiddenSet),
    byNumber(''),
  ]
  const answer = await collect([...missing, byId(first)])
  expect([answer.status, idsOf(answer.many), answer.meta.not_found]).toEqual([200, [first.id], missing])
  const seen = await app.draftReader.post('/v2/cards/collection', { data: [byId(hidden), byNumber('10', hiddenSet)] })
  expect([idsOf(seen.many), seen.meta.not_found]).toEqual([[hidden.id], []])
})

test('fields and include are taken', async () => {
  const answer = await collect([byId(first)], '?include=set.genre&fields[cards]=number,set')
  expect(answer.many[0]?.attributes).toEqual({ number: '10' })
  expect(idsOf(answer.included)).toEqual([set.id])
  expect((await collect([byId(first)], '?sort=name')).faults).toEqual(['INVALID_PARAMETER sort'])
})

test('from 1 to 100 cards are asked for', async () => {
  expect((await collect(Array(100).fill(byId(first)))).status).toBe(200)
  for (const data of [[], Array(101).fill(byId(first))])
    expect((await collect(data)).faults).toEqual(['VALIDATION-FAILED /data'])
})

test('a body that is no list is a 400, and every faulty identifier is told at its place', async () => {
  for (const body of [{}, [], 'x', { data: {} }, { data: null }, 1])
    expect((await app.reader.post('/v2/cards/collection', body)).faults).toEqual(['BAD_REQUEST'])
  const data = [
    null,
    { type: 'players', id: first.id },
    { type: 'cards', id: 'x' },
    { type: 'cards' },
    { type: 'cards', set_id: set.id, number: 7 },
    { type: 'cards', set_id: set.id, number: 'a\u0000' },
    { type: 'cards', id: first.id, number: '1' },
    { type: 'cards', id: first.id, other: '1' },
  ]
  expect((await collect(data)).faults).toEqual([
    'VALIDATION-FAILED /data/0',
    'VALIDATION-FAILED /data/1/type',
    'VALIDATION-FAILED /data/2/id',
    'VALIDATION-FAILED /data/3/set_id',
    'VALIDATION-FAILED /data/3/number',
    'VALIDATION-FAILED /data/4/number',
    'VALIDATION-FAILED /data/5/number',
    'VALIDATION-FAILED /data/6',
    'VALIDATION-FAILED /data/7',
  ])
})

test('/cards/collection answers other methods with 405', async () => {
  for (const method of ['GET', 'HEAD', 'PATCH', 'DELETE']) {
    const answer = await app.operator.send(method, '/v2/cards/collection')
    expect([method, answer.status, answer.headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
  }
})

test('whoever reads may ask, nobody else', async () => {
  const statuses = async (caller: 'anonymous' | 'blindWriter' | 'unpaid') =>
    (await app[caller].post('/v2/cards/collection', { data: [byId(first)] })).status
  expect([await statuses('anonymous'), await statuses('blindWriter'), await statuses('unpaid')]).toEqual([
    401, 403, 402,
  ])
})
