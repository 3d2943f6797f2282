import { arrayOfTexts } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'

/** The arguments of a statement built from parts; a part names an argument by the result of `add`. */
export type Arguments = { values: unknown[]; add: (value: unknown, type: string) => string }

/** Arguments for a new statement; a list of any type is sent as the array text that the database parses. */
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

/** Conditions joined by `and`; true if there are none. */
export const allOf = (conditions: string[]) => (conditions.length > 0 ? conditions.join(' and ') : 'true')
