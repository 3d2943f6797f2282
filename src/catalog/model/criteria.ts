import { everything, type ListName } from './counts.ts'
import type { AccessPath, Criterion, Filter, Resource, SortColumn } from './resource.ts'
import type { StoredType } from './tables.ts'

/** The tally that counts the rows with an id, and the types of the records that may have that id. */
type CountedBy = { list: ListName; of: readonly StoredType[] }

/** A filter by a to-one relationship's id. */
export const refersTo = (column: string, noun: string, counted?: CountedBy): Criterion => ({
  kind: 'uuid',
  description: `The id of a ${noun}.`,
  example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  column: `t.${column}`,
  equals: (value) => `t.${column} = ${value}`,
  tally: counted && ((id) => (id === null || id === everything ? undefined : { ...counted, id })),
})

/** The same for a nullable column. */
export const mayReferTo = (column: string, noun: string, counted?: CountedBy): Criterion => ({
  ...refersTo(column, noun, counted),
  nullable: true,
})

/** The id in a column of the row `t` as a reader is shown it: null if they can't see that record, a row of a table with an audience. */
export const shownId = (table: string, column: string) => (level: number) =>
  `(select r.id from ${table} r where r.id = t.${column} and r.audience >= ${level})`

/** The condition that a reader is shown no id. */
export const isNull = (shown: (level: number) => string) => (level: number) => `(${shown(level)}) is null`

/** A filter by a text whose lower-cased form is in the indexed column `key`. */
export const textIn = (column: string, key: string, noun: string): Criterion => ({
  kind: 'text',
  description: `The ${noun}.`,
  example: 'Topps',
  column: `t.${column}`,
  key: `t.${key}`,
  equals: (value) => `t.${column} = ${value}`,
  finds: (value) => `t.${key} collate "C" = lower(${value})`,
})

/** A filter by one of a few values. */
export const oneOfFew = (column: string, values: string[], noun: string): Criterion => ({
  kind: 'choice',
  values,
  description: `The ${noun}.`,
  example: values[0],
  column: `t.${column}`,
  equals: (value) => `t.${column} = ${value}`,
})

/** A filter by a date, a time or a number. */
export const measured = (column: string, kind: 'date' | 'time' | 'integer', description: string): Criterion => ({
  kind,
  description,
  example: { date: '1986-10-01', time: '2026-11-21T12:00:00.000Z', integer: '25' }[kind],
  column: `t.${column}`,
  equals: (value) => `t.${column} = ${value}`,
})

/** Sorts by a lower-cased text, byte by byte. */
export const byText = (key: string): SortColumn[] => [{ sql: `t.${key} collate "C"`, type: 'text' }]

const byTime = (column: string): SortColumn[] => [{ sql: `t.${column}`, type: 'timestamptz' }]

/** The sort keys of every resource. */
const timeSorts = { created_at: byTime('created_at'), updated_at: byTime('updated_at') }

/** The filters of every resource. */
const commonCriteria: Record<string, Criterion> = {
  id: { ...refersTo('id', 'record'), description: 'The ids of records.' },
  created_at: measured('created_at', 'time', 'When the record was created.'),
  updated_at: measured('updated_at', 'time', 'When the record last changed.'),
}

/** Every filter of a resource's list, by name. */
export const criteriaOf = (resource: Resource): Record<string, Criterion> => ({
  ...commonCriteria,
  ...resource.criteria,
})

/** The criterion of a filter. A filter without one is a bug: ignoring it would return too many records. */
export const criterionOf = (resource: Resource, name: string): Criterion => {
  const criterion = resource.criteria[name] ?? commonCriteria[name]
  if (!criterion) throw new Error(`${resource.type} have no criterion ${name}`)
  return criterion
}

/** Every sort key of a resource's list, the default one first. */
export const sortsOf = ({ api, sorts, sortsInV1 = sorts }: Resource): Record<string, SortColumn[]> => ({
  ...(api ? sorts : sortsInV1),
  ...timeSorts,
})

/** The default sort key of a list. */
export const firstSort = (resource: Resource): string => Object.keys(sortsOf(resource))[0] as string

/** A filter of /v1 by name: exact and case-sensitive, or with `like:` any part of the name, ignoring case. */
export const matching = (of: string, noun: string): Filter => ({
  of,
  like: 'part',
  description: `The exact ${noun}, or with \`like:\` in front any part of it, ignoring case.`,
  example: 'like:topps',
})

/** The indexes of every table: by id, by its default order (which may be a time), and by both times. */
export const usualPaths = (table: string, first: string): AccessPath[] => [
  { index: `${table}_pkey`, serves: ['id'] },
  ...new Set([first, 'created_at', 'updated_at']).values().flatMap((order) => {
    const index = `${table}_${order === first ? 'live' : order}`
    return [
      { index, serves: [], order },
      { index, serves: [order], order },
    ]
  }),
]
