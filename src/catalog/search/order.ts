import type { Place } from '../../jsonapi/cursor.ts'
import { isBackward } from '../list/page.ts'
import { type Arguments, allOf } from '../list/statement.ts'

/** The types that are searched, in the order of equal scores. */
export const searchedTypes = ['players', 'teams', 'sets', 'cards'] as const
export type SearchedType = (typeof searchedTypes)[number]

/** A hit in the form of a statement's row and of a cursor: score, number of its type, set, name or number, id. */
export type HitPlace = [score: number, type: number, a: number, b: string, id: string]

/** Where a page of hits begins and ends, and how many it has. */
export type PageOfHits = { size: number; after?: Place; before?: Place }

/** The rank of a type among hits with equal scores. */
export const numberOf = (type: SearchedType) => searchedTypes.indexOf(type) + 1

/** Better scores first, then by type, set and name or number; texts by code point, as the database compares them. */
const comparePlaces = (a: Place, b: Place): number => {
  for (const at of [0, 1, 2, 3, 4]) {
    const [one, other] = [a[at] as string | number, b[at] as string | number]
    if (one !== other) return at === 0 ? Number(other) - Number(one) : compareValues(one, other)
  }
  return 0
}

const compareValues = (a: string | number, b: string | number) =>
  typeof a === 'number' ? a - Number(b) : Buffer.compare(Buffer.from(a), Buffer.from(String(b)))

/** The first hits of a page, and one more, of hits in any order. */
export const firstOf = (hits: HitPlace[], page: PageOfHits): HitPlace[] => {
  const { after, before } = page
  const between = hits.filter(
    (hit) =>
      (after === undefined || (after.length > 0 && comparePlaces(hit, after) > 0)) &&
      (before === undefined || before.length === 0 || comparePlaces(hit, before) < 0),
  )
  const sign = isBackward(page) ? -1 : 1
  return between.toSorted((a, b) => sign * comparePlaces(a, b)).slice(0, page.size + 1)
}

/** A select of the same, as one array of places, from `from`, which has the columns `score`, `a`, `b` and `id`. */
export const selectFirst = (from: string, type: SearchedType, page: PageOfHits, args: Arguments): string => {
  const columns = ['-score', String(numberOf(type)), 'a', 'b collate "C"', 'id']
  const at = ([score, ...rest]: Place) => {
    const values = [-Number(score), ...rest]
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
  return `(select json_agg(json_build_array(score, ${numberOf(type)}, a, b, id)) from (
    select score, a, b, id from ${from} where ${allOf([...beyond('>', page.after), ...beyond('<', page.before)])}
    order by ${order.join(', ')} limit ${page.size + 1}
  ) p)`
}

/**
 * The scores of matches: of a whole name, of words of a name, of a set by its year, brand and the like, of a card by what is
 * on it; `near` applies to each near miss.
 */
export const scores = { whole: 1, name: 0.9, label: 0.85, card: 0.8, near: 0.5 }

/** The effect of near misses on a score, in SQL. */
export const nearFactor = (near: string) => `power(${scores.near}::float8, ${near})`
