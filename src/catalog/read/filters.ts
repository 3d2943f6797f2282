import { likePattern } from '../../jsonapi/query.ts'
import type { ListName } from '../door/tallies.ts'
import type { Filter } from '../resource.ts'

/** A foreign key, exact only; where `list` is given, its tally holds the total. */
export const references = (column: string, noun: string, list?: ListName): Filter => ({
  kind: 'uuid',
  description: `The id of a ${noun}.`,
  example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  where: (sql, { value }) => sql`t.${sql.unsafe(column)} = ${value}::uuid`,
  tally: list ? (id) => ({ list, id }) : undefined,
})

/**
 * A name: exact, case included, or with `like:` any part of it without case. `key` is the column of the lower-cased name,
 * which the index holds.
 */
export const matching = (column: string, key: string, noun: string): Filter => ({
  kind: 'matching',
  description: `The ${noun}, exactly; \`like:\` before it finds any part of it, without case.`,
  example: 'like:topps',
  partOf: key,
  where: (sql, { value, like }) =>
    like
      ? likeName(sql, key, value)
      : sql`t.${sql.unsafe(key)} collate "C" = lower(${value}) and t.${sql.unsafe(column)} = ${value}`,
})

/** A part of a lower-cased name. Under three characters the trigram index would be read whole: the text is searched instead. */
export const likeName = (sql: Parameters<Filter['where']>[0], key: string, value: string) =>
  !isLong(value)
    ? sql`strpos(t.${sql.unsafe(key)}, lower(${value})) > 0`
    : sql`t.${sql.unsafe(key)} like lower(${likePattern(value)})`

/** Whether a part of a name is long enough for the trigram index. */
export const isLong = (value: string) => [...value].length >= 3
