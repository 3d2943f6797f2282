import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import type { Fields } from '../../write/history/fields.ts'

/** The fields of cards and sets that refer to a record, with its type. A parent has the record's own type. */
export const referredTypes = (own: string): Record<string, string> => ({
  ...{ set_id: 'sets', genre_id: 'genres', year_id: 'years', brand_id: 'brands', manufacturer_id: 'manufacturers' },
  parent_id: own,
})

/**
 * Reads the names of records that fields refer to. Returns a function that shows such a field by name, and others as they are.
 * `pretended` has the names of records that don't exist yet.
 */
export const readReferenceNames = async (
  db: Pick<Queryable, 'sql'>,
  own: string,
  all: Fields[],
  pretended: ReadonlyMap<string, string> = new Map(),
) => {
  const types = referredTypes(own)
  const ids = new Map<string, Set<string>>()
  for (const fields of all)
    for (const [field, value] of Object.entries(fields)) {
      const type = types[field]
      if (type && typeof value === 'string') ids.set(type, (ids.get(type) ?? new Set()).add(value))
    }
  const parts = [...ids].map(
    ([type, some]) => `select id, name from ${type} where id = any('${arrayOf([...some])}'::uuid[])`,
  )
  const rows = parts.length > 0 ? await db.sql.unsafe<{ id: string; name: string }[]>(parts.join(' union all ')) : []
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const nameOf = (id: string) => names.get(id) ?? pretended.get(id)
  return (field: string, value: unknown) => (types[field] ? (nameOf(String(value)) ?? value) : value)
}
