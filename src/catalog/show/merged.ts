import { arrayOf } from '../../../db/arrays.ts'
import type { Database } from '../../../db/client.ts'
import type { Identifier } from '../model/resource.ts'
import { findInV2, resourceInV2 } from '../model/v2.ts'
import { loadRows } from './rows.ts'

/** Where merged ids lead: old id to the record at the end of its chain, as far as that is seen at this level. Not for transactions. */
export const findMerged = async (
  db: Database,
  ids: Iterable<string>,
  level: number,
): Promise<Map<string, Identifier>> => {
  const asked = [...new Set(ids)]
  if (asked.length === 0) return new Map()
  const rows = await db.sql<{ old: string; type: string; id: string }[]>`
    select id as old, object_type as type, merged_into(id) as id from redirects
    where id = any(${arrayOf(asked)}::text::uuid[])`
  const known = rows.filter(({ type }) => findInV2(type))
  if (known.length === 0) return new Map()
  const wanted = [...Map.groupBy(known, ({ type }) => type)].map(([type, some]) => ({
    resource: resourceInV2(type),
    ids: some.map(({ id }) => id),
  }))
  const found = await loadRows(db, wanted, level)
  return new Map(known.flatMap(({ old, type, id }) => (found.get(type)?.has(id) ? [[old, { type, id }] as const] : [])))
}
