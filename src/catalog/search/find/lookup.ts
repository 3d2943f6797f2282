import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { countedAt, lists } from '../../model/counts.ts'
import type { Pattern } from '../language/query.ts'
import { type NearWords, wordsOf } from '../words.ts'
import { rankedMost } from './atoms.ts'
import { bestFit, calledSo, distanceFrom, type Fit, fitOf, nearQueryOf, tsqueryOf } from './pattern.ts'

export type NameType = 'players' | 'teams' | 'sets' | 'brands' | 'manufacturers' | 'genres' | 'years'

/** One lookup: the records of some tables whose name has a pattern, and, where it is loose, those whose name nearly has it. */
export type Lookup = { types: readonly NameType[]; pattern: Pattern; isLoose: boolean }

/** A record that a lookup found (`no`: its place among the lookups), how well its name fits, and about how many cards it leads to. */
export type FoundName = { no: number; type: NameType; id: string; name: string; key: string; fit: Fit; cards: number }

/** The most records of a table that a lookup returns, as exact matches and as near misses; beyond that, it only knows that there are more. */
const namedMost = { exact: 200, near: 50 }

/** If more than this match exactly, the words are spelled right, and near misses are not searched. */
const rightFrom = 50

/** `guess` estimates how many cards there are, which is enough for near misses. */
type Table = { type: NameType; cards: Counting; guess?: Counting; isExact?: true }
type Counting = (level: number) => string

/** How many records of the record `t` a list has, as a level sees them. */
export const tallied =
  (list: number, times = 1) =>
  (level: number) =>
    `coalesce((select ${countedAt(level)} from tallies where list = ${list} and id = t.id), 0) * ${times}`

/** How many cards the set `t` has. */
export const cardsOfSet = () => '(select live_cards from sets where id = t.id)'

/** A set mostly has some hundred cards. */
export const cardsInSet = 200

/** How many cards the matching sets have: exact up to the ranking limit; beyond it `guess`, or the number read. */
export const cardsOfAll = (isSo: string, guess: string, level: number) => {
  const sets = `from sets s where ${isSo} and s.audience >= ${level}`
  return `coalesce((
    select greatest(${guess}, r.cards) from (select sum(s.live_cards) over (rows unbounded preceding) as cards ${sets}) r
    where r.cards > ${rankedMost} limit 1
  ), (select sum(s.live_cards) ${sets}), 0)`
}

const guess = tallied(lists.sets, cardsInSet)
const labelled = (column: string) => ({
  cards: (level: number) => cardsOfAll(`s.${column} = t.id`, guess(level), level),
  guess,
})

/** The cards of a set and of its child sets. */
const cardsOfFamily = (level: number) => `${cardsOfSet()} + ${cardsOfAll('s.parent_id = t.id', '0', level)}`

const tables: Table[] = [
  { type: 'players', cards: tallied(lists.cards) },
  { type: 'teams', cards: tallied(lists.cards) },
  { type: 'sets', cards: cardsOfFamily, guess: cardsOfSet },
  { type: 'brands', ...labelled('brand_id') },
  { type: 'manufacturers', ...labelled('manufacturer_id') },
  { type: 'genres', ...labelled('genre_id') },
  { type: 'years', ...labelled('year_id'), isExact: true },
]

const nearTables = tables.filter(({ isExact }) => !isExact)

/** For how many of the records found together the cards are counted; the others are assumed to have about as many. */
const countedMost = 30

const foundBy = (how: 'exact' | 'near', { type, cards, guess = cards }: Table, level: number) => `
  select q.no, '${type}' as type, '${how}' as how, t.id, t.name, t.name_key, t.aliases,
    case when t.place <= ${countedMost} then ${(how === 'exact' ? cards : guess)(level)} end as cards
  from q cross join lateral (
    select t.id, t.name, t.name_key, t.aliases, row_number() over () as place
    from (${calledSo(type, 't.id, t.name, t.name_key, t.aliases', `q.${how}`, level, how === 'exact' ? namedMost.exact + 1 : 2 * namedMost.near)}) t
  ) t where '${type}' = any(q.types) and q.${how} is not null`

/** Near misses are searched if few records match exactly. */
const nearBy = (table: Table, level: number) => `${foundBy('near', table, level)}
    and (select count(*) from e where e.no = q.no and e.type = '${table.type}') <= ${rightFrom}`

/** Finds records by their names: exactly, then nearly. `cut` has each lookup and type with more exact matches than are returned. */
export const findNames = async (db: Database, lookups: Lookup[], near: NearWords, level: number) => {
  if (lookups.length === 0) return { found: [], cut: new Set<string>() }
  const [row] = await db.sql.unsafe<{ rows: FoundRow[] | null }[]>(
    `with q as (
      select no, types::text[] as types, exact::tsquery, near::tsquery
      from unnest($1::int[], $2::text[], $3::text[], $4::text[]) q (no, types, exact, near)
    ), e as materialized (${tables.map((one) => foundBy('exact', one, level)).join(' union all ')})
    select json_agg(json_build_array(no, type, how, id, name, name_key, cards, aliases)) as rows from (
      select no, type, how, id, name, name_key, aliases, cards from e union all ${nearTables.map((one) => nearBy(one, level)).join(' union all ')}
    ) r`,
    [
      arrayOf(lookups.map((_, no) => no)),
      arrayOfTexts(lookups.map(({ types }) => `{${types.join(',')}}`)),
      arrayOfTexts(lookups.map(({ pattern }) => tsqueryOf(pattern))),
      arrayOfTexts(lookups.map(({ pattern, isLoose }) => (isLoose ? (nearQueryOf(pattern, near) ?? null) : null))),
    ],
    { prepare: true },
  )
  const groups = Map.groupBy(row?.rows ?? [], ([no, type, how]) => `${cutKey(no, type)} ${how}`)
  const found = [...groups.values()].flatMap((rows) => foundOf(rows, lookups[rows[0]?.[0] ?? 0] as Lookup, near))
  const cut = [...groups.values()].flatMap(([[no, type, how] = noRow, ...more]) =>
    how === 'exact' && more.length >= namedMost.exact ? [cutKey(no, type)] : [],
  )
  return { found, cut: new Set(cut) }
}

type FoundRow = [number, NameType, 'exact' | 'near', string, string, string, number | null, string | null]
const noRow: FoundRow = [-1, 'players', 'near', '', '', '', null, null]

const noneNear: NearWords = new Map()

/** The exact matches of one lookup in one table, or else its nearest near misses. */
const foundOf = (rows: FoundRow[], { pattern }: Lookup, near: NearWords): FoundName[] => {
  const counted = rows.flatMap(([, , , , , , cards]) => cards ?? [])
  const average = counted.reduce((sum, cards) => sum + cards, 0) / Math.max(1, counted.length)
  const isExact = rows[0]?.[2] === 'exact'
  const found = rows.flatMap(([no, type, , id, name, key, cards, aliases]) => {
    // A year begins with the words, so that 1986 finds 1986-87, and 87 does not.
    const fit =
      type === 'years' && aliases === null
        ? fitOf(pattern, wordsOf(name).slice(0, pattern.any[0]?.length), isExact ? noneNear : near)
        : bestFit(pattern, name, aliases, isExact ? noneNear : near)
    if (fit === undefined || (isExact && fit !== 'exact')) return []
    return [{ no, type, id, name, key, fit, cards: cards ?? Math.round(average) }]
  })
  if (isExact || found.length <= namedMost.near) return found
  return found
    .map((one) => ({ one, distance: distanceFrom(pattern, wordsOf(one.name), near) }))
    .toSorted((a, b) => a.distance - b.distance || b.one.cards - a.one.cards)
    .slice(0, namedMost.near)
    .map(({ one }) => one)
}

/** The key of a lookup and a type in `cut`. */
export const cutKey = (no: number, type: NameType) => `${no} ${type}`
