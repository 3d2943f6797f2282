import { arrayOfTexts } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'

/** The arguments of a statement built from parts. `add` returns the text that refers to the argument. */
export type Arguments = { values: unknown[]; add: (value: unknown, type: string) => string }

/** Arguments for a new statement. Lists are sent as array text, which the database parses. */
export const newArguments = (): Arguments => {
  const values: unknown[] = []
  return {
    values,
    add: (value, type) => `$${values.push(Array.isArray(value) ? arrayOfTexts(value) : value)}::${type}`,
  }
}

/** The one row of a statement with these arguments. */
export const readRow = async <Row extends object>(
  { sql }: Queryable,
  statement: string,
  { values }: Arguments,
): Promise<Row | undefined> => (await sql.unsafe<Row[]>(statement, values as never[], { prepare: true }))[0]

/** Joins conditions with `and`. True if there are none. */
export const allOf = (conditions: string[]) => (conditions.length > 0 ? conditions.join(' and ') : 'true')
