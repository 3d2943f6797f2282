import { arrayOf } from '../../../db/arrays.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { isObject } from '../../jsonapi/json.ts'
import type { Identifier } from '../model/resource.ts'
import { resourceInV2 } from '../model/v2.ts'
import { loadRows } from './rows.ts'

/** Maps each merged id to the record at the end of its chain, visible or not. Other ids are left out. */
export const findTargets = async (
  { sql }: Pick<Queryable, 'sql'>,
  ids: Iterable<string>,
): Promise<Map<string, Identifier>> => {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return new Map()
  const rows = await sql<{ old: string; type: string; id: string }[]>`
    select id as old, object_type as type, merged_into(id) as id from redirects
    where id = any(${arrayOf(asked)}::text::uuid[])`
  return new Map(rows.map(({ old, type, id }) => [old, { type, id }]))
}

/** The same, but only records visible at this level. Not for transactions. */
export const findMerged = async (
  db: Database,
  ids: Iterable<string>,
  level: number,
): Promise<Map<string, Identifier>> => {
  const targets = await findTargets(db, ids)
  if (targets.size === 0) return targets
  const wanted = [...Map.groupBy(targets.values(), ({ type }) => type)].map(([type, some]) => ({
    resource: resourceInV2(type),
    ids: some.map(({ id }) => id),
  }))
  const found = await loadRows(db, wanted, level)
  const seen = new Map([...targets].filter(([, { type, id }]) => found.get(type)?.has(id)))
  const moved = seen.size < targets.size ? await movedSince(db, targets, seen) : []
  return moved.length > 0 ? new Map([...seen, ...(await findMerged(db, moved, level))]) : seen
}

/** Ids whose target wasn't visible because it was merged itself between the two statements. */
const movedSince = async (db: Database, targets: Map<string, Identifier>, seen: Map<string, Identifier>) => {
  const unseen = [...targets.keys()].filter((old) => !seen.has(old))
  const now = await findTargets(db, unseen)
  return unseen.filter((old) => now.has(old) && now.get(old)?.id !== targets.get(old)?.id)
}

/** A copy of a value with merged ids, at any depth, replaced by the ids of the records they became. */
export const replaced = <T>(value: T, merged: Map<string, Identifier>): T => replacedIn(value, merged) as T

const replacedIn = (value: unknown, merged: Map<string, Identifier>): unknown => {
  if (typeof value === 'string') return isUuid(value) ? (merged.get(value.toLowerCase())?.id ?? value) : value
  if (Array.isArray(value)) return value.map((one) => replacedIn(one, merged))
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, replacedIn(one, merged)]))
}
