import type { Database } from '../../../../db/client.ts'
import { isBackward } from '../../list/page.ts'
import type { Persons } from '../match/persons.ts'
import { rankedMost } from '../match/term-matches.ts'
import { distancesBy } from '../sets/distances.ts'
import { seenSets } from '../sets/seen-sets.ts'
import { noticeUsual } from '../usual.ts'
import { type CardHits, cardHits } from './card-hits.ts'
import { type Counted, type Facets, facetsOf, selectCounted } from './facets.ts'
import { firstOf, type HitRow } from './order.ts'
import { personHits } from './person-hits.ts'
import type { RankRequest } from './request.ts'
import { cardMost } from './score.ts'
import { type CardRow, cardHitsOf } from './scored-cards.ts'
import { setHits } from './set-hits.ts'
import { type Builder, newBuilder } from './statement-builder.ts'

type Ranked = {
  hits: HitRow[]
  more: boolean
  total: number
  isGuess: boolean
  facets?: Facets
  areFacetsGuesses: boolean
}

/** What the statement of a search answers. */
type Answer = {
  cards: { count: number; of: number; rows: CardRow[] | null } | null
  counted?: Counted
  /** Whether more cards match than facets count. */
  more?: boolean
}

/** Ranks the hits of a query, best first: one page, and the total. Each type is sorted on its own, then they are merged. */
export const rank = async (db: Database, request: RankRequest): Promise<Ranked> => {
  const persons = request.resolved.persons.filter(({ type }) => request.types.includes(type))
  const named = persons.flatMap((one) => personHits(one, request))
  const asked = { ...request, persons, named }
  const ranked = await rankAs(db, { ...asked, isOverfull: false })
  return ranked.isOverfull ? rankAs(db, { ...asked, isOverfull: true }) : ranked
}

type Attempt = RankRequest & {
  /** The players and teams that match, and those of them that may be on the page as hits. */
  persons: Persons[]
  named: HitRow[]
  /** Whether there turned out to be more cards than the ranking limit, despite a lower estimate. */
  isOverfull: boolean
}

const rankAs = async (db: Database, request: Attempt) => {
  const { level, resolved, types, persons, named } = request
  const sets = seenSets(resolved.sets, level)
  const builder = newBuilder(level, sets)
  const genres = resolved.sets
    .labels('genres')
    .flatMap(({ name, audience }) => (audience >= level ? [name.toLowerCase()] : []))
  const distances = distancesBy(request.words, genres, resolved.sets)
  const hasMany = persons.some(({ many }) => many)
  const ofSets = setHits(request, sets, distances)
  const isFilled = isFilledBy(named, hasMany, request)
  const cards = types.includes('cards') ? cardHits({ ...request, isFilled }, ofSets, distances, builder) : undefined
  const answer = await ask(db, cards, request, builder)
  const takenBy = (no: number) => {
    const set = cards?.most === 0 ? undefined : sets.setOf(no)
    return set ? distances.of(set) : { distance: 0, parallel: 0 }
  }
  const shownSets = types.includes('sets') ? ofSets : []
  const found = [...named, ...shownSets, ...cardHitsOf(answer.cards?.rows ?? [], takenBy)]
  const others = persons.reduce((sum, { some, many }) => sum + (many?.count ?? some.length), shownSets.length)
  return {
    ...rankedOf(firstOf(found, request), others, answer, cards, request),
    ...(request.facets.length > 0 ? { facets: facetsOf(request.facets, answer.counted ?? {}, resolved) } : {}),
    areFacetsGuesses: answer.more ?? false,
  }
}

/** Whether players and teams fill the page, so that no card can be on it. They do if there are too many to list. */
const isFilledBy = (named: HitRow[], hasMany: boolean, page: RankRequest): boolean => {
  if (page.order !== 'relevance') return false
  if (isBackward(page)) return Number(page.before?.[0] ?? 0) > cardMost
  if (hasMany && !page.after) return true
  const ahead = named.filter(({ score }) => score > cardMost)
  return ahead.length > page.size && firstOf(ahead, page).length > page.size
}

const isUsual = noticeUsual()

const ask = async (
  db: Database,
  cards: CardHits | undefined,
  request: RankRequest,
  builder: Builder,
): Promise<Answer> => {
  if (!cards) return { cards: null }
  const counted = request.facets.length > 0 ? cards.counted() : undefined
  const answers = [
    `'cards', json_build_object('count', ${cards.count}, 'of', ${cards.of}, 'rows', ${cards.rows})`,
    ...(counted ? [`'counted', ${selectCounted(request.facets)}, 'more', ${counted.areMore}`] : []),
  ]
  const tables = [...builder.tables, ...cards.tables, ...(counted?.tables ?? [])]
  const { text, values } = withUsed(
    `${tables.length > 0 ? `with ${tables.join(', ')} ` : ''}select json_build_object(${answers.join(', ')}) as answer`,
    builder.args.values,
  )
  const [row] = await db.sql.unsafe<[{ answer: Answer }]>(text, values as never[], {
    prepare: isUsual(text),
    texts: true,
  })
  return row.answer
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

/** A page of the first hits, and the total: `others` are all hits but cards. */
const rankedOf = (
  first: HitRow[],
  others: number,
  answer: Answer,
  cards: CardHits | undefined,
  request: RankRequest,
): Omit<Ranked, 'facets' | 'areFacetsGuesses'> & { isOverfull: boolean } => {
  const { count: found, of: candidates } = answer.cards ?? { count: 0, of: 0 }
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
  }
}
