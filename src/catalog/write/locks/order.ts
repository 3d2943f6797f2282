import type { Transaction } from '../../../../db/client.ts'
import { tallyNumbers } from '../../model/counts.ts'
import type { Tallies, Tally } from '../counts/tallies.ts'
import type { TodosAdded } from '../counts/todo-counts.ts'
import type { BlockChange } from './sets-locked.ts'

/** Rows that no tally keeps apart: one player-team, the player-teams of a player or team, the cards that bear something. */
export type Rows =
  `${'pair' | 'pairs of players' | 'pairs of teams' | `cards of ${'players' | 'teams' | 'attributes'}`}:${string}`

/** What a transaction locks before its first write: sets and images by id, tallies of owners, rows. */
export type Claims = { sets: Set<string>; images: Set<string>; tallies: Tallies; rows: Set<Rows> }

/** Claims of nothing yet. */
export const noClaims = (): Claims => ({ sets: new Set(), images: new Set(), tallies: new Map(), rows: new Set() })

/** Adds claims to others. */
export const addClaims = (to: Claims, more: Claims) => {
  for (const id of more.sets) to.sets.add(id)
  for (const id of more.images) to.images.add(id)
  for (const [key, tally] of more.tallies) to.tallies.set(key, { ...tally, ...nothing })
  for (const rows of more.rows) to.rows.add(rows)
}

const nothing = { live: 0, published: 0, liveRoots: 0, publishedRoots: 0 }

/**
 * A lock was asked for that comes before one that is held: waiting for it could be waiting for each other. The transaction
 * begins again with these claims (enter.ts).
 */
export class OutOfOrder extends Error {
  readonly claims: Claims

  constructor(claims: Partial<Claims>) {
    super('a lock was asked for out of order')
    this.claims = { ...noClaims(), ...claims }
  }
}

/** What a transaction writes at its end: counts that nobody asks for meanwhile, in rows that very many writers share. */
export type Late = { tallies: Tallies; blocks: BlockChange[]; words: string[]; todos: TodosAdded[] }

type Held = {
  /** Nobody else is in the tallies, or in the catalog: `tallies`, or `all` come in any order. */
  alone?: 'tallies' | 'all'
  /** How far it is in the order: at sets, tallies or rows. */
  stage: 0 | 1 | 2
  sets: Set<string>
  tallies: Set<string>
  /** The last of its tallies in their order. */
  last: string
  rows: Set<Rows>
  /** Ids of what it makes itself, which nobody else can lock. */
  born: Set<string>
  late: Late
}

const transactions = new WeakMap<Transaction, Held>()

/** Begins to follow what a transaction locks. */
export const beginOrder = (tx: Transaction, alone?: 'all') => {
  const late = { tallies: new Map(), blocks: [], words: [], todos: [] }
  const sets = { sets: new Set<string>(), tallies: new Set<string>(), rows: new Set<Rows>(), born: new Set<string>() }
  transactions.set(tx, { ...sets, alone, stage: 0, last: '', late })
}

const heldBy = (tx: Transaction): Held => {
  const held = transactions.get(tx)
  if (!held) throw new Error('What writes the catalog does it by enter() of src/catalog/write/enter.ts.')
  return held
}

/** What the transaction writes at its end; undefined where it did not come by `enter`. */
export const lateOf = (tx: Transaction): Late | undefined => transactions.get(tx)?.late

/** From now on nobody else is in the tallies; all its sets are locked before. */
export const beAlone = (tx: Transaction) => {
  const held = heldBy(tx)
  held.alone ??= 'tallies'
  held.stage = 1
}

/** Remembers the id of a record that the transaction is about to make. */
export const noteBorn = (tx: Transaction, id: string) => void heldBy(tx).born.add(id)

/** To be asked before sets are locked: all that a transaction needs it locks at once, and first. */
export const askSets = (tx: Transaction, ids: string[]) => {
  const held = heldBy(tx)
  const fresh = ids.filter((id) => !held.sets.has(id) && !held.born.has(id))
  if (fresh.length === 0) return
  if (held.alone !== 'all' && (held.stage > 0 || held.sets.size > 0)) throw new OutOfOrder({ sets: new Set(fresh) })
  for (const id of fresh) held.sets.add(id)
}

/** To be asked before tallies of owners are locked, which comes after sets, in one order. */
export const askTallies = (tx: Transaction, tallies: Tally[]) => {
  const held = heldBy(tx)
  const fresh = tallies.filter((tally) => !held.born.has(tally.id) && !held.tallies.has(placeOf(tally)))
  if (!held.alone && fresh.some((tally) => held.stage > 1 || placeOf(tally) < held.last))
    throw new OutOfOrder({ tallies: new Map(fresh.map((tally) => [`${tally.list}:${tally.id}`, tally])) })
  for (const tally of fresh) {
    const place = placeOf(tally)
    held.tallies.add(place)
    if (place > held.last) held.last = place
  }
  if (held.stage === 0) held.stage = 1
}

const placeOf = ({ list, id }: Tally) => `${String(tallyNumbers[list]).padStart(2, '0')}:${id}`

/** To be asked before rows are locked, which comes last; answers those that are not locked yet. */
export const askRows = (tx: Transaction, rows: Rows[]): Rows[] => {
  const held = heldBy(tx)
  const fresh = rows.filter((one) => !held.rows.has(one))
  if (fresh.length === 0) return []
  if (!held.alone && held.stage > 1) throw new OutOfOrder({ rows: new Set(fresh) })
  for (const one of fresh) held.rows.add(one)
  held.stage = 2
  return fresh
}
