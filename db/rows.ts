import { getTableColumns, getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { arrayOf, arrayOfTexts } from './arrays.ts'

/** The names of columns that a writer can set, which are those that the database doesn't generate. */
export type ColumnName<Table extends PgTable> = keyof Table['$inferInsert'] & string

/**
 * Rows as the FROM item of a set-wise statement. `from` is `unnest($1::uuid[], …) as n (id, …)`, and `values` are its arrays.
 */
type BoundRows = { from: string; values: string[] }

/**
 * Binds rows to a set-wise statement, one array per column, with names and types from the table. `null` and missing values are
 * NULL. The first array is the parameter `$first`.
 */
export const bindRows = <Table extends PgTable, Name extends ColumnName<Table>>(
  table: Table,
  names: readonly Name[],
  rows: readonly { [N in Name]?: Table['$inferSelect'][N] | null }[],
  first = 1,
): BoundRows => {
  const columns = getTableColumns(table)
  const types = names.map((name) => columns[name]?.getSQLType() as string)
  return {
    from: `unnest(${types.map((type, index) => `$${first + index}::${type}[]`).join(', ')}) as n (${names.join(', ')})`,
    values: names.map((name, index) => {
      const column = rows.map((row) => (row[name] ?? null) as string | number | boolean | null)
      return isQuoted.has(types[index] as string) ? arrayOfTexts(column as (string | null)[]) : arrayOf(column)
    }),
  }
}

/** A statement that inserts rows, of which there must be at least one. */
export const insertRows = <Table extends PgTable, Name extends ColumnName<Table>>(
  table: Table,
  names: readonly Name[],
  rows: readonly { [N in Name]?: Table['$inferSelect'][N] | null }[],
): { text: string; values: string[] } => {
  const { from, values } = bindRows(table, names, rows)
  const list = names.join(', ')
  return { text: `insert into ${getTableName(table)} (${list}) select ${list} from ${from}`, values }
}

/** The types whose texts may need escaping in an array. */
const isQuoted: ReadonlySet<string> = new Set(['text', 'jsonb'])

/** The ids of the rows that a statement returns. */
export const idsOf = async (found: PromiseLike<readonly { id: string }[]>): Promise<string[]> =>
  (await found).map(({ id }) => id)
