import { arrayOf } from '../../../db/arrays.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import { batched } from '../../lib/batched.ts'
import { apiOf, type Resource } from '../model/resource.ts'

/** Rows of one type that are wanted. */
type Wanted = { resource: Resource; ids: string[] }

/** What was found, by type and id. */
type Found = Map<string, Map<string, string>>

/** An expression for the rows of a subselect `r`, in its order, as one text: the driver reads one value instead of hundreds. */
export const rowsAsText = `string_agg(row_to_json(r)::text, E'\\x1e')`

/** The JSON texts of rows, from one text of them all; no JSON has the separator in it. */
export const splitRows = (text: string | null | undefined): string[] => (text ? text.split('\u001e') : [])

/** The texts of the rows of a select, in its order. */
export const readTexts = async (
  { sql }: Queryable,
  select: string,
  values: (string | string[])[],
): Promise<string[]> => {
  const statement = `select ${rowsAsText} as rows from (${select}) r`
  const [found] = await sql.unsafe<{ rows: string | null }[]>(statement, values, { prepare: true })
  return splitRows(found?.rows)
}

/** The id in a row's text: every resource selects its id first. */
export const idOfText = (text: string) => text.slice(7, 43)

/** The text of one row, or undefined if it does not exist or is hidden at this level. */
export const findRow = async (
  db: Queryable,
  resource: Resource,
  id: string,
  level: number,
): Promise<string | undefined> => (await rowsOfTypes(db, [{ resource, ids: [id] }], level)).get(resource.type)?.get(id)

/** The text of a row that was just written, as it is shown at this level, which may not see the row itself. */
export const findWritten = async (
  db: Queryable,
  resource: Resource,
  id: string,
  level: number,
): Promise<string | undefined> =>
  (await rowsOfTypes(db, [{ resource, ids: [id] }], level, 1)).get(resource.type)?.get(id)

/** As `findRow`, in one statement with the other reads by id of this turn. Not for transactions. */
export const loadRow = (db: Database, resource: Resource, id: string, level: number): Promise<string | undefined> =>
  loaderOf(db.shared, resource, level)(id)

type LoadRow = (id: string) => Promise<string | undefined>

const rowLoaders = new WeakMap<Database, Map<Resource, LoadRow[]>>()

const loaderOf = (db: Database, resource: Resource, level: number): LoadRow => {
  const ofAll = rowLoaders.getOrInsertComputed(db, () => new Map<Resource, LoadRow[]>())
  const ofLevels = ofAll.getOrInsertComputed(resource, () => [])
  ofLevels[level] ??= batched(async (ids: string[]) => {
    const found = (await rowsOfTypes(db, [{ resource, ids }], level)).get(resource.type)
    return ids.map((id) => found?.get(id))
  }, batchLimits)
  return ofLevels[level]
}

/** The rows among the ids that are seen `from` a level: one statement for any number of types. */
const rowsOfTypes = async (db: Queryable, parts: Wanted[], level: number, from = level): Promise<Found> => {
  const found: Found = new Map()
  if (parts.length === 0) return found
  const rows = await db.sql.unsafe<{ type: string; rows: string | null }[]>(
    parts.map((part, index) => statementOf(part.resource, level, index + 1, from)).join(' union all '),
    parts.map(({ ids }) => arrayOf(ids)),
    { prepare: true },
  )
  for (const { type, rows: text } of rows) found.set(type, new Map(splitRows(text).map((row) => [idOfText(row), row])))
  return found
}

const statements = new WeakMap<Resource, Map<string, string>>()

const statementOf = (resource: Resource, level: number, argument: number, from: number) =>
  statements
    .getOrInsertComputed(resource, () => new Map<string, string>())
    .getOrInsertComputed(
      `${level} ${argument} ${from}`,
      () => `select '${resource.type}' as type, (
      select ${rowsAsText} from (
        select ${resource.columns(level)} from ${resource.table}
        where t.id = any($${argument}::uuid[]) and ${visibleText(resource, from)}
      ) r
    ) as rows`,
    )

/** Limits of batched reads: each statement stays short, and nobody waits for a connection that is gone. */
export const batchLimits = { atOnce: 2, most: 100, deadlineMilliseconds: 8000, late: unavailable }

const loaders = new WeakMap<Database, Map<string, (asked: Wanted[]) => Promise<Found>>>()

/** Up to `shared` rows are read together with other requests'; more than `usual` go to `db.heavy`, the lane for long reads. */
const mostRows = { shared: 100, usual: 1000 }

/**
 * The visible rows among the ids. Requests for a few rows in the same turn of the event loop share one statement; one for many
 * has a statement of its own. All are of one version of the API, which has its own columns. Not for transactions.
 */
export const loadRows = (db: Database, asked: Wanted[], level: number): Promise<Found> => {
  const rows = asked.reduce((count, { ids }) => count + ids.length, 0)
  if (rows > mostRows.shared) return rowsOfTypes(rows > mostRows.usual ? db.heavy : db, asked, level)
  if (!asked[0]) return Promise.resolve(new Map())
  const known = loaders.getOrInsertComputed(db.shared, () => new Map<string, (asked: Wanted[]) => Promise<Found>>())
  const load = known.getOrInsertComputed(`${apiOf(asked[0].resource)} ${level}`, () =>
    batched((asks: Wanted[][]) => readAll(db.shared, asks, level), batchLimits),
  )
  return load(asked)
}

/** Reads for all askers at once; each finds its own rows, and those of others, in the answer. */
const readAll = async (db: Database, asks: Wanted[][], level: number): Promise<Found[]> => {
  const merged = new Map<string, { resource: Resource; ids: Set<string> }>()
  for (const { resource, ids } of asks.flat()) {
    const part = merged.getOrInsertComputed(resource.type, () => ({ resource, ids: new Set() }))
    for (const id of ids) part.ids.add(id)
  }
  const parts = [...merged.values()]
    .toSorted((a, b) => (a.resource.type < b.resource.type ? -1 : 1))
    .map(({ resource, ids }) => ({ resource, ids: [...ids] }))
  const found = await rowsOfTypes(db, parts, level)
  return asks.map(() => found)
}

/** An expression for the text of the row with an id, for a statement that finds the id itself; null where it is hidden. */
export const rowTextOf = (resource: Resource, level: number, id: string) => `(
  select row_to_json(r)::text from (
    select ${resource.columns(level)} from ${resource.table} where t.id = ${id} and ${visibleText(resource, level)}
  ) r
)`

/** Under which condition a row is seen: a literal, so that the planner sees the partial index that serves it. */
export const visibleText = (resource: Resource, level: number) => resource.visible?.(level) ?? `t.audience >= ${level}`
