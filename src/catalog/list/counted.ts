import type { Database } from '../../../db/client.ts'
import type { Resource } from '../model/resource.ts'
import type { ListRequest } from './request.ts'

type Counted = { state: string; matched: number }

/** How many counts are cached; the oldest are evicted first. */
const mostCounts = 2000

const memories = new WeakMap<Database, Map<string, Counted>>()

const memoryOf = (db: Database) => {
  const memory = memories.get(db.shared) ?? new Map<string, Counted>()
  memories.set(db.shared, memory)
  return memory
}

const questionOf = ({ type }: Resource, { level, conditions }: ListRequest) => JSON.stringify([type, level, conditions])

/** The cached count for these filters and this state of the catalog: while nobody writes, a client that walks the pages counts once. */
export const recallCount = (db: Database, resource: Resource, request: ListRequest): number | undefined => {
  const known = memoryOf(db).get(questionOf(resource, request))
  return known && known.state === request.catalogState ? known.matched : undefined
}

/** Caches a count until the catalog changes from the state in which its request was admitted. */
export const keepCount = (db: Database, resource: Resource, request: ListRequest, matched: number) => {
  if (request.catalogState === undefined) return
  const memory = memoryOf(db)
  const question = questionOf(resource, request)
  memory.delete(question)
  memory.set(question, { state: request.catalogState, matched })
  dropOldest(memory)
}

const dropOldest = (memory: Map<string, unknown>) => {
  for (const oldest of memory.keys()) {
    if (memory.size <= mostCounts) break
    memory.delete(oldest)
  }
}

type Guess = { guess: number; until: number }

const guesses = new WeakMap<Database, Map<string, Guess>>()

const guessHoldsMilliseconds = 60_000

/** An estimate for what is too much to count; it may be up to a minute old. */
export const keepGuess = async (
  db: Database,
  resource: Resource,
  request: ListRequest,
  makeGuess: () => Promise<number>,
): Promise<number> => {
  const memory = guesses.get(db.shared) ?? new Map<string, Guess>()
  guesses.set(db.shared, memory)
  const question = questionOf(resource, request)
  const known = memory.get(question)
  if (known && known.until > Date.now()) return known.guess
  const guess = await makeGuess()
  memory.delete(question)
  memory.set(question, { guess, until: Date.now() + guessHoldsMilliseconds })
  dropOldest(memory)
  return guess
}
