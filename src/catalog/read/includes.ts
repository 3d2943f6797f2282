import type { Queryable } from '../../../db/client.ts'
import type { Identifier, Related, Resource, Row } from '../resource.ts'
import { rowsOfTypes } from './rows.ts'

/** What a read brings beside its rows: relationship data by parent id and name, and the included rows by type. */
export type Included = {
  related: Map<string, Record<string, Related>>
  rows: { resource: Resource; row: Row }[]
}

const nothing: Included = { related: new Map(), rows: [] }

/**
 * Reads what is included: all types in one statement over all parents, and one more for each relationship that has data
 * only when included. A row that is included stands once, and never beside itself as primary data.
 */
export const readIncluded = async (
  db: Queryable,
  resource: Resource,
  rows: Row[],
  include: string[],
  level: number,
  resourceOf: (type: string) => Resource,
): Promise<Included> => {
  if (include.length === 0 || rows.length === 0) return nothing
  const related = new Map<string, Record<string, Related>>()
  const wanted = new Map<string, Set<string>>()
  const want = ({ type, id }: Identifier) => wanted.set(type, (wanted.get(type) ?? new Set()).add(id))
  const found = await Promise.all(
    include.map(async (name) => {
      const find = resource.includes[name]?.find
      return {
        name,
        found: find
          ? await find(
              db,
              rows.map((row) => row.id),
              level,
            )
          : undefined,
      }
    }),
  )
  for (const { name, found: byParent } of found)
    for (const row of rows) {
      const relation = byParent ? (byParent.get(row.id) ?? { data: [] }) : resource.relationships(row)[name]
      if (byParent) related.set(row.id, { ...related.get(row.id), [name]: relation as Related })
      for (const identifier of [relation?.data ?? []].flat()) want(identifier)
    }
  for (const row of rows) wanted.get(resource.type)?.delete(row.id)
  return { related, rows: await readWanted(db, wanted, level, resourceOf) }
}

/** The rows that are wanted, in the order of their first mention. */
const readWanted = async (
  db: Queryable,
  wanted: Map<string, Set<string>>,
  level: number,
  resourceOf: (type: string) => Resource,
): Promise<Included['rows']> => {
  const parts = [...wanted]
    .filter(([, ids]) => ids.size > 0)
    .map(([type, ids]) => ({ resource: resourceOf(type), ids: [...ids] }))
  const found = await rowsOfTypes(db, parts, level)
  return parts.flatMap(({ resource, ids }) => {
    const byId = new Map(found.get(resource.type)?.map((row) => [row.id, row]))
    return ids.flatMap((id) => {
      const row = byId.get(id)
      return row ? [{ resource, row }] : []
    })
  })
}
