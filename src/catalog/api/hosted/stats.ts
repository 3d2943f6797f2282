import { Type } from '@sinclair/typebox'
import { integer, nullable, oneOf, text } from '../../../jsonapi/fields.ts'
import { type CountName, type Counts, countNames } from '../stats.ts'

/** What a hosted service calls what is counted: the singular. */
const singular = (name: CountName) => name.replace(/s$/, '')

/** The type that a request means: in the singular or the plural, in any case, with `-` or `_`. Undefined if nothing is counted by it. */
export const readEntityType = (given: string): CountName | undefined => {
  const name = given.toLowerCase().replaceAll('-', '_')
  return countNames.find((one) => one === name || singular(one) === name)
}

/** Drafts are 0 for who may not see them. Deleted records, which a hosted service calls archived, are not counted. */
const counted = (name: CountName, published: number, draft = 0) => ({
  ...{ entity_type: singular(name), total: published + draft, published, draft, archived: 0 },
})

const document = <Attributes>(attributes: Attributes) => ({ data: { type: 'stats', id: 'stats', attributes } })

/** The counts as clients of a hosted service read them. */
export const hostedCounts = (counts: Counts, drafts: Counts | undefined) =>
  document({ counts: countNames.map((name) => counted(name, counts[name], drafts?.[name])) })

/** The counts by day, of one type or of all. */
export const hostedSnapshots = (
  days: ({ date: string } & Counts)[],
  name: CountName | undefined,
  from: string | null,
  to: string | null,
) =>
  document({
    entity_type: name ? singular(name) : null,
    ...{ from, to },
    snapshots: days.flatMap(({ date, ...counts }) =>
      (name ? [name] : countNames).map((one) => ({ date, ...counted(one, counts[one]) })),
    ),
  })

/** How the counts changed between two days. */
export const hostedGrowth = (period: string, current: Counts, previous: Counts) =>
  document({
    period,
    metrics: countNames.map((name) => {
      const change = current[name] - previous[name]
      const percentage = previous[name] === 0 ? (change === 0 ? 0 : 100) : (change / previous[name]) * 100
      return {
        ...{ entity_type: singular(name), current: current[name], previous: previous[name], change },
        percentage_change: Math.round(percentage * 100) / 100,
      }
    }),
  })

/** What each day added to a type, and its count then. */
export const hostedStats = (name: CountName, days: ({ date: string } & Counts)[], total: number) => {
  const added = days.map((day, index) => ({
    date: day.date,
    count: day[name] - (days[index - 1]?.[name] ?? 0),
    total: day[name],
  }))
  return document({ model: singular(name), unit: 'day', count: total, stats: added })
}

const entityType = () => ({ ...oneOf(countNames.map(singular)), description: 'What was counted.' })

const hosted = (attributes: Parameters<typeof Type.Object>[0]) =>
  Type.Object({ type: Type.Literal('stats'), id: text(), attributes: Type.Object(attributes) })

const countFields = {
  entity_type: entityType(),
  total: integer(0),
  published: integer(0),
  draft: integer(0),
  archived: integer(0),
}

/** The schemas of the member `data` of each statistic. */
export const hostedSchemas = {
  counts: () => hosted({ counts: Type.Array(Type.Object(countFields)) }),
  snapshots: () =>
    hosted({
      ...{ entity_type: nullable(text()), from: nullable(text()), to: nullable(text()) },
      snapshots: Type.Array(Type.Object({ date: text(), ...countFields })),
    }),
  growth: () =>
    hosted({
      period: text(),
      metrics: Type.Array(
        Type.Object({
          ...{ entity_type: entityType(), current: integer(0), previous: integer(0), change: integer() },
          percentage_change: Type.Number(),
        }),
      ),
    }),
  stats: () =>
    hosted({
      ...{ model: entityType(), unit: Type.Literal('day'), count: integer(0) },
      stats: Type.Array(Type.Object({ date: text(), count: integer(), total: integer(0) })),
    }),
}
