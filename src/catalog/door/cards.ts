import { arrayOf } from '../../../db/arrays.ts'
import type { Transaction } from '../../../db/client.ts'
import type { Act } from '../../audit/write.ts'
import { ApiError } from '../../jsonapi/errors.ts'
import { turn } from '../../lib/turn.ts'
import { type Bearer, readBearers } from './bearers.ts'
import { countCards } from './card-counts.ts'
import { type CardRecord, type CardState, readCards, sameCard } from './card-record.ts'
import { cardFaults } from './card-references.ts'
import { cardRows, writeCardRows } from './card-rows.ts'
import { lostRace } from './race.ts'
import { type LockedSet, lockSets } from './sets-locked.ts'

/** What is to become of one card: `change` gets the card as it is stored, once its set is locked, and may refuse. */
export type CardPlan = {
  id: string
  /** The set that the card shall be in, where the plan names one: it is locked together with the present one. */
  setId?: string
  /** The id of a plan before this one: where that card is refused, this one is, too. */
  follows?: string
  change: (before: CardRecord | undefined) => CardState | ApiError
}

export type CardOutcome = {
  id: string
  result: 'created' | 'updated' | 'unchanged' | 'failed'
  /** A soft-deleted card came back. */
  restored: boolean
  error?: ApiError
}

/** One card's way through the door: what it was and what it shall be. */
export type CardChange = { id: string; follows?: string; before: CardRecord | undefined; after: CardState }

/**
 * Who writes: references must be visible at this level (1 sees drafts, 2 published data, 3 nothing). `restoring` writes
 * back what an export holds, deleted records too; `cardsFollow`: names of cards are brought up to date by rename-chunk.ts.
 * `agent` is whom the audit log names, the service itself where it is left out.
 * `expects` is asked with the revision of a record (its version and when it was made) once that is locked, and may throw.
 */
export type Writer = {
  level: number
  now: Date
  agent?: Act['agent']
  restoring?: true
  cardsFollow?: true
  expects?: (revision: string) => void
}

/**
 * Writes up to some thousand cards in the caller's transaction: rows, entries, names, counts, visibility and changes.
 * Locks sets, then blocks, then tallies, then rows. A card that is refused fails alone; nothing of it is written.
 */
export const writeCards = async (tx: Transaction, plans: CardPlan[], writer: Writer): Promise<CardOutcome[]> => {
  const places = await placesOf(tx, plans)
  const sets = await lockSets(tx, [...new Set([...places.values(), ...plans.flatMap((plan) => plan.setId ?? [])])])
  const stored = await readCards(tx, [...places.keys()])
  for (const card of stored.values()) if (!sets.has(card.setId)) throw lostRace('a card moved to another set')

  const outcomes = new Map<string, CardOutcome>()
  const changes: CardChange[] = []
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const after = plan.change(before)
    if (after instanceof ApiError) outcomes.set(plan.id, failed(plan.id, after))
    else if (before && sameCard(before, after)) outcomes.set(plan.id, unchanged(plan.id))
    else changes.push({ id: plan.id, follows: plan.follows, before, after })
  }
  const bearers = await bearersOf(tx, changes)
  const world = { sets, bearers, level: writer.level, restoring: writer.restoring }
  const accepted = (await refuseFaulty(tx, changes, world, outcomes)).map(withoutRepeats)
  const borne = accepted.length < changes.length ? await bearersOf(tx, accepted) : bearers
  if (accepted.length > 0) await commitCards(tx, accepted, sets, borne, writer.now)
  for (const change of accepted) outcomes.set(change.id, written(change))
  return plans.map((plan) => outcomes.get(plan.id) as CardOutcome)
}

/** The sets of the cards that are there; one that comes meanwhile makes the insert of its row lose a race. */
const placesOf = async (tx: Transaction, plans: CardPlan[]) => {
  const rows = await tx.sql<{ id: string; set_id: string }[]>`
    select id, set_id from cards where id = any(${arrayOf(plans.map((plan) => plan.id))}::uuid[])`
  return new Map(rows.map((row) => [row.id, row.set_id]))
}

const refuseFaulty = async (
  tx: Transaction,
  changes: CardChange[],
  world: { sets: Map<string, LockedSet>; bearers: Map<string, Bearer>; level: number; restoring?: boolean },
  outcomes: Map<string, CardOutcome>,
) => {
  const images = await knownImages(tx, changes)
  return changes.filter((change) => {
    const error = (change.follows && outcomes.get(change.follows)?.error) || cardFaults(change, { ...world, images })
    if (error) outcomes.set(change.id, failed(change.id, error))
    return !error
  })
}

/** An attribute that was named twice is borne once; what was wrong with it has been told at the place where it was named. */
const withoutRepeats = (change: CardChange): CardChange => {
  const { attributeIds } = change.after
  const once = new Set(attributeIds)
  return once.size === attributeIds.length ? change : { ...change, after: { ...change.after, attributeIds: [...once] } }
}

/** The bearers that cards shall bear; deleted ones have the audience 0. */
export const bearersOf = (tx: Transaction, changes: CardChange[]): Promise<Map<string, Bearer>> =>
  readBearers(
    tx,
    changes.flatMap((change) => change.after.entries),
    changes.flatMap((change) => change.after.attributeIds),
  )

const knownImages = async (tx: Transaction, changes: CardChange[]) => {
  const ids = changes.flatMap(({ before, after }) =>
    after.imageUuid && after.imageUuid !== before?.imageUuid ? [after.imageUuid] : [],
  )
  if (ids.length === 0) return new Map<string, number>()
  const rows = await tx.sql<{ id: string; audience: number }[]>`
    select id, audience from card_images where id = any(${ids}::uuid[]) and deleted_at is null order by id for share`
  return new Map(rows.map((row) => [row.id, row.audience]))
}

/**
 * Counts first, which locks what the cards bear; then reads the bearers' names again, which nobody can change now. The
 * rows are made while the database counts, and once more where a name was changed until then.
 */
export const commitCards = async (
  tx: Transaction,
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  expected: Map<string, Bearer>,
  now: Date,
) => {
  const [finish, soon] = await Promise.all([
    countCards(tx, changes, sets, expected),
    turn().then(() => cardRows(changes, sets, expected)),
  ])
  const bearers = await bearersOf(tx, changes)
  for (const [id, bearer] of expected) {
    const still = bearers.get(id)
    if (
      !still ||
      (still.audience === 0 && bearer.audience > 0) ||
      still.playerId !== bearer.playerId ||
      still.teamId !== bearer.teamId
    )
      throw lostRace('what a card bears was changed')
  }
  const isRenamed = [...expected].some(([id, bearer]) => bearers.get(id)?.name !== bearer.name)
  await writeCardRows(tx, isRenamed ? cardRows(changes, sets, bearers) : soon, now)
  await finish(now)
}

const failed = (id: string, error: ApiError): CardOutcome => ({ id, result: 'failed', restored: false, error })
const unchanged = (id: string): CardOutcome => ({ id, result: 'unchanged', restored: false })
const written = ({ id, before, after }: CardChange): CardOutcome => ({
  id,
  result: before ? 'updated' : 'created',
  restored: Boolean(before?.deleted && !after.deleted),
})
