import type { Queryable } from '../../../db/client.ts'
import type { Resource, Row } from '../resource.ts'

/** One row of a resource, or undefined where it does not exist or is hidden at this level. */
export const findRow = async (
  db: Queryable,
  resource: Resource,
  id: string,
  level: number,
): Promise<Row | undefined> => {
  const [row] = await db.sql.unsafe<Row[]>(findStatement(resource, level), [id], { prepare: true })
  return row
}

const findStatements = new WeakMap<Resource, Map<number, string>>()

/** The statement of the hottest read, built once for each resource and level. */
const findStatement = (resource: Resource, level: number) => {
  const statements = findStatements.get(resource) ?? new Map<number, string>()
  findStatements.set(resource, statements)
  const statement =
    statements.get(level) ??
    `select ${resource.columns(level)} from ${resource.table} where t.id = $1::uuid and ${visibleText(resource, level)}`
  statements.set(level, statement)
  return statement
}

/** The visible rows among the ids, by type and in no order: one statement for any number of types. */
export const rowsOfTypes = async (
  db: Queryable,
  parts: { resource: Resource; ids: string[] }[],
  level: number,
): Promise<Map<string, Row[]>> => {
  const found = new Map<string, Row[]>()
  if (parts.length === 0) return found
  const statement = parts.map(
    ({ resource }, index) => `
      select '${resource.type}' as type, json_agg(row_to_json(r)) as rows from (
        select ${resource.columns(level)} from ${resource.table}
        where t.id = any($${index + 1}::uuid[]) and ${visibleText(resource, level)}
      ) r`,
  )
  const types = await db.sql.unsafe<{ type: string; rows: Row[] | null }[]>(
    statement.join(' union all '),
    parts.map(({ ids }) => ids),
    { prepare: true },
  )
  for (const { type, rows } of types) found.set(type, rows ?? [])
  return found
}

/** Under which condition a row is seen: a literal, so that the planner sees the partial index that serves it. */
export const visibleText = (resource: Resource, level: number) => resource.visible?.(level) ?? `t.audience >= ${level}`
