import { afterAll, beforeAll, expect, test } from 'bun:test'
import { snapshotToday } from '../../../src/catalog/api/stats.ts'
import { openService } from '../card-images/service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Days = { days: Record<string, string | number>[] }

const read = async <T>(path: string) => {
  const answer = await service.send('GET', `/v1/stats/${path}`)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toContain('application/json')
  expect(answer.headers.has('x-ratelimit-limit')).toBe(true)
  return (await answer.json()) as T
}

/** The members that an answer has beside `data`, which test/routes/stats/hosted.test.ts reads. */
const readFlat = async <T>(path: string) => {
  const { data: _, ...flat } = await read<{ data: object }>(path)
  return flat as T
}

const none = {
  cards: 0,
  sets: 0,
  players: 0,
  teams: 0,
  brands: 0,
  manufacturers: 0,
  genres: 0,
  years: 0,
  card_images: 0,
}

const snapshot = () => snapshotToday(service.context.db, service.context.clock)
const on = (day: string) => {
  service.clock.at = new Date(`${day}T12:00:00Z`)
}

test('the days tell how the published catalog grew', async () => {
  expect(await readFlat<object>('counts')).toEqual(none)
  expect(Object.keys(await readFlat<object>('counts'))).toEqual(Object.keys(none))

  const first = await service.aCard()
  await service.aCard('draft')
  await service.upload(first.cardId)
  const genre = await service.create('genres', 'genres', { name: 'Basketball' })
  await service.create('genres', 'genres', { name: 'Used by nothing' })
  const withGenre = {
    data: { type: 'sets', id: first.setId, relationships: { genre: { data: { type: 'genres', id: genre } } } },
  }
  await service.send('PATCH', `/v1/sets/${first.setId}`, { as: 'editor', document: withGenre })
  const day1 = { ...none, cards: 1, sets: 1, genres: 1, card_images: 1 }
  expect(await readFlat<object>('counts')).toEqual(day1)
  expect(await readFlat<Days>('snapshots')).toEqual({ days: [{ date: '2026-11-21', ...day1 }] })
  expect(await readFlat<Days>('growth')).toEqual({ days: [{ date: '2026-11-21', ...day1 }] })

  await Promise.all([snapshot(), snapshot()])
  await snapshot()
  on('2026-11-22')
  await service.aCard()
  await snapshot()
  on('2026-11-24')
  await service.setStatus(first.setId, 'draft')
  const day2 = { ...none, cards: 2, sets: 2, genres: 1, card_images: 1 }
  const day4 = { ...none, cards: 1, sets: 1 }
  expect((await readFlat<Days>('snapshots')).days).toEqual([
    { date: '2026-11-21', ...day1 },
    { date: '2026-11-22', ...day2 },
    { date: '2026-11-24', ...day4 },
  ])
  expect((await readFlat<Days>('growth?days=3')).days).toEqual([
    { date: '2026-11-22', ...none, cards: 1, sets: 1 },
    { date: '2026-11-24', ...none, cards: -1, sets: -1, genres: -1, card_images: -1 },
  ])
  expect((await readFlat<Days>('snapshots?days=1')).days).toEqual([{ date: '2026-11-24', ...day4 }])
})

test('beside data, an operator is told no more than anybody', async () => {
  await service.aCard('draft')
  const answer = await service.send('GET', '/v1/stats/counts', { as: 'editor' })
  const { data: _, ...flat } = (await answer.json()) as { data: object }
  expect(flat).toEqual(await readFlat<object>('counts'))
})

test('an Accept without JSON:API is served', async () => {
  const answer = await service.send('GET', '/v1/stats/counts', { headers: { Accept: 'application/json' } })
  expect(answer.status).toBe(200)
})

test('days that are none, and unknown parameters, are named in a 400', async () => {
  for (const days of ['0', '367', '-1', '1.5', 'x', '', '1e2', '%00']) {
    const answer = await service.send('GET', `/v1/stats/growth?days=${days}`)
    const { errors } = (await answer.json()) as { errors: { code: string; source: object }[] }
    expect([answer.status, errors[0]?.code, errors[0]?.source]).toEqual([
      400,
      'INVALID_PARAMETER',
      { parameter: 'days' },
    ])
  }
  for (const path of ['counts?days=1', 'snapshots?page=1', 'growth?days=1&x=1'])
    expect((await service.send('GET', `/v1/stats/${path}`)).status).toBe(400)
  expect((await service.send('POST', '/v1/stats/counts')).status).toBe(405)
})
