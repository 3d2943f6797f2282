import type { Arguments } from '../../list/statement.ts'
import { countedAt, lists } from '../../model/counts.ts'
import { rankedMost } from './atoms.ts'
import { type Fit, nameSelects } from './pattern.ts'

export type NameType = 'players' | 'teams' | 'sets' | 'brands' | 'manufacturers' | 'genres' | 'years'

/**
 * One lookup: at most `most` records from each of some tables, by a `tsquery`. Cards are counted for the first `counted` of them. If
 * a table reaches `most`, only `shown` of its records are read.
 */
export type Lookup = { types: readonly NameType[]; query: string; most: number; shown: number; counted: number }

/** A record found by lookup number `no`, its number of cards if counted, and how many records of its type the lookup found. */
export type NameRow = [
  no: number,
  type: NameType,
  id: string,
  name: string,
  key: string,
  aliases: string | null,
  cards: number | null,
  found: number,
]

/** A record with how well its name fits, and about how many cards it has. */
export type FoundName = { no: number; type: NameType; id: string; name: string; key: string; fit: Fit; cards: number }

type Counting = (level: number) => string

/** How many records of a list belong to the record `t`, as a level sees them, in SQL. */
export const tallied =
  (list: number, times = 1) =>
  (level: number) =>
    `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0) * ${times}`

/** How many cards the set `t` has, in SQL. */
export const cardsOfSet = () => '(select live_cards from sets where id = t.id)'

/** A guess at the cards of a set. */
export const cardsInSet = 200

/** How many cards the sets that meet a condition have, in SQL. Beyond the ranking limit, it is `guess` or the number read so far. */
export const cardsOfAll = (condition: string, guess: string, level: number) => {
  const sets = `select sum(s.live_cards) over w as cards, lead(true) over w is null as is_last
    from sets s where ${condition} and s.audience >= ${level} window w as (rows unbounded preceding)`
  return `coalesce((
    select case when r.cards > ${rankedMost} then greatest(${guess}, r.cards) else r.cards end from (${sets}) r
    where r.cards > ${rankedMost} or r.is_last limit 1
  ), 0)`
}

const labelled =
  (column: string): Counting =>
  (level) =>
    cardsOfAll(`s.${column} = t.id`, tallied(lists.sets, cardsInSet)(level), level)

/** The cards of a set and of its child sets. */
const cardsOfFamily = (level: number) => `${cardsOfSet()} + ${cardsOfAll('s.parent_id = t.id', '0', level)}`

const cardsOf: Record<NameType, Counting> = {
  players: tallied(lists.cards),
  teams: tallied(lists.cards),
  sets: cardsOfFamily,
  brands: labelled('brand_id'),
  manufacturers: labelled('manufacturer_id'),
  genres: labelled('genre_id'),
  years: labelled('year_id'),
}

const nameTypes = Object.keys(cardsOf) as NameType[]

/** A select of what some lookups find, as one JSON array of rows. */
export const selectNames = (lookups: Lookup[], level: number, args: Arguments): string => {
  const all = new Set(lookups.flatMap(({ types }) => types))
  // For one table or for all, so that few different statements need planning.
  const types = all.size === 1 ? [...all] : nameTypes
  const found = types.flatMap((type) =>
    nameSelects(type, `'${type}' as type, t.id, t.name, t.name_key, t.aliases`, 'q.query', level, 'q.most', () => {
      return `'${type}' = any(q.types)`
    }),
  )
  const counts = types.map((type) => `when '${type}' then ${cardsOf[type](level)}`)
  const numbers = (of: (lookup: Lookup) => number) =>
    args.add(
      lookups.map((one) => String(of(one))),
      'int[]',
    )
  return `with q as materialized (
      select no, types::text[] as types, query::tsquery as query, most, shown, counted
      from unnest(${args.add([...lookups.keys()].map(String), 'int[]')}, ${args.add(
        lookups.map((one) => `{${one.types.join(',')}}`),
        'text[]',
      )}, ${args.add(
        lookups.map(({ query }) => query),
        'text[]',
      )}, ${numbers(({ most }) => most)}, ${numbers(({ shown }) => shown)}, ${numbers(({ counted }) => counted)})
        q (no, types, query, most, shown, counted)
    )
    select json_agg(json_build_array(t.no, t.type, t.id, t.name, t.name_key, t.aliases,
      case when t.place <= t.counted then case t.type ${counts.join(' ')} end end, t.found))
    from (
      select n.*, row_number() over of_type as place, count(*) over of_type as found from (
        select q.no, q.most, q.shown, q.counted, t.* from q cross join lateral (${found.map((select) => `(${select})`).join(' union all ')}) t
        group by q.no, q.most, q.shown, q.counted, t.type, t.id, t.name, t.name_key, t.aliases
      ) n window of_type as (partition by n.no, n.type)
    ) t where t.found < t.most or t.place <= t.shown`
}
