import type { Arguments } from '../../list/statement.ts'
import { countedAt, lists } from '../../model/counts.ts'
import type { KnownName } from '../known/known-sets.ts'
import { type Fit, nameSelects } from './pattern.ts'

/** The types of records that are looked up by name in the database. Sets and their labels are remembered (known/known-sets.ts). */
export const personTypes = ['players', 'teams'] as const
export type PersonType = (typeof personTypes)[number]

export type NameType = PersonType | KnownName['type']

/**
 * One lookup: at most `most` records from each of some tables, by a `tsquery`. Cards are counted for the first `counted` of them. If
 * a table reaches `most`, only `shown` of its records are read.
 */
export type Lookup = { types: readonly PersonType[]; query: string; most: number; shown: number; counted: number }

/** A record found by lookup number `no`, its number of cards if counted, and how many records of its type the lookup found. */
export type NameRow = [
  no: number,
  type: PersonType,
  id: string,
  name: string,
  key: string,
  aliases: string | null,
  cards: number | null,
  found: number,
]

/** A record with how well its name fits, and about how many cards it has. */
export type FoundName = { no: number; type: NameType; id: string; name: string; fit: Fit; cards: number }

/** How many records of a list belong to the record `t`, as a level sees them, in SQL. */
export const tallied = (list: number, level: number) =>
  `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0)`

/** A select of what some lookups find, as one JSON array of rows. */
export const selectNames = (lookups: Lookup[], level: number, args: Arguments): string => {
  const found = personTypes.flatMap((type) =>
    nameSelects(type, `'${type}' as type, t.id, t.name, t.name_key, t.aliases`, 'q.query', level, 'q.most', () => {
      return `'${type}' = any(q.types)`
    }),
  )
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
      case when t.place <= t.counted then ${tallied(lists.cards, level)} end, t.found))
    from (
      select n.*, row_number() over of_type as place, count(*) over of_type as found from (
        select q.no, q.most, q.shown, q.counted, t.* from q cross join lateral (${found.map((select) => `(${select})`).join(' union all ')}) t
        group by q.no, q.most, q.shown, q.counted, t.type, t.id, t.name, t.name_key, t.aliases
      ) n window of_type as (partition by n.no, n.type)
    ) t where t.found < t.most or t.place <= t.shown`
}
