import type { Sql } from '../../../db/client.ts'
import { likePattern } from '../../jsonapi/query.ts'
import type { ListName } from './counts.ts'
import type { Filter, Fragment } from './resource.ts'

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
  where: (sql, { value, like }) =>
    like
      ? hasPart(sql, key, value)
      : sql`t.${sql.unsafe(key)} collate "C" = lower(${value}) and t.${sql.unsafe(column)} = ${value}`,
  finds: (sql, value) => findsPart(sql, key, value),
})

/** A part of a lower-cased name. The part is lower-cased by a query of its own: once, and not at each row. */
export const hasPart = (sql: Sql, key: string, part: string): Fragment =>
  sql`strpos(t.${sql.unsafe(key)}, (select lower(${part}))) > 0`

/** What finds the part along the index of trigrams; that would be read whole for less than three characters. */
export const findsPart = (sql: Sql, key: string, part: string): Fragment =>
  isLong(part) ? sql`t.${sql.unsafe(key)} like (select lower(${likePattern(part)}))` : sql`true`

/** Whether a part of a name is long enough for the trigram index. */
export const isLong = (part: string) => [...part].length >= 3
