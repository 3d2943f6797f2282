import { type TSchema, Type } from '@sinclair/typebox'
import { levelOf } from '../../access/caller.ts'
import type { Call, Route } from '../../http/route.ts'
import { invalidParameter, notFound } from '../../jsonapi/errors.ts'
import { date, integer, isDate, oneOf } from '../../jsonapi/fields.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { capital } from '../../lib/capital.ts'
import {
  hostedCounts,
  hostedGrowth,
  hostedSchemas,
  hostedSnapshots,
  hostedStats,
  readEntityType,
} from './hosted/stats.ts'
import { type Counts, countNames, readCounts, readDrafts, readGrowth, readSnapshots } from './stats.ts'

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
const countsSchema = Type.Object({ ...counts, data: hostedSchemas.counts() }, { $id: 'StatsCounts' })
const dayList = Type.Array(Type.Object({ date: date(), ...counts }))
const snapshotsSchema = Type.Object({ days: dayList, data: hostedSchemas.snapshots() }, { $id: 'StatsSnapshots' })
const growthSchema = Type.Object({ days: dayList, data: hostedSchemas.growth() }, { $id: 'StatsGrowth' })
const typeSchema = Type.Object({ data: hostedSchemas.stats() }, { $id: 'StatsOfType' })
const snapshotsExample = [{ date: '2026-11-21', ...countsExample }]

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
  operationId: `getStats${capital(name.replace(':', ''))}`,
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

const periods = { '7d': 7, '30d': 30, '90d': 90, week: 7, month: 30 } as const

const typeParameter = { schema: oneOf(countNames), description: 'One type alone, in the singular or the plural.' }

const periodParameters = {
  ...daysParameter,
  period: { schema: oneOf(Object.keys(periods)), description: 'What `data` compares with now. Defaults to `days`.' },
}

const snapshotParameters = {
  ...daysParameter,
  entity_type: typeParameter,
  from: { schema: date(), description: 'The first day in `data`.' },
  to: { schema: date(), description: 'The last day in `data`.' },
}

/** How many records are published: now, at the end of each day, and how many each day added. */
export const statsRoutes: Route[] = [
  statsRoute(
    'counts',
    'Count the published catalog',
    countsSchema,
    { ...countsExample, ...hostedCounts(countsExample, undefined) },
    {},
    async ({ db }, call) => {
      refuseUnknown(call.url.searchParams)
      const seesDrafts = levelOf(call.caller) === 1
      const [published, drafts] = await Promise.all([readCounts(db), seesDrafts ? readDrafts(db) : undefined])
      return { status: 200, body: { ...published, ...hostedCounts(published, drafts) } }
    },
  ),
  statsRoute(
    'snapshots',
    'List the counts by day',
    snapshotsSchema,
    { days: snapshotsExample, ...hostedSnapshots(snapshotsExample, 'cards', null, null) },
    snapshotParameters,
    async ({ db }, call) => {
      const given = readGiven(call, ['days', 'entity_type', 'from', 'to'])
      const type = given.entity_type === undefined ? undefined : requireType(given.entity_type)
      const [from, to] = [readDay(given, 'from'), readDay(given, 'to')]
      const list = await readSnapshots(db, call.now, from && given.days === undefined ? days.most : readDays(given))
      const between = list.filter((day) => (!from || day.date >= from) && (!to || day.date <= to))
      return { status: 200, body: { days: list, ...hostedSnapshots(between, type, from, to) } }
    },
  ),
  statsRoute(
    'growth',
    'List the growth by day',
    growthSchema,
    {
      days: [{ date: '2026-11-21', ...countsExample, cards: 132, sets: 1 }],
      ...hostedGrowth('7d', countsExample, { ...countsExample, cards: 144_009 }),
    },
    periodParameters,
    async ({ db }, call) => {
      const given = readGiven(call, ['days', 'period'])
      const { period } = given
      if (period !== undefined && !isPeriod(period))
        throw invalidParameter('period', `Must be one of ${Object.keys(periods).join(', ')}.`)
      const span = period === undefined ? readDays(given) : periods[period]
      const list = await readGrowth(db, call.now, given.days === undefined ? span : readDays(given))
      const [current, added] = await Promise.all([readCounts(db), readGrowth(db, call.now, span)])
      const previous = before(current, added)
      return { status: 200, body: { days: list, ...hostedGrowth(period ?? `${span}d`, current, previous) } }
    },
  ),
  {
    ...statsRoute(
      ':entity_type',
      'List the counts of one type by day',
      typeSchema,
      hostedStats('cards', snapshotsExample, countsExample.cards),
      daysParameter,
      async ({ db }, call) => {
        const span = readDays(readGiven(call, ['days']))
        const type = readEntityType(call.params.entity_type ?? '')
        if (!type) throw notFound()
        const list = await readSnapshots(db, call.now, span)
        return { status: 200, body: hostedStats(type, list, list.at(-1)?.[type] ?? 0) }
      },
    ),
    operationId: 'getStatsOfType',
    params: {
      entity_type: {
        schema: oneOf(countNames),
        description: 'A type, in the singular or the plural.',
        example: 'cards',
      },
    },
    refusals: [400, 404],
  },
]

/** The counts before what these days added. */
const before = (current: Counts, added: Counts[]): Counts =>
  Object.fromEntries(
    countNames.map((name) => [name, current[name] - added.reduce((sum, day) => sum + day[name], 0)]),
  ) as Counts

type Given = Partial<Record<string, string>>

const readGiven = ({ url }: Call, known: string[]): Given => {
  refuseUnknown(url.searchParams, known)
  return Object.fromEntries(known.map((name) => [name, url.searchParams.getAll(name).at(-1)]))
}

const requireType = (given: string) => {
  const type = readEntityType(given)
  if (!type) throw invalidParameter('entity_type', `Must be one of ${countNames.join(', ')}.`)
  return type
}

const readDay = (given: Given, name: 'from' | 'to') => {
  const value = given[name]
  if (value !== undefined && !isDate(value)) throw invalidParameter(name, 'Must be a date such as 2026-11-21.')
  return value ?? null
}

const isPeriod = (value: string): value is keyof typeof periods => Object.hasOwn(periods, value)

const readDays = ({ days: value }: Given) => {
  if (value === undefined) return days.standard
  const number = /^\d{1,3}$/.test(value) ? Number(value) : 0
  if (number >= 1 && number <= days.most) return number
  throw invalidParameter('days', `Must be an integer from 1 to ${days.most}.`)
}
