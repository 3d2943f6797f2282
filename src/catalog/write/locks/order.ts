/*
 * The order of locks. Every transaction takes its locks in one order, across all its writes, so that writers wait but
 * never deadlock:
 *
 * 1. The row `sets.erasing` of `counters`. Only erasing a set and optimistic inserts (below) take it.
 * 2. Sets, by their place (`lockSets`, `for no key update`): those that are written, those that written cards are in,
 *    move to or leave, and all sets of a year that is renamed, because they store its name. A set that is published or
 *    hidden has its published children locked, too, which store whether readers see their parent: the transaction
 *    starts over for them.
 * 3. Workflows of these sets, and images that cards get or that are deleted. (A lone PATCH of a set locks its workflow
 *    after its rows, `set/workflows.ts`: nobody who holds a workflow waits for tallies without the lock of its set.)
 * 4. Tallies of owners, by list and id: list 1 (genres, years, brands, manufacturers, sets) and list 2 (players,
 *    teams, player-teams, attributes). The tally is its owner's lock. A card write holds the tallies of everything on
 *    the card before and after. A set write holds those of everything the set refers to and, if it is shown or hidden,
 *    of everything on its cards. Showing or hiding a parent, or one of its children, takes the tally of the parent's
 *    set.
 * 5. Names and identifiers that only one live record may have (list 30): two writers of the same one would otherwise
 *    meet in the index.
 * 6. Rows that no tally guards (`locks/rows.ts`), each by id: player-teams, which a rename of the player, a rename of
 *    the team and a change of visibility all write; then cards, which renames of everything on them write. All other
 *    rows are written only under the tally or set above them. A rename reads names again after this lock, because
 *    another one may just have committed.
 * 7. `counters`, for the place of a new set.
 * 8. At the end, once each and set-wise (`counts/settle.ts`): all other tallies (totals of lists, values of cards,
 *    what is attached to an owner), `card_blocks`, `words`, `todo_counts`. Nobody reads these before the commit, and a
 *    great many writers share them.
 *
 * Nothing else waits. `changes`, `revisions` and `audit_logs` only grow. `curated_fields` are under their record's
 * lock. `audit_log_counts` has each session's own rows. A foreign key takes `for key share`, which conflicts only with
 * a hard deletion. There are two kinds of those: erasing a set, which has locked everything that may refer to it, and
 * a mirror's, which is the only writer. Writing a workflow locks its row, then `todo_counts`; creating one locks its
 * set first. One wait is outside this order: two writers that create cards with the same ids in different sets.
 *
 * This file tracks what a transaction holds. The transaction waits for a lock that is next in the order, but never for
 * one out of order: it then rolls back and starts over, taking that lock in its place (`OutOfOrder`). So no two
 * transactions can deadlock, whatever they write. After two restarts, the transaction waits until nobody else is in
 * the tallies, and keeps everybody out of them (`lock table tallies`, after its sets).
 *
 * A single write keeps this order on its own: a PATCH, a relationship, a chunk of a batch, a rename, a DELETE, a chunk
 * of an import. A request with several writes announces what they will touch, in the third argument of `enter`:
 * operations and imported records name their records, and `locks/claims.ts` finds what is around those in two
 * statements (the sets of cards and of their parents, everything on cards, both sides of player-teams, owners, what
 * sets refer to, cards of sets that are shown or hidden, rows of renames). If something changes between that look and
 * the locks, it shows up as a lock out of order.
 */

import type { Transaction } from '../../../../db/client.ts'
import { type TallyName, tallyNumbers } from '../../model/counts.ts'

/** Another writer was faster, in a way that only a new transaction can see. `enter` and `db.transaction` run it again. */
export const lostRace = (what: string) => Object.assign(new Error(`lost a race: ${what}`), { code: '40001' })

/**
 * What is added to a count. `owner` is the resource type of the id, so that a count that reaches or leaves zero finds its row.
 */
export type Tally = {
  list: TallyName
  id: string
  owner: string
  live: number
  published: number
  liveRoots: number
  publishedRoots: number
}

/** What one transaction adds to counts, merged by list and id. */
export type Tallies = Map<string, Tally>

/** Rows that no tally guards: one player-team, the player-teams of a player or team, the cards that name something. */
export type Rows =
  `${'pair' | 'pairs of players' | 'pairs of teams' | `cards of ${'players' | 'teams' | 'playerteams' | 'attributes'}`}:${string}`

/** What a transaction locks before its first write: sets and images by id, tallies of owners, and rows. */
export type Claims = { sets: Set<string>; images: Set<string>; tallies: Tallies; rows: Set<Rows> }

/** No claims yet. */
export const noClaims = (): Claims => ({ sets: new Set(), images: new Set(), tallies: new Map(), rows: new Set() })

/** Adds claims to others. */
export const addClaims = (to: Claims, more: Claims) => {
  for (const id of more.sets) to.sets.add(id)
  for (const id of more.images) to.images.add(id)
  for (const [key, tally] of more.tallies)
    to.tallies.set(key, { ...tally, live: 0, published: 0, liveRoots: 0, publishedRoots: 0 })
  for (const rows of more.rows) to.rows.add(rows)
}

/**
 * The transaction asked for a lock that comes before one it already holds. Waiting for it could cause a deadlock, so the
 * transaction starts over with these claims (enter.ts).
 */
export class OutOfOrder extends Error {
  readonly claims: Claims

  constructor(claims: Partial<Claims>) {
    super('a lock was asked for out of order')
    this.claims = { ...noClaims(), ...claims }
  }
}

/** Cards added to the set at a position in checklist order. */
export type BlockChange = { no: number; live: number; published: number }

/** Todos added to the lists of actionable ones. Negative if they are removed. */
export type TodosAdded = { step: string; status: string; yearId: string; genreId: string; todos: number }

/**
 * What a transaction writes at its end (counts/settle.ts). Nobody reads it before the commit, and very many writers share it.
 * `recounted` has the players, teams and attributes whose number of cards changed, `titleWords` the words of titles.
 */
type Pending = {
  tallies: Tallies
  blocks: BlockChange[]
  recounted: Set<string>
  titleWords: Set<string>
  todos: TodosAdded[]
  edits: Map<string, Edits>
}

/** What the audit log will say about records of one type: how many, the first of them, and which fields were changed. */
type Edits = {
  noun: string
  act: { agent: string | null; now: Date }
  count: number
  ids: string[]
  fields: Set<string>
}

type Held = {
  /** Nobody else uses the tallies (`tallies`) or the catalog (`all`), so any order is fine. */
  alone?: 'tallies' | 'all'
  /** How far the transaction is in the order: at sets, tallies or rows. */
  stage: 0 | 1 | 2
  sets: Set<string>
  tallies: Set<string>
  /** The last of its tallies, in their order. */
  last: string
  rows: Set<Rows>
  /** Ids of records that the transaction creates. Nobody else can lock them. */
  created: Set<string>
  pending: Pending
}

const transactions = new WeakMap<Transaction, Held>()

/** Starts to track what a transaction locks. */
export const beginOrder = (tx: Transaction, alone?: 'all') =>
  void transactions.set(tx, {
    alone,
    stage: 0,
    sets: new Set(),
    tallies: new Set(),
    last: '',
    rows: new Set(),
    created: new Set(),
    pending: {
      tallies: new Map(),
      blocks: [],
      recounted: new Set(),
      titleWords: new Set(),
      todos: [],
      edits: new Map(),
    },
  })

const heldBy = (tx: Transaction): Held => {
  const held = transactions.get(tx)
  if (!held) throw new Error('Writes of the catalog run in a transaction of enter() in src/catalog/write/enter.ts.')
  return held
}

/** What the transaction writes at its end. Undefined if it wasn't started by `enter`. */
export const pendingOf = (tx: Transaction): Pending | undefined => transactions.get(tx)?.pending

/** From now on nobody else uses the tallies. The transaction has all its sets. */
export const beAlone = (tx: Transaction) => {
  const held = heldBy(tx)
  held.alone ??= 'tallies'
  held.stage = 1
}

/** Notes the id of a record that the transaction is about to create. */
export const noteCreated = (tx: Transaction, id: string) => void heldBy(tx).created.add(id)

/** Call this before locking sets. A transaction locks all its sets at once, before anything else. */
export const askSets = (tx: Transaction, ids: string[]) => {
  const held = heldBy(tx)
  const fresh = ids.filter((id) => !held.sets.has(id) && !held.created.has(id))
  if (fresh.length === 0) return
  if (held.alone !== 'all' && (held.stage > 0 || held.sets.size > 0))
    throw new OutOfOrder({ sets: held.sets.union(new Set(fresh)) })
  for (const id of fresh) held.sets.add(id)
}

/** Call this before locking tallies of owners, which come after the sets, in one order. */
export const askTallies = (tx: Transaction, tallies: Tally[]) => {
  const held = heldBy(tx)
  const fresh = tallies.filter((tally) => !held.created.has(tally.id) && !held.tallies.has(placeOf(tally)))
  if (!held.alone && fresh.some((tally) => held.stage > 1 || placeOf(tally) < held.last))
    throw new OutOfOrder({ tallies: new Map(fresh.map((tally) => [`${tally.list}:${tally.id}`, tally])) })
  for (const tally of fresh) {
    const place = placeOf(tally)
    held.tallies.add(place)
    if (place > held.last) held.last = place
  }
  if (held.stage === 0) held.stage = 1
}

const placeOf = ({ list, id }: Tally) => `${places[list]}:${id}`
const places = Object.fromEntries(
  Object.entries(tallyNumbers).map(([list, number]) => [list, String(number).padStart(2, '0')]),
)

/** Call this before locking rows, which come last. Returns those that aren't locked yet. */
export const askRows = (tx: Transaction, rows: Rows[]): Rows[] => {
  const held = heldBy(tx)
  const fresh = rows.filter((one) => !held.rows.has(one))
  if (fresh.length === 0) return []
  if (!held.alone && held.stage > 1) throw new OutOfOrder({ rows: new Set(fresh) })
  for (const one of fresh) held.rows.add(one)
  held.stage = 2
  return fresh
}
