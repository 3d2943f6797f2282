import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable } from '../../../../db/client.ts'
import { type EntityType, entityTables } from '../../write/entity/tables.ts'
import type { Reference } from './record.ts'

const liveText: Record<string, string> = {
  sets: 'select id from sets where audience >= 1 and id = any($::text::uuid[])',
  cards: `select c.id from cards c join sets s on s.id = c.set_id
    where c.deleted_at is null and s.audience >= 1 and c.id = any($::text::uuid[])`,
  ...Object.fromEntries(
    Object.entries(entityTables).map(([type, { table }]) => [
      type satisfies string as EntityType,
      `select id from ${table} where deleted_at is null and id = any($::text::uuid[])`,
    ]),
  ),
}

/** The ids of those among what is referred to that are here and live. */
export const findPresent = async ({ sql }: Queryable, references: Reference[]): Promise<Set<string>> => {
  const byType = Map.groupBy(references, ({ type }) => type)
  const types = [...byType.keys()].filter((type) => liveText[type]).toSorted()
  if (types.length === 0) return new Set()
  const rows = await sql.unsafe<{ id: string }[]>(
    types.map((type, index) => liveText[type]?.replace('$', `$${index + 1}`)).join(' union all '),
    types.map((type) => arrayOf([...new Set(byType.get(type)?.map(({ id }) => id))])),
    { prepare: true },
  )
  return new Set(rows.map(({ id }) => id))
}
