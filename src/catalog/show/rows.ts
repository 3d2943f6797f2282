import { arrayOf } from '../../../db/arrays.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { unavailable } from '../../jsonapi/errors.ts'
import { batched } from '../../lib/batched.ts'
import { apiOf, type Resource } from '../model/resource.ts'

/** The ids of wanted rows of one type. */
type Wanted = { resource: Resource; ids: string[] }

/** The texts of rows, by type and id. */
type Found = Map<string, Map<string, string>>

/** An expression for the rows of a subselect `r` as one text, in order. The driver then reads one value instead of hundreds. */
export const rowsAsText = `string_agg(row_to_json(r)::text, E'\\x1e')`

/** Splits such a text into the JSON texts of its rows. The separator never appears in JSON. */
export const splitRows = (text: string | null | undefined): string[] => (text ? text.split('\u001e') : [])

/** The texts of the rows of a select, in order. */
export const readTexts = async (
  { sql }: Queryable,
  select: string,
  values: (string | string[])[],
): Promise<string[]> => {
  const statement = `select ${rowsAsText} as rows from (${select}) r`
  const [found] = await sql.unsafe<{ rows: string | null }[]>(statement, values, { prepare: true })
  return splitRows(found?.rows)
}

/** The id in a row's text. Every resource selects it first. */
export const idOfText = (text: string) => text.slice(7, 43)

/** The text of a row. Undefined if it doesn't exist or is hidden at this level. */
export const findRow = async (
  db: Queryable,
  resource: Resource,
  id: string,
  level: number,
): Promise<string | undefined> => (await rowsOfTypes(db, [{ resource, ids: [id] }], level)).get(resource.type)?.get(id)

/** The text of a row that was just written, with what this level may see of it, even if the row itself is hidden. */
export const findWritten = async (
  db: Queryable,
  resource: Resource,
  id: string,
  level: number,
): Promise<string | undefined> =>
  (await rowsOfTypes(db, [{ resource, ids: [id] }], level, 1)).get(resource.type)?.get(id)

/** Like `findRow`, but shares one statement with the other reads by id in this turn of the event loop. Not for transactions. */
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

/** The rows among the ids that are visible `from` a level, with columns for `level`. One statement reads all types. */
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

/** The limits of batched reads, so that each statement stays short and nobody waits for a lost connection. */
export const batchLimits = { atOnce: 2, most: 100, deadlineMilliseconds: 8000, late: unavailable }

const loaders = new WeakMap<Database, Map<string, (asked: Wanted[]) => Promise<Found>>>()

/** A read of at most `shared` rows joins those of other requests. One of more than `usual` goes to `db.heavy`, the lane for long reads. */
const mostRows = { shared: 100, usual: 1000 }

/**
 * The visible rows among the ids. Requests for a few rows in the same turn of the event loop share one statement. One for many rows has its
 * own. All wanted resources must be of the same API version, since versions select different columns. Not for transactions.
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

/** Reads the rows of several requests at once. All get the same result, with the rows of the others in it. */
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

/** The condition that a row is visible. The level is a literal so that the planner can use partial indexes. */
export const visibleText = (resource: Resource, level: number) => resource.visible?.(level) ?? `t.audience >= ${level}`

/** A page of a list: the JSON texts of its rows, in order. */
export type Page = { rows: string[]; total: number; meta?: Record<string, unknown> }
