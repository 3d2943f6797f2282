import type { Database } from '../../../db/client.ts'
import { isBackward } from '../list/page.ts'
import { rankedMost } from './atoms.ts'
import { type Builder, newBuilder } from './builder.ts'
import { type CardHits, cardHits } from './card-hits.ts'
import { manyPersons, personHits, setHits } from './name-hits.ts'
import { firstOf, type HitPlace, type PageOfHits, type SearchedType, searchedTypes, selectFirst } from './order.ts'
import type { Persons, Resolved } from './resolve.ts'

export type RankRequest = PageOfHits & {
  level: number
  types: SearchedType[]
  /** The whole name to compare with, in lower case. */
  name: string
}

/** A record that was found, with its position in the order. */
export type Hit = { type: SearchedType; id: string; score: number; place: HitPlace }

export type Ranked = { hits: Hit[]; more: boolean; total: number; isGuess: boolean }

/** A part of an answer: how many hits, and the first ones of a page. */
type Part = { count: number; rows: HitPlace[] | null }

/** Ranks the hits of a query, best first: one page, and the total. Each part is sorted separately, then they are merged. */
export const rank = async (db: Database, resolved: Resolved, request: RankRequest): Promise<Ranked> => {
  const ranked = await rankAs(db, resolved, { ...request, isOverfull: false })
  return ranked.isOverfull ? rankAs(db, resolved, { ...request, isOverfull: true }) : ranked
}

type Attempt = RankRequest & {
  /** Whether there are more cards than the ranking limit, despite a lower estimate. */
  isOverfull: boolean
}

const rankAs = async (db: Database, resolved: Resolved, request: Attempt) => {
  const builder = newBuilder(request.level)
  const persons = resolved.persons.filter(({ type }) => request.types.includes(type))
  const named = persons.flatMap(personHits)
  const many = persons.filter(({ cut }) => cut).map((one) => manyPart(one, request, builder))
  const sets = setHits(resolved.meanings, request.name, builder)
  const isFilled = many.length > 0 && !request.after && !request.before
  const cards = request.types.includes('cards')
    ? cardHits(resolved, Boolean(sets), { ...request, isFilled }, builder)
    : undefined
  const parts = [
    ...many.map(({ part }) => part),
    ...(sets && request.types.includes('sets') ? [setsPart(request, builder)] : []),
    ...(cards ? [partOf(cards.count, cards.rows)] : []),
  ]
  const tables = [
    ...builder.tables,
    ...many.map(({ table }) => table),
    ...(sets ? [`set_hits as materialized (${sets})`] : []),
    ...(cards?.tables ?? []),
  ]
  const answer = parts.length > 0 ? await ask(db, tables, [...parts, cards?.of ?? '0'], builder) : []
  return rankedOf(named, answer, cards, request)
}

const partOf = (count: string, rows: string) => `json_build_object('count', ${count}, 'rows', ${rows})`

const manyPart = ({ type, cut }: Persons, page: PageOfHits, builder: Builder) => ({
  table: `many_${type} as materialized (${manyPersons(type, cut as NonNullable<Persons['cut']>, builder)})`,
  part: partOf(`(select count(*) from many_${type})`, selectFirst(`many_${type}`, type, page, builder.args)),
})

const setsPart = (page: PageOfHits, { args }: Builder) => {
  const hits = '(select score, 0 as a, name_key as b, id from set_hits) h'
  return partOf('(select count(*) from set_hits)', selectFirst(hits, 'sets', page, args))
}

const ask = async (db: Database, tables: string[], parts: string[], { args }: Builder) => {
  const [row] = await db.sql.unsafe<{ parts: (Part | number)[] }[]>(
    `${tables.length > 0 ? `with ${tables.join(', ')} ` : ''}select json_build_array(${parts.join(', ')}) as parts`,
    args.values as never[],
  )
  return row?.parts ?? []
}

const rankedOf = (
  named: HitPlace[],
  answer: (Part | number)[],
  cards: CardHits | undefined,
  request: RankRequest,
): Ranked & { isOverfull: boolean } => {
  const parts = answer.slice(0, -1) as Part[]
  const candidates = Number(answer.at(-1) ?? 0)
  const first = firstOf([...named, ...parts.flatMap(({ rows }) => rows ?? [])], request)
  const found = cards ? (parts.at(-1) as Part).count : 0
  const others = named.length + parts.reduce((sum, { count }) => sum + count, 0) - found
  const isCut = cards !== undefined && candidates >= cards.most
  const share = cards?.most === 0 ? 1 : found / candidates
  const page = first.slice(0, request.size)
  return {
    hits: (isBackward(request) ? page.toReversed() : page).map(hitOf),
    more: first.length > request.size,
    total: others + (isCut ? Math.max(found, Math.round(share * (cards?.cards ?? 0))) : found),
    isGuess: isCut || others > rankedMost,
    isOverfull: isCut && cards.canWalk,
  }
}

const hitOf = (place: HitPlace): Hit => {
  const [score, type, , , id] = place
  return { type: searchedTypes[type - 1] as SearchedType, id, score, place }
}
