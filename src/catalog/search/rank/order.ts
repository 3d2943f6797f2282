import type { Place } from '../../../jsonapi/cursor.ts'
import { compareTexts } from '../../../lib/compare-texts.ts'
import { firstFew } from '../../../lib/first-few.ts'
import type { OrderName } from '../../../lib/search-language.ts'
import { isBackward } from '../../list/page.ts'
import { type Arguments, allOf } from '../../list/statement.ts'

/** The searched types, in the order of hits with equal scores. */
export const searchedTypes = ['players', 'teams', 'sets', 'cards'] as const
export type SearchedType = (typeof searchedTypes)[number]

/**
 * The place of a hit in the order, which is what a cursor holds: its score or its value in another order (higher comes first), the
 * rank of its type, its set, its name or number, and its id.
 */
type HitPlace = [first: number, group: number, a: number, b: string, id: string]

/** The parts that add up to a score. */
export type ScoreParts = Record<string, number>

/** A hit: its place in the order, its score and the parts of that. */
export type HitRow = { type: SearchedType; place: HitPlace; score: number; parts: () => ScoreParts }

/** The bounds of a page of hits, its size and its order. */
export type PageOfHits = { size: number; after?: Place; before?: Place; order: OrderName }

/** The rank of a type among hits with equal scores. */
export const numberOf = (type: SearchedType) => searchedTypes.indexOf(type) + 1

/** Compares places like the database: the first value descending, the rest ascending, texts by code point. */
const comparePlaces = (a: Place, b: Place): number =>
  Number(b[0]) - Number(a[0]) || compareAt(1, a, b) || compareAt(2, a, b) || compareAt(3, a, b) || compareAt(4, a, b)

const compareAt = (at: number, a: Place, b: Place) => compareValues(a[at] as string | number, b[at] as string | number)

/** Compares two numbers or two texts like the database. */
export const compareValues = (a: string | number, b: string | number) =>
  typeof a === 'number' ? a - Number(b) : compareTexts(a, String(b))

/** The hits of a page and one more, from hits in any order. */
export const firstOf = (hits: HitRow[], page: PageOfHits): HitRow[] => {
  const { after, before } = page
  const between = hits.filter(
    ({ place }) =>
      (after === undefined || (after.length > 0 && comparePlaces(place, after) > 0)) &&
      (before === undefined || before.length === 0 || comparePlaces(place, before) < 0),
  )
  const sign = isBackward(page) ? -1 : 1
  return firstFew(between, page.size + 1, (a, b) => sign * comparePlaces(a.place, b.place))
}

/** The parts of a place except its id, in SQL. */
type Keys = { first: string; group: number; a: string; b: string }

/** The places of cards in an order, from the columns `set_no`, `number_key`, `year`, `newest` and `name`, in SQL. */
export const keysOf = (order: Exclude<OrderName, 'relevance'>): Keys => {
  const own = { group: numberOf('cards'), a: 'set_no', b: 'number_key' }
  switch (order) {
    case 'year':
      return { ...own, first: 'coalesce(-year, -9999)::float8' }
    case '-year':
      return { ...own, first: 'coalesce(year, -1)::float8' }
    case 'newest':
      return { ...own, first: 'newest' }
    case 'name':
      return { first: '0::float8', group: 1, a: '0', b: 'name' }
    case 'number':
      return { ...own, first: '1::float8', a: '0', b: "number_key || ' ' || lpad(set_no::text, 9, '0')" }
  }
}

/** The first value of players and teams in orders except relevance: they come after all cards and sets. */
export const lastPlace = -1e18

/** A select of the rows of a page and one more from some rows: some `columns`, their `id`, and `first`, `a` and `b` of their places. */
export const selectFirst = (
  { from, columns }: { from: string; columns: string },
  keys: Keys,
  page: PageOfHits,
  args: Arguments,
): string => {
  const place = ['-first', String(keys.group), 'a', 'b collate "C"', 'id']
  const at = ([first, ...rest]: Place) => {
    const values = [-Number(first), ...rest]
    return `(${['float8', 'int4', 'int4', 'text', 'uuid'].map((kind, index) => args.add(values[index], kind)).join(', ')})`
  }
  const beyond = (sign: '<' | '>', bound: Place | undefined) => {
    if (bound === undefined) return []
    if (bound.length === 0) return sign === '<' ? [] : ['false']
    return [`(${place.join(', ')}) ${sign} ${at(bound)}`]
  }
  const order = place.filter((_, index) => index !== 1).map((one) => (isBackward(page) ? `${one} desc` : one))
  return `select id, ${columns}, first, a, b from (
      select id, ${columns}, ${keys.first} as first, ${keys.a} as a, ${keys.b} as b from ${from}
    ) k where ${allOf([...beyond('>', page.after), ...beyond('<', page.before)])}
    order by ${order.join(', ')} limit ${page.size + 1}`
}
