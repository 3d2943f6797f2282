import { type TSchema, Type } from '@sinclair/typebox'
import type { Call, Route } from '../../http/route.ts'
import { invalidParameter } from '../../jsonapi/errors.ts'
import { date, integer } from '../../jsonapi/fields.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { capital } from '../../lib/capital.ts'
import { countNames, readCounts, readGrowth, readSnapshots } from './stats.ts'

const days = { standard: 30, most: 366 }

const counts = Object.fromEntries(countNames.map((name) => [name, integer()]))
const countsExample = {
  cards: 144_141,
  sets: 2188,
  players: 9120,
  teams: 214,
  brands: 61,
  manufacturers: 12,
  genres: 6,
  years: 48,
  card_images: 310,
}
const countsSchema = Type.Object(counts, { $id: 'StatsCounts' })
const daysSchema = Type.Object({ days: Type.Array(Type.Object({ date: date(), ...counts })) }, { $id: 'StatsDays' })

/** A public statistic about the published catalog: flat JSON, the same for every caller. */
const statsRoute = (
  name: string,
  summary: string,
  schema: TSchema,
  example: unknown,
  query: Route['query'],
  handle: Route['handle'],
): Route => ({
  method: 'GET',
  path: `/v1/stats/${name}`,
  operationId: `getStats${capital(name)}`,
  summary,
  description: 'Published data only, for every caller.',
  tag: 'Stats',
  access: 'public',
  flat: true,
  query,
  answers: { 200: { description: 'The figures.', schema, example } },
  refusals: [400],
  handle,
})

const daysParameter = {
  days: {
    schema: Type.Integer({ minimum: 1, maximum: days.most, default: days.standard }),
    description: 'How many days back, including today. Days on which the service didn’t run are missing.',
    example: 7,
  },
}

/** How many records are published: now, at the end of each day, and how many each day added. */
export const statsRoutes: Route[] = [
  statsRoute('counts', 'Count the published catalog', countsSchema, countsExample, {}, async ({ db }, call) => {
    refuseUnknown(call.url.searchParams)
    return { status: 200, body: await readCounts(db) }
  }),
  statsRoute(
    'snapshots',
    'List the counts by day',
    daysSchema,
    { days: [{ date: '2026-11-21', ...countsExample }] },
    daysParameter,
    async ({ db }, call) => ({
      status: 200,
      body: { days: await readSnapshots(db, call.now, readDays(call)) },
    }),
  ),
  statsRoute(
    'growth',
    'List the growth by day',
    daysSchema,
    { days: [{ date: '2026-11-21', ...countsExample, cards: 132, sets: 1 }] },
    daysParameter,
    async ({ db }, call) => ({
      status: 200,
      body: { days: await readGrowth(db, call.now, readDays(call)) },
    }),
  ),
]

const readDays = (call: Call) => {
  refuseUnknown(call.url.searchParams, ['days'])
  const value = call.url.searchParams.getAll('days').at(-1)
  if (value === undefined) return days.standard
  const number = /^\d{1,3}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= days.most) return number
  throw invalidParameter('days', `Must be an integer from 1 to ${days.most}.`)
}
