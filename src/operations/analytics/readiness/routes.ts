import { Type } from '@sinclair/typebox'
import type { Context } from '../../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../../http/route.ts'
import { type Fault, validationFailed } from '../../../jsonapi/errors.ts'
import { oneOf } from '../../../jsonapi/fields.ts'
import { refuseUnknown } from '../../../jsonapi/query.ts'
import { reportSchema } from './document.ts'
import { readReadiness } from './report.ts'
import { renderTable } from './table.ts'

const table = 'text/plain'
const formats = ['json', 'table']
const standard = { years: 5, months: 12 }
/** With ten million cards in 50,000 sets, the report takes about two seconds. Anything slower than this gets a 503. */
const deadlineMilliseconds = 10_000
/** A request for more than these is a mistake. */
const most = { years: 1000, months: 1200 }

const handle = async ({ db }: Context, { url, now }: Call): Promise<Reply> => {
  const { format, ...span } = readAsked(url.searchParams)
  const report = await readReadiness(db, span, { now, deadlineMilliseconds })
  return format === 'table'
    ? { status: 200, mediaType: `${table}; charset=utf-8`, body: renderTable(report) }
    : { status: 200, body: report }
}

/** Reads the query. All faults are reported in one 422. */
const readAsked = (search: URLSearchParams) => {
  refuseUnknown(search, ['format', 'years', 'months'])
  const faults: Fault[] = []
  const format = search.getAll('format').at(-1) ?? 'json'
  if (!formats.includes(format)) faults.push({ parameter: 'format', detail: `Must be one of ${formats.join(', ')}.` })
  const positive = (parameter: 'years' | 'months') => {
    const value = search.getAll(parameter).at(-1)
    if (value === undefined) return standard[parameter]
    const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
    if (number < 1 || number > most[parameter])
      faults.push({ parameter, detail: `Must be an integer from 1 to ${most[parameter]}.` })
    return number
  }
  const years = positive('years')
  const months = positive('months')
  if (faults.length > 0) throw validationFailed(faults)
  return { format, years, months }
}

const example = {
  generated_at: '2026-11-21T12:00:00.000Z',
  seasons: [
    {
      genre: 'Basketball',
      genre_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d33',
      year: '2025-26',
      year_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d34',
      sets: 48,
      published_sets: 31,
      cards: 9120,
      cards_with_image: 4410,
      sets_with_sources: 40,
      workflows_complete: 29,
    },
  ],
  months: [{ month: '2026-11', published_sets: 3, published_cards: 642 }],
}

/** How much of the catalog is ready to sell. */
export const salesReadinessRoutes: Route[] = [
  {
    ...flatForOperators,
    method: 'GET',
    path: '/internal/analytics/sales-readiness',
    operationId: 'getSalesReadiness',
    summary: 'How much of the catalog is ready to sell',
    description:
      'How far the sets of the last years have come, by genre and season, and what was published in each of the last months. With `format=table`, the answer is aligned plain text. Returns 503 if counting takes too long.',
    query: {
      format: {
        schema: Type.Unsafe<string>({ ...oneOf(formats), default: 'json' }),
        description: 'The format of the report.',
        example: 'json',
      },
      years: {
        schema: Type.Integer({ minimum: 1, maximum: most.years, default: standard.years }),
        description: 'How many calendar years of seasons, including this one.',
        example: 5,
      },
      months: {
        schema: Type.Integer({ minimum: 1, maximum: most.months, default: standard.months }),
        description: 'How many calendar months, including this one.',
        example: 12,
      },
    },
    answers: {
      200: {
        description: 'The report.',
        schema: reportSchema,
        example,
        others: { [table]: { schema: Type.String(), example: renderTable(example) } },
      },
    },
    refusals: [422],
    handle,
  },
]
