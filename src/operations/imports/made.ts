import { Type } from '@sinclair/typebox'
import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import { resourceInV2 } from '../../catalog/model/v2.ts'
import { nullable, uuid } from '../../jsonapi/fields.ts'

/** How many records of each type are named. */
const namedMost = 100

/** What an import created, as its report shows it. */
export const made = Type.Array(
  Type.Object({
    type: Type.String(),
    id: uuid(),
    name: Type.String(),
    context: nullable(Type.String({ description: 'For a set, its parent’s name. For a card, its set’s name.' })),
    url: Type.String({ format: 'uri' }),
  }),
  { description: `What the import created and still exists: the first ${namedMost} records of each type, with links.` },
)

/** The types in the report's order, each with its table. */
const types = {
  sets: 'sets',
  cards: 'cards',
  players: 'players',
  teams: 'teams',
  years: 'years',
  genres: 'genres',
  brands: 'brands',
  manufacturers: 'manufacturers',
  attributes: 'attributes',
} as const

/** SQL for the name of the set that a record is part of. */
const contexts: Partial<Record<string, string>> = {
  sets: '(select s.name from sets s where s.id = t.parent_id)',
  cards: '(select s.name from sets s where s.id = t.set_id)',
}

/** What an import created and still exists, with links. */
export const listMade = async ({ sql }: Queryable, importId: string, baseUrl: string) => {
  const first = await sql<{ type: keyof typeof types; ids: string[] }[]>`
    select object_type as type, (array_agg(m.made order by m.id, m.place))[:${namedMost}::int] as ids
    from (
      select m.id, m.object_type, e.made, e.place
      from import_made m cross join lateral unnest(m.ids) with ordinality as e (made, place)
      where m.import_id = ${importId} and e.place <= ${namedMost}
    ) m group by object_type`
  const ids = new Map(first.map((row) => [row.type, row.ids]))
  const parts = Object.entries(types).flatMap(([type, table], at) => {
    const some = ids.get(type as keyof typeof types)
    const name = type === 'attributes' ? 'attribute' : 'name'
    const list = some && `'${arrayOf(some)}'::uuid[]`
    return list
      ? [
          `select ${at} as at, '${type}' as type, t.id, t.${name} as name, ${contexts[type] ?? 'null'} as context,
             array_position(${list}, t.id) as place
           from ${table} t where t.id = any(${list}) and t.deleted_at is null`,
        ]
      : []
  })
  if (parts.length === 0) return []
  const rows = await sql.unsafe<{ type: string; id: string; name: string; context: string | null }[]>(
    `select type, id, name, context from (${parts.join(' union all ')}) m order by at, place`,
  )
  return rows.map((row) => ({ ...row, url: `${baseUrl}/v2/${resourceInV2(row.type).path}/${row.id}` }))
}
