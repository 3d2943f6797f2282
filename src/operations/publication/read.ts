import { type Static, Type } from '@sinclair/typebox'
import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'
import { lists } from '../../catalog/model/counts.ts'
import { integer, nullable, oneOf, uuid } from '../../jsonapi/fields.ts'

/** A set in a tree. `depth` is how far below the root it is. */
export const setBelow = Type.Object({
  id: uuid(),
  parent_id: nullable(uuid()),
  name: Type.String(),
  kind: Type.String(),
  status: oneOf(['draft', 'published']),
  cards_count: integer(0),
  depth: integer(0),
})
export type SetBelow = Static<typeof setBelow>

/** Records that readers will see or no longer see: how many of a type, and the first names. */
type Counted = { type: string; count: number; names: string[] }

/** How many sets of a tree are read, how deep, and how many names are listed. */
const most = { sets: 1000, depth: 16, names: 5 }

/**
 * A live set and all sets below it, sorted by name, each after its parent. `isWhole` is false if there are more. Undefined if
 * there is no such set.
 */
export const readTree = async ({ sql }: Queryable, id: string) => {
  const rows = await sql<SetBelow[]>`
    with recursive tree as (
      select s.id, s.parent_id, s.name, s.kind, s.status, s.live_cards as cards_count, 0 as depth,
        array[s.name_key || s.id::text] as path
      from sets s where s.id = ${id}::uuid and s.audience >= 1
      union all
      select c.id, c.parent_id, c.name, c.kind, c.status, c.live_cards, t.depth + 1,
        t.path || (c.name_key || c.id::text)
      from tree t join sets c on c.parent_id = t.id and c.audience >= 1
      where t.depth < ${most.depth}::int
    )
    select id, parent_id, name, kind, status, cards_count, depth
    from (
      select id, parent_id, name, kind, status, cards_count, depth, path from tree limit ${most.sets + 1}
    ) t order by path collate "C"`
  const [set, ...below] = rows.slice(0, most.sets)
  return set && { set, below, isWhole: rows.length <= most.sets }
}

/** Records that readers will see once these sets are published, because nothing published refers to them yet. */
export const readComing = async ({ sql }: Queryable, setIds: string[]): Promise<Counted[]> => {
  const rows = await sql<Counted[]>`
    with chosen as (
      select s.genre_id, s.year_id, s.brand_id, s.manufacturer_id from sets s where s.id = any(${arrayOf(setIds)}::text::uuid[])
    ), entries as (
      select distinct o.player_id, o.team_id from cards c join oncard o on o.card_id = c.id
      where c.set_id = any(${arrayOf(setIds)}::text::uuid[]) and c.deleted_at is null
    ), hidden as (
      select 'players' as type, 1 as place, p.name from players p
      where p.audience = 1 and p.id in (select player_id from entries)
      union all select 'teams', 2, t.name from teams t where t.audience = 1 and t.id in (select team_id from entries)
      union all select 'brands', 3, b.name from brands b where b.audience = 1 and b.id in (select brand_id from chosen)
      union all select 'manufacturers', 4, m.name from manufacturers m
      where m.audience = 1 and m.id in (select manufacturer_id from chosen)
      union all select 'genres', 5, g.name from genres g where g.audience = 1 and g.id in (select genre_id from chosen)
      union all select 'years', 6, y.name from years y where y.audience = 1 and y.id in (select year_id from chosen)
    )
    select type, count(*)::int as count, (array_agg(name order by name))[1:${most.names}::int] as names
    from hidden group by type, place order by place`
  return rows.map(({ type, count, names }) => ({ type, count, names }))
}

/** Records that readers will no longer see if the set is a draft again, because nothing else published refers to them. */
export const readLeaving = async ({ sql }: Queryable, setId: string): Promise<Counted[]> => {
  const label = (type: string, column: string, place: number) => sql`
    union all select ${type}, ${place}::int, l.name from sets s join ${sql(type)} l on l.id = s.${sql(column)}
    join tallies t on t.list = ${lists.sets} and t.id = l.id and t.published = 1
    where s.id = ${setId}::uuid and l.audience = 2`
  const rows = await sql<Counted[]>`
    with entries as (
      select o.player_id, o.team_id, o.card_id from cards c join oncard o on o.card_id = c.id
      where c.set_id = ${setId}::uuid and c.deleted_at is null
    ), players_in as (
      select player_id as id, count(distinct card_id) as cards from entries where player_id is not null group by 1
    ), teams_in as (
      select team_id as id, count(distinct card_id) as cards from entries where team_id is not null group by 1
    ), leaving as (
      select 'players' as type, 1 as place, p.name from players_in e join players p on p.id = e.id
      join tallies t on t.list = ${lists.cards} and t.id = p.id and t.published = e.cards where p.audience = 2
      union all select 'teams', 2, m.name from teams_in e join teams m on m.id = e.id
      join tallies t on t.list = ${lists.cards} and t.id = m.id and t.published = e.cards where m.audience = 2
      ${label('brands', 'brand_id', 3)} ${label('manufacturers', 'manufacturer_id', 4)}
      ${label('genres', 'genre_id', 5)} ${label('years', 'year_id', 6)}
    )
    select type, count(*)::int as count, (array_agg(name order by name))[1:${most.names}::int] as names
    from leaving group by type, place order by place`
  return rows.map(({ type, count, names }) => ({ type, count, names }))
}
