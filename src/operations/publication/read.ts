import { arrayOf } from '../../../db/arrays.ts'
import type { Queryable } from '../../../db/client.ts'

/** A set and a set below it; `depth` is how far below it lies. */
export type SetBelow = {
  id: string
  parent_id: string | null
  name: string
  kind: string
  status: 'draft' | 'published'
  cards_count: number
  depth: number
}

/** What no published set shows yet: how many records of a type, and the first names. */
export type Hidden = { type: string; count: number; names: string[] }

/** So many sets of a tree are read, and so deep. */
const most = { sets: 1000, depth: 16, names: 5 }

/**
 * A live set, and all sets below it, each right behind the one above it, by name; `isWhole` is false if there are more.
 * Undefined if there is no such set.
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

/** Players, teams and what sets are of, that come into sight with these sets since nothing published refers to them yet. */
export const readHidden = async ({ sql }: Queryable, setIds: string[]): Promise<Hidden[]> => {
  const rows = await sql<Hidden[]>`
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
