import type { Database } from '../../../../db/client.ts'
import { isBackward } from '../../list/page.ts'
import { resourceInV2 } from '../../model/v2.ts'
import { rowTextOf } from '../../show/rows.ts'
import { rankedMost } from '../find/atoms.ts'
import { type Persons, personTypes } from '../find/persons.ts'
import { wellKnown } from '../find/well-known.ts'
import { type Builder, listOf, newBuilder } from './builder.ts'
import { type CardHits, cardHits } from './card-hits.ts'
import { type FacetName, type FacetValue, facetSets, selectFacets } from './facets.ts'
import { manyPersons, personHits, personParts, setHits, setParts } from './name-hits.ts'
import { firstOf, type HitRow, keysOf, lastPlace, numberOf, selectFirst } from './order.ts'
import type { RankRequest } from './request.ts'
import { cardMost, freeWords } from './score.ts'
import { noticeUsual } from './usual.ts'

type Facets = Partial<Record<FacetName, FacetValue[]>>

type Ranked = {
  hits: HitRow[]
  more: boolean
  total: number
  isGuess: boolean
  facets?: Facets
  areFacetsGuesses: boolean
}

/** A part of an answer: its number of hits, and the first ones of a page. */
type Part = { count: number; rows: HitRow[] | null }
type Answer = {
  parts: Part[]
  of: number
  facets?: Facets
  /** Whether more cards match than facets count. */
  more?: boolean
  named?: Record<string, string | null> | null
}

/** Ranks the hits of a query, best first: one page, and the total. Each type is sorted on its own, then they are merged. */
export const rank = async (db: Database, request: RankRequest): Promise<Ranked> => {
  const ranked = await rankAs(db, { ...request, isOverfull: false })
  return ranked.isOverfull ? rankAs(db, { ...request, isOverfull: true }) : ranked
}

type Attempt = RankRequest & {
  /** Whether there turned out to be more cards than the ranking limit, despite a lower estimate. */
  isOverfull: boolean
}

const rankAs = async (db: Database, request: Attempt) => {
  const builder = newBuilder(request.level)
  const free = builder.args.add(freeWords(request.words, request.resolved.free), 'text[]')
  const persons = request.resolved.persons.filter(({ type }) => request.types.includes(type))
  const named = persons.flatMap((one) => personHits(one, request.order))
  const many = await Promise.all(
    persons
      .filter(({ cut }) => cut)
      .map(async (one) => {
        const known = await wellKnown(db, request.node, one.type, request.level)
        return manyPart(one, known, request, builder)
      }),
  )
  const sets = setHits(request, free, builder)
  const isFilled = isFilledBy(named, many.length > 0, request)
  const wantsCards = request.types.includes('cards')
  const cards = wantsCards ? cardHits({ ...request, isFilled }, Boolean(sets), free, builder) : undefined
  const parts = [
    ...many.map(({ part }) => part),
    ...(sets && request.types.includes('sets') ? [setsPart(request, builder)] : []),
    ...(cards ? [partOf(cards.count, cards.rows)] : []),
  ]
  const counted = request.facets.length > 0 ? cards?.counted() : undefined
  const tables = [
    ...many.map(({ table }) => table),
    ...(sets ? [`set_hits as materialized (${sets})`] : []),
    ...(cards?.tables ?? []),
    ...(counted ? [...counted.tables, facetSets] : []),
  ]
  const firstNamed = firstOf(named, request)
  const rows = request.withRows && firstNamed.length > 0 ? rowsOfNamed(firstNamed, builder) : undefined
  const others = [
    ...(counted ? [`'facets', ${selectFacets(request.facets)}, 'more', ${counted.areMore}`] : []),
    ...(rows ? [`'named', ${rows}`] : []),
  ]
  const asked = { tables: [...builder.tables, ...tables], parts, of: cards?.of ?? '0', others }
  const answer = parts.length > 0 || rows ? await ask(db, asked, builder) : { parts: [], of: 0 }
  const shown = firstNamed.map((hit) => ({ ...hit, row: answer.named?.[hit.place[4]] }))
  return rankedOf({ count: named.length, rows: shown }, answer, cards, request)
}

const partOf = (count: string, rows: string) => `json_build_object('count', ${count}, 'rows', ${rows})`

/** The rows of the listed players and teams that may be on the page, by id. */
const rowsOfNamed = (hits: HitRow[], builder: Builder) => {
  const ids = hits.map(({ place }) => place[4])
  const texts = personTypes.map((type) => rowTextOf(resourceInV2(type), builder.level, 'n.id'))
  return `(select json_object_agg(n.id, coalesce(${texts.join(', ')})) from unnest(${listOf(ids, builder)}) n (id))`
}

const manyPart = ({ type, cut }: Persons, known: string[], page: RankRequest, builder: Builder) => {
  const first = page.order === 'relevance' ? 'score' : `${lastPlace}::float8`
  const keys = { first, group: numberOf(type), a: '0', b: 'name_key' }
  return {
    table: `many_${type} as materialized (${manyPersons(type, cut as NonNullable<Persons['cut']>, known, builder)})`,
    part: partOf(
      `(select count(*) from many_${type})`,
      selectFirst({ from: `many_${type} h`, parts: personParts }, type, keys, page, builder.args),
    ),
  }
}

const setsPart = (page: RankRequest, { args }: Builder) => {
  const keys = keysOf(page.order, 'sets', { first: 'score', group: numberOf('sets'), a: '0', b: 'name_key' })
  const source = { from: '(select s.*, name_key as name from set_hits s) h', parts: setParts }
  return partOf('(select count(*) from set_hits)', selectFirst(source, 'sets', keys, page, args))
}

/** Whether players and teams fill the page, so that no card can be on it. They do if there are too many to list. */
const isFilledBy = (named: HitRow[], hasMany: boolean, page: RankRequest): boolean => {
  if (page.order !== 'relevance') return false
  if (isBackward(page)) return Number(page.before?.[0] ?? 0) > cardMost
  if (hasMany && !page.after) return true
  const ahead = named.filter(({ score }) => score > cardMost)
  return ahead.length > page.size && firstOf(ahead, page).length > page.size
}

type Asked = { tables: string[]; parts: string[]; of: string; others: string[] }

const isUsual = noticeUsual()

const ask = async (db: Database, { tables, parts, of, others }: Asked, { args }: Builder): Promise<Answer> => {
  const { text, values } = withUsed(
    `${tables.length > 0 ? `with ${tables.join(', ')} ` : ''}select json_build_object(
      ${[`'parts', json_build_array(${parts.join(', ')}), 'of', ${of}`, ...others].join(', ')}) as answer`,
    args.values,
  )
  const [row] = await db.sql.unsafe<{ answer: Answer }[]>(text, values as never[], { prepare: isUsual(text) })
  return row?.answer ?? { parts: [], of: 0 }
}

/** A statement with only the arguments it uses, since parts that were left out have added arguments, too. */
const withUsed = (text: string, values: unknown[]) => {
  const used: number[] = []
  const numbered = text.replace(/\$(\d+)(?=::)/g, (_, number: string) => {
    const index = Number(number) - 1
    if (!used.includes(index)) used.push(index)
    return `$${used.indexOf(index) + 1}`
  })
  return { text: numbered, values: used.map((index) => values[index]) }
}

/** An estimate, capped at the number of cards if there are many. (With few cards, that number isn't reliable.) */
const atMost = (all: number, guess: number) => (all > rankedMost ? Math.min(all, guess) : guess)

const rankedOf = (
  named: { count: number; rows: HitRow[] },
  { parts, of: candidates, facets, more }: Answer,
  cards: CardHits | undefined,
  request: RankRequest,
): Ranked & { isOverfull: boolean } => {
  const first = firstOf([...named.rows, ...parts.flatMap(({ rows }) => rows ?? [])], request)
  const found = cards ? (parts.at(-1) as Part).count : 0
  const others = named.count + parts.reduce((sum, { count }) => sum + count, 0) - found
  const isCut = cards !== undefined && candidates >= cards.most
  const share = cards?.most === 0 ? 1 : found / candidates
  const page = first.slice(0, request.size)
  // A first page that isn't full has all hits, no matter how many were expected.
  const isAll = cards?.most === 0 && !request.after && !request.before && first.length <= request.size
  return {
    hits: isBackward(request) ? page.toReversed() : page,
    more: first.length > request.size,
    total: isAll
      ? first.length
      : others +
        (isCut ? Math.max(found, atMost(request.resolved.all, Math.round(share * (cards?.cards ?? 0)))) : found),
    isGuess: !isAll && (isCut || others > rankedMost),
    isOverfull: isCut && cards.canWalk,
    ...(request.facets.length > 0
      ? { facets: facets ?? Object.fromEntries(request.facets.map((name) => [name, []])) }
      : {}),
    areFacetsGuesses: more ?? false,
  }
}
