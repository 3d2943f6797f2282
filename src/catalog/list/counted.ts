import type { Database } from '../../../db/client.ts'
import type { Resource } from '../model/resource.ts'
import type { ListRequest } from './request.ts'

type Counted = { state: string; matched: number }
type Guess = { guess: number; until: number }

/** The cached counts and estimates of a database's lists, by their filters. */
type Memory = { counts: Map<string, Counted>; guesses: Map<string, Guess> }

const memories = new WeakMap<Database, Memory>()

const memoryOf = ({ shared }: Database) =>
  memories.getOrInsertComputed(shared.primary ?? shared, () => ({ counts: new Map(), guesses: new Map() }))

/** The most cached counts, and the most cached estimates. The oldest are evicted first. */
const mostCounts = 2000

const keep = <T>(memory: Map<string, T>, question: string, value: T) => {
  memory.delete(question)
  memory.set(question, value)
  const [oldest = question] = memory.keys()
  if (memory.size > mostCounts) memory.delete(oldest)
}

const questionOf = ({ type }: Resource, { level, conditions }: ListRequest) => JSON.stringify([type, level, conditions])

/** The cached count for these filters and this state of the catalog. While nobody writes, paging through a list counts only once. */
export const recallCount = (db: Database, resource: Resource, request: ListRequest): number | undefined => {
  const known = memoryOf(db).counts.get(questionOf(resource, request))
  return known && known.state === request.catalogState ? known.matched : undefined
}

/** Caches a count for the state of the catalog in which its request was admitted. */
export const keepCount = (db: Database, resource: Resource, request: ListRequest, matched: number) => {
  if (request.catalogState === undefined) return
  keep(memoryOf(db).counts, questionOf(resource, request), { state: request.catalogState, matched })
}

const guessHoldsMilliseconds = 60_000

/** A cached estimate, up to a minute old, of what is too much to count. */
export const keepGuess = async (
  db: Database,
  resource: Resource,
  request: ListRequest,
  makeGuess: () => Promise<number>,
): Promise<number> => {
  const { guesses } = memoryOf(db)
  const question = questionOf(resource, request)
  const known = guesses.get(question)
  if (known && known.until > performance.now()) return known.guess
  const guess = await makeGuess()
  keep(guesses, question, { guess, until: performance.now() + guessHoldsMilliseconds })
  return guess
}
