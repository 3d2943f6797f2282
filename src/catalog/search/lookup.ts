import { arrayOf, arrayOfTexts } from '../../../db/arrays.ts'
import type { Database } from '../../../db/client.ts'
import { countedAt, lists } from '../model/counts.ts'
import { rankedMost } from './atoms.ts'
import { closeness, distanceFrom, exactly, indexedWords, type NearWords, nearly, wordsOf } from './words.ts'

/** Words that a name must contain in this order; a phrase matches them exactly. */
export type Part = { words: string[]; isPhrase: boolean }

/** One lookup: records whose name has every part, in the tables of a field, or `any`, with or without counting their cards. */
export type Lookup = { no: number; field: string; parts: Part[]; counts: boolean }

export type NameType = 'players' | 'teams' | 'sets' | 'brands' | 'manufacturers' | 'genres' | 'years'

/** A record that was found, its name for sorting, in how many parts it is only a near miss, and about how many cards it leads to. */
export type FoundName = {
  no: number
  type: NameType
  id: string
  name: string
  key: string
  near: number
  cards: number
}

/** The most records of a table that a lookup returns, as exact matches and as near misses; beyond that, it only knows that there are more. */
const namedMost = { exact: 200, near: 50 }

/** If more than this match exactly, the words are spelled right, and near misses are not searched. */
const rightFrom = 50

/** `guess` estimates how many cards there are, which is enough for near misses. */
type Table = { type: NameType; field: string; cards: Counting; guess?: Counting; isExact?: true }
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
  { type: 'players', field: 'player', cards: tallied(lists.cards) },
  { type: 'teams', field: 'team', cards: tallied(lists.cards) },
  { type: 'sets', field: 'set', cards: cardsOfFamily, guess: cardsOfSet },
  { type: 'brands', field: 'brand', ...labelled('brand_id') },
  { type: 'manufacturers', field: '', ...labelled('manufacturer_id') },
  { type: 'genres', field: 'genre', ...labelled('genre_id') },
  { type: 'years', field: 'year', ...labelled('year_id'), isExact: true },
]

const nearTables = tables.filter(({ isExact }) => !isExact)

/** For how many of the records found together the cards are counted; the others are assumed to have about as many. */
const countedMost = 30

const foundBy = (how: 'exact' | 'near', { type, field, cards, guess = cards }: Table, level: number) => `
  select q.no, '${type}' as type, '${how}' as how, t.id, t.name, t.name_key,
    case when q.counts and t.place <= ${countedMost} then ${(how === 'exact' ? cards : guess)(level)} end as cards
  from q cross join lateral (
    select t.id, t.name, t.name_key, row_number() over () as place from ${type} t
    where t.audience >= ${level} and ${indexedWords('t.name')} @@ q.${how} limit ${how === 'exact' ? namedMost.exact + 1 : 2 * namedMost.near}
  ) t where q.field in ('any', '${field}') and q.${how} is not null`

/** Near misses are searched if few records match exactly. */
const nearBy = (table: Table, level: number) => `${foundBy('near', table, level)}
    and (select count(*) from e where e.no = q.no and e.type = '${table.type}') <= ${rightFrom}`

/** Finds records by parts of their names: exactly, then nearly. `cut` has each lookup and type with more exact matches than are returned. */
export const findNames = async (db: Database, lookups: Lookup[], near: NearWords, level: number) => {
  if (lookups.length === 0) return { found: [], cut: new Set<string>() }
  const [row] = await db.sql.unsafe<{ rows: FoundRow[] | null }[]>(
    `with q as (
      select no, field, exact::tsquery, near::tsquery, counts
      from unnest($1::int[], $2::text[], $3::text[], $4::text[], $5::boolean[]) q (no, field, exact, near, counts)
    ), e as materialized (${tables.map((one) => foundBy('exact', one, level)).join(' union all ')})
    select json_agg(json_build_array(no, type, how, id, name, name_key, cards)) as rows from (
      select no, type, how, id, name, name_key, cards from e union all ${nearTables.map((one) => nearBy(one, level)).join(' union all ')}
    ) r`,
    [
      arrayOf(lookups.map(({ no }) => no)),
      arrayOfTexts(lookups.map(({ field }) => field)),
      arrayOfTexts(lookups.map(({ parts }) => exactly(parts.flatMap(({ words }) => words)))),
      arrayOfTexts(lookups.map(({ parts }) => nearQuery(parts, near))),
      arrayOfTexts(lookups.map(({ counts }) => String(counts))),
    ],
    { prepare: true },
  )
  const byNo = new Map(lookups.map((lookup) => [lookup.no, lookup]))
  const groups = Map.groupBy(row?.rows ?? [], ([no, type, how]) => `${cutKey(no, type)} ${how}`)
  const found = [...groups.values()].flatMap((rows) => foundOf(rows, byNo.get(rows[0]?.[0] as number) as Lookup, near))
  const cut = [...groups.values()].flatMap(([[no, type, how] = noRow, ...more]) =>
    how === 'exact' && more.length >= namedMost.exact ? [cutKey(no, type)] : [],
  )
  return { found, cut: new Set(cut) }
}

type FoundRow = [number, NameType, 'exact' | 'near', string, string, string, number | null]
const noRow: FoundRow = [-1, 'players', 'near', '', '', '', null]

/** The exact matches of one lookup in one table, or else its nearest near misses. */
const foundOf = (rows: FoundRow[], { parts }: Lookup, near: NearWords): FoundName[] => {
  const counted = rows.flatMap(([, , , , , , cards]) => cards ?? [])
  const average = counted.reduce((sum, cards) => sum + cards, 0) / Math.max(1, counted.length)
  const found = rows.flatMap(([no, type, how, id, name, key, cards]) => {
    const nearness = nearParts(parts, type, wordsOf(name), near)
    if (nearness === undefined || (how === 'exact' && nearness > 0)) return []
    return [{ no, type, id, name, key, near: nearness, cards: cards ?? Math.round(average) }]
  })
  if (rows[0]?.[2] === 'exact' || found.length <= namedMost.near) return found
  const words = parts.flatMap((part) => part.words)
  return found
    .map((one) => ({ one, distance: distanceFrom(words, wordsOf(one.name), near) }))
    .toSorted((a, b) => a.distance - b.distance)
    .slice(0, namedMost.near)
    .map(({ one }) => one)
}

/** The key of a lookup and a type in `cut`. */
export const cutKey = (no: number, type: NameType) => `${no} ${type}`

/** Finds names that match the parts only nearly; null if no word of any name is near one of theirs. */
const nearQuery = (parts: Part[], near: NearWords): string | null => {
  const hasNear = parts.some(({ words, isPhrase }) => !isPhrase && words.some((word) => near.get(word)?.length))
  if (!hasNear) return null
  const either = parts.map(({ words, isPhrase }) => (isPhrase ? exactly(words) : nearly(words, near))).join(' & ')
  return `${either} & !(${exactly(parts.flatMap(({ words }) => words))})`
}

/** In how many parts a name is only a near miss; a year must start with the words, so that 1986 finds 1986-87, and 87 does not. */
const nearParts = (parts: Part[], type: NameType, name: string[], near: NearWords): number | undefined => {
  let sum = 0
  for (const { words, isPhrase } of parts) {
    const place = type === 'years' ? name.slice(0, words.length) : name
    const part = closeness(words, place, isPhrase ? noneNear : near)
    if (part === undefined) return undefined
    sum += part
  }
  return sum
}

const noneNear: NearWords = new Map()
