import type { Place } from '../../../jsonapi/cursor.ts'
import type { OrderName } from '../../../lib/search-language.ts'
import { isBackward } from '../../list/page.ts'
import { type Arguments, allOf } from '../../list/statement.ts'
import { resourceInV2 } from '../../model/v2.ts'
import { rowTextOf } from '../../show/rows.ts'

/** The types that are searched, in the order of equal scores. */
export const searchedTypes = ['players', 'teams', 'sets', 'cards'] as const
export type SearchedType = (typeof searchedTypes)[number]

/**
 * The place of a hit in the order, and what a cursor holds: its score, or what stands for it under another order (more comes
 * first), its group among equal ones, set, name or number, and id.
 */
type HitPlace = [first: number, group: number, a: number, b: string, id: string]

/** What a score is made of: it is their sum. */
type ScoreParts = Record<string, number>

/** A hit as statements give it, with the text of its row where that is asked for. */
export type HitRow = { type: SearchedType; place: HitPlace; score: number; parts: ScoreParts; row?: string | null }

/** Where a page of hits begins and ends, how many it has, and in which order they stand. */
export type PageOfHits = { size: number; after?: Place; before?: Place; order: OrderName }

/** Who reads a page of hits, and whether each hit brings the row that shows it. */
export type ReaderOfHits = { level: number; withRows: boolean }

/** The rank of a type among hits with equal scores. */
export const numberOf = (type: SearchedType) => searchedTypes.indexOf(type) + 1

/** Higher first values first, then by group, set and name or number; texts by code point, as the database compares them. */
const comparePlaces = (a: Place, b: Place): number =>
  Number(b[0]) - Number(a[0]) || compareAt(1, a, b) || compareAt(2, a, b) || compareAt(3, a, b) || compareAt(4, a, b)

const compareAt = (at: number, a: Place, b: Place) => compareValues(a[at] as string | number, b[at] as string | number)

const compareValues = (a: string | number, b: string | number) => {
  if (a === b) return 0
  if (typeof a === 'number') return a - Number(b)
  const other = String(b)
  // Without surrogates the order of code units is that of code points.
  if (!surrogate.test(a) && !surrogate.test(other)) return a < other ? -1 : a > other ? 1 : 0
  return Buffer.compare(Buffer.from(a), Buffer.from(other))
}

const surrogate = /[\ud800-\udfff]/

/** The first hits of a page, and one more, of hits in any order. */
export const firstOf = (hits: HitRow[], page: PageOfHits): HitRow[] => {
  const { after, before } = page
  const between = hits.filter(
    ({ place }) =>
      (after === undefined || (after.length > 0 && comparePlaces(place, after) > 0)) &&
      (before === undefined || before.length === 0 || comparePlaces(place, before) < 0),
  )
  const sign = isBackward(page) ? -1 : 1
  return between.toSorted((a, b) => sign * comparePlaces(a.place, b.place)).slice(0, page.size + 1)
}

/** What stands first in the place of a hit under each order, in SQL, and what stands third and fourth. */
type Keys = { first: string; group: number; a: string; b: string }

/** The places under an order: a set or card has its `score`, `year` and `newest`, its `checklist` place and `name`. */
export const keysOf = (order: OrderName, type: 'sets' | 'cards', own: Keys): Keys => {
  const isCard = type === 'cards'
  if (order === 'year') return { ...own, first: 'coalesce(-year, -9999)::float8' }
  if (order === '-year') return { ...own, first: 'coalesce(year, -1)::float8' }
  if (order === 'newest') return { ...own, first: 'newest' }
  if (order === 'name') return { first: '0::float8', group: 1, a: '0', b: 'name' }
  if (order === 'number')
    return {
      first: isCard ? '1::float8' : '0::float8',
      group: numberOf(type),
      a: '0',
      b: isCard ? 'number_place' : own.b,
    }
  return own
}

/** What stands first for players and teams under an order: they come behind all cards and sets. */
export const lastPlace = -1e18

/**
 * Rows to choose from: with a `score`, what the keys name, and what their `parts` are made of. Where `scored` is given, it joins
 * the score and those parts to the chosen rows.
 */
export type Source = { from: string; parts: string; scored?: string }

/** A select of the first rows of a source as one array. */
export const selectFirst = (
  { from, parts, scored = '' }: Source,
  type: SearchedType,
  keys: Keys,
  page: PageOfHits & ReaderOfHits,
  args: Arguments,
): string => {
  const { group } = keys
  const columns = ['-first', String(group), 'a', 'b collate "C"', 'id']
  const at = ([first, ...rest]: Place) => {
    const values = [-Number(first), ...rest]
    return `(${['float8', 'int4', 'int4', 'text', 'uuid'].map((kind, index) => args.add(values[index], kind)).join(', ')})`
  }
  const beyond = (sign: '<' | '>', place: Place | undefined) => {
    if (place === undefined) return []
    if (place.length === 0) return sign === '<' ? [] : ['false']
    return [`(${columns.join(', ')}) ${sign} ${at(place)}`]
  }
  const order = columns
    .filter((_, index) => index !== 1)
    .map((column) => (isBackward(page) ? `${column} desc` : column))
  const row = page.withRows ? `, 'row', ${rowTextOf(resourceInV2(type), page.level, 'f.id')}` : ''
  return `(select json_agg(json_build_object('type', '${type}', 'place', json_build_array(first, ${group}, a, b, id), 'score', score, 'parts', ${parts}${row})) from (
    select * from (select h.*, ${keys.first} as first, ${keys.a} as a, ${keys.b} as b from ${from}) k
    where ${allOf([...beyond('>', page.after), ...beyond('<', page.before)])}
    order by ${order.join(', ')} limit ${page.size + 1}
  ) f ${scored})`
}
