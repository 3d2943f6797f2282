import { afterAll, beforeAll, expect, test } from 'bun:test'
import { snapshotToday } from '../../../src/catalog/api/stats.ts'
import { openService } from '../card-images/service.ts'

let service: Awaited<ReturnType<typeof openService>>
beforeAll(async () => {
  service = await openService()
})
afterAll(() => service.close())

type Data<T> = { data: { type: string; attributes: T } }

const read = async <T>(path: string, as?: 'editor' | 'reader') => {
  const answer = await service.send('GET', `/v1/stats/${path}`, { as })
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as Data<T>
  expect(data.type).toBe('stats')
  return data.attributes
}
const on = (day: string) => {
  service.clock.at = new Date(`${day}T12:00:00Z`)
}
const cards = { entity_type: 'card', archived: 0 }

test('clients of a hosted service read counts, snapshots, growth and a type in data', async () => {
  await service.aCard()
  await service.aCard('draft')
  await snapshotToday(service.context.db, service.context.clock)
  type Counts = { counts: { entity_type: string; archived: number; total: number; published: number; draft: number }[] }
  const { counts } = await read<Counts>('counts')
  expect(counts.map(({ entity_type }) => entity_type)).toEqual([
    ...['card', 'set', 'player', 'team', 'brand', 'manufacturer', 'genre', 'year', 'card_image'],
  ])
  expect(counts[0]).toEqual({ ...cards, total: 1, published: 1, draft: 0 })
  expect((await read<Counts>('counts', 'reader')).counts[0]).toEqual({ ...cards, total: 1, published: 1, draft: 0 })
  expect((await read<Counts>('counts', 'editor')).counts[0]).toEqual({ ...cards, total: 2, published: 1, draft: 1 })

  on('2026-11-23')
  await service.aCard()
  await service.aCard()
  const day = (date: string, total: number) => ({ ...cards, date, total, published: total, draft: 0 })
  for (const type of ['card', 'cards', 'Cards'])
    expect(await read<object>(`snapshots?entity_type=${type}&from=2026-11-01&to=2026-11-30`)).toEqual({
      ...{ entity_type: 'card', from: '2026-11-01', to: '2026-11-30' },
      snapshots: [day('2026-11-21', 1), day('2026-11-23', 3)],
    })
  expect(await read<object>('snapshots?entity_type=card&from=2026-11-22')).toMatchObject({
    snapshots: [day('2026-11-23', 3)],
  })
  const all = await read<{ snapshots: object[] }>('snapshots')
  expect(all).toMatchObject({ entity_type: null, from: null, to: null })
  expect(all.snapshots).toHaveLength(18)

  for (const period of ['7d', '30d', '90d', 'week', 'month']) {
    const growth = await read<{ period: string; metrics: object[] }>(`growth?period=${period}`)
    expect(growth.period).toBe(period)
    expect(growth.metrics[0]).toEqual({
      ...{ entity_type: 'card', current: 3, previous: 0, change: 3, percentage_change: 100 },
    })
  }
  on('2026-11-29')
  expect((await read<{ metrics: object[] }>('growth?period=7d')).metrics[0]).toEqual({
    ...{ entity_type: 'card', current: 3, previous: 1, change: 2, percentage_change: 200 },
  })
  expect(await read<object>('card')).toMatchObject({ model: 'card', unit: 'day', count: 3 })
  expect(await read<object>('card_images')).toMatchObject({ model: 'card_image', count: 0 })
})

test('what is counted by nothing is a 404 in the path, and a 400 in the query', async () => {
  expect((await service.send('GET', '/v1/stats/clocks')).status).toBe(404)
  for (const query of ['snapshots?entity_type=clock', 'snapshots?from=x', 'growth?period=1y', 'card?from=2026-01-01'])
    expect([query, (await service.send('GET', `/v1/stats/${query}`)).status]).toEqual([query, 400])
})
