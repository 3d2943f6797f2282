import { describe, expect, test } from 'bun:test'
import { readReadiness } from '../../../../src/operations/analytics/readiness/report.ts'
import { isOfLast } from '../../../../src/operations/analytics/readiness/seasons.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { concurrentDatabase } from '../../../support/database.ts'
import { aDocument, aName, factories, setStatus } from '../../../support/factories.ts'
import { secondsToNoon } from '../../../support/noon.ts'
import { aCardImage } from '../../../support/worlds.ts'

const app = await testApp({ offsetSeconds: secondsToNoon() })
const { db, clock, operator } = app
const make = factories(app)
const path = '/internal/analytics/sales-readiness'
const thisYear = clock.now().getUTCFullYear()

type Season = { genre: string | null; year: string } & Record<string, number | string | null>
const read = async (query = '') => {
  const { status, headers, text } = await operator.get(`${path}${query}`)
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  return JSON.parse(text) as { generated_at: string; seasons: Season[]; months: Record<string, number | string>[] }
}
const rowOf = async (genre: Shown | null, query = '') =>
  (await read(query)).seasons.filter(({ genre_id }) => genre_id === (genre?.id ?? null))
const year = (name: string) => make.year({ name })
const todo = (set: Shown, step: string, status: string) =>
  operator.post(`/internal/sets/${set.id}/todos`, aDocument('set_todos', { step, status }))

describe('GET /internal/analytics/sales-readiness', () => {
  test('counts for each genre and season what its sets have', async () => {
    const [genre, season] = [await make.genre(), await year(`${thisYear - 1}-${String(thisYear).slice(2)}`)]
    const [first, second, third] = [
      await make.set({ genre, year: season }),
      await make.set({ genre, year: season, status: 'published' }),
      await make.set({ genre, year: season }),
    ]
    const cards = [await make.card({ set: first }), await make.card({ set: second }), await make.card({ set: second })]
    for (const card of [cards[0], cards[1], cards[1]]) await aCardImage(app, card as Shown)
    await make.setSource(first)
    await make.setSource(first)
    for (const step of ['discover_sources', 'fetch', 'parse', 'populate', 'validate', 'publish'])
      await todo(second, step, step === 'fetch' ? 'skipped' : 'completed')
    await todo(second, 'audit', 'pending')
    await todo(first, 'discover_sources', 'completed')
    expect(await rowOf(genre)).toEqual([
      {
        ...{ genre: genre.attributes.name as string, genre_id: genre.id, year: season.attributes.name as string },
        ...{ year_id: season.id, sets: 3, published_sets: 1, cards: 3, cards_with_image: 2, sets_with_sources: 1 },
        workflows_complete: 1,
      },
    ])
    await operator.delete(`/v1/sets/${first.id}`)
    await operator.delete(`/v1/cards/${cards[1]?.id}`)
    await operator.delete(`/v1/sets/${third.id}`)
    expect(await rowOf(genre)).toMatchObject([
      { sets: 1, published_sets: 1, cards: 1, cards_with_image: 0, sets_with_sources: 0, workflows_complete: 1 },
    ])
  })
  test('shows the seasons of the last five years, or of as many as are asked for, the newest first', async () => {
    const genre = await make.genre()
    const names = [0, 1, 4, 5, 40].map((ago) => `${thisYear - ago} ${aName('Series')}`)
    for (const name of [...names, 'undated', `${thisYear + 1} to come`])
      await make.set({ genre, year: await year(name) })
    const shown = async (query?: string) => (await rowOf(genre, query)).map((row) => row.year)
    expect(await shown()).toEqual(names.slice(0, 3))
    expect(await shown('?years=6')).toEqual(names.slice(0, 4))
    expect(await shown('?years=1')).toEqual(names.slice(0, 1))
    expect(await shown('?years=1000')).toEqual(names)
  })
  test('shows sets without a genre, and nothing of a set without a year', async () => {
    await make.set({ year: await year(`${thisYear} Loose`) })
    await make.set()
    expect(await rowOf(null)).toMatchObject([{ genre: null, year: `${thisYear} Loose`, sets: 1 }])
  })
  test('shows what each of the last months added to what is published, the newest first', async () => {
    const before = await read()
    expect(before.months).toHaveLength(12)
    const first = (ago: number) => {
      const now = clock.now()
      return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago, 1)).toISOString()
    }
    expect(before.months.map(({ month }) => month)).toEqual(
      Array.from({ length: 12 }, (_, ago) => first(ago).slice(0, 7)),
    )
    const keep = (day: string, sets: number, cards: number) => db.sql`
      insert into stats_days (day, counts) values (${day}::date, ${JSON.stringify({ sets, cards })}::text::jsonb)`
    await keep(first(3), 10, 100)
    await keep(`${first(3).slice(0, 8)}15`, 12, 150)
    await keep(`${first(1).slice(0, 8)}02`, 11, 400)
    const set = await make.set()
    await make.card({ set })
    await setStatus(app, set, 'published')
    const [published] = await db.sql<{ sets: number; cards: number }[]>`
      select (select count(*) from sets where audience = 2)::int as sets,
        (select sum(live_cards) from sets where audience = 2)::int as cards`
    const after = (await read('?months=5')).months.map(({ published_sets, published_cards }) => [
      published_sets,
      published_cards,
    ])
    expect(after).toEqual([
      [(published?.sets ?? 0) - 11, (published?.cards ?? 0) - 400],
      [-1, 250],
      [0, 0],
      [12, 150],
      [0, 0],
    ])
  })
  test('is aligned plain text where a table is asked for', async () => {
    const genre = await make.genre({ name: 'Fußball 足球 of all kinds' })
    const set = await make.set({ genre, year: await year(`${thisYear}/28`), status: 'published' })
    await make.card({ set })
    const { status, headers, text } = await operator.get(`${path}?format=table&months=2`, { Accept: 'text/plain' })
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const [title = '', seasons = '', months = ''] = text.split('\n\n')
    expect(title).toStartWith('Sales readiness, ')
    const lines = seasons.split('\n')
    expect(lines[0]).toMatch(/^Genre +Season +Sets +Published +Cards +With image +With sources +Workflows complete$/)
    expect(new Set(lines.map((line) => Bun.stringWidth(line))).size).toBe(1)
    expect(lines.find((line) => line.includes('足球'))).toMatch(
      /^Fußball 足球 of all kinds +\d{4}\/28 +1 +1 +1 +0 +0 +0$/,
    )
    expect(months.trimEnd().split('\n')).toHaveLength(3)
  })
  test('refuses a bad parameter with 422, and one that it does not know with 400', async () => {
    const refused = async (query: string) => {
      const { status, faults } = await operator.get(`${path}?${query}`)
      return [status, ...faults.map((fault) => fault.split(' ')[1])]
    }
    for (const value of ['0', '-1', '1.5', 'five', '', '1e3', '1001'])
      expect(await refused(`years=${value}`)).toEqual([422, 'years'])
    for (const value of ['0', '1201', '%00']) expect(await refused(`months=${value}`)).toEqual([422, 'months'])
    expect(await refused('format=csv&years=x&months=y')).toEqual([422, 'format', 'years', 'months'])
    expect(await refused('page=1')).toEqual([400, 'page'])
  })
})

test('the name of a year says whether it is of the last years', () => {
  const now = new Date('2026-11-21T12:00:00Z')
  const [these, others] = [
    ['2026', '2022', '2021-22', '2021/2022', '2026-27', 'Series 2 (2024)', '2025–26'],
    ['2021', '2020-21', '2027', '2027-28', '1999-00', 'undated', '20255', ''],
  ]
  for (const name of these) expect([name, isOfLast(5, name, now)]).toEqual([name, true])
  for (const name of others) expect([name, isOfLast(5, name, now)]).toEqual([name, false])
  expect(isOfLast(27, '1999-00', now)).toBe(true)
})

const server = await concurrentDatabase('a report that takes too long')
test.skipIf(!server)('a report that takes too long is given up', async () => {
  if (!server) return
  const asked = { now: clock.now(), deadlineMilliseconds: 200 }
  await server.transaction(async (tx) => {
    await tx.sql`lock table years in access exclusive mode`
    await expect(readReadiness(server, { years: 5, months: 12 }, asked)).rejects.toThrow()
  })
  const patient = { ...asked, deadlineMilliseconds: 60_000 }
  expect((await readReadiness(server, { years: 5, months: 12 }, patient)).months).toHaveLength(12)
  await server.close()
})
