import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { Act } from '../../../audit/write.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { type LockedSet, lockSets } from '../locks/sets-locked.ts'
import { lostRace } from '../race.ts'
import { bearersOf, commitCards } from './commit.ts'
import { type CardRecord, type CardState, readCards, sameCard } from './record.ts'
import { cardFaults } from './references.ts'

/**
 * What is to become of one card: `change` gets the card as it is stored and who sees its set, once that is locked, and may
 * refuse.
 */
export type CardPlan = {
  id: string
  /** The set that the card shall be in, where the plan names one: it is locked together with the present one. */
  setId?: string
  /** The id of a plan before this one: where that card is refused, this one is, too. */
  follows?: string
  change: (before: CardRecord | undefined, audience: number) => CardState | ApiError
}

export type CardOutcome = {
  id: string
  result: 'created' | 'updated' | 'unchanged' | 'failed'
  /** A card that was deleted, by itself or with its set, came back. */
  restored: boolean
  error?: ApiError
}

/** One card's way through the door: what it was and what it shall be. */
export type CardChange = { id: string; follows?: string; before: CardRecord | undefined; after: CardState }

/**
 * Who writes: references must be visible at this level (1 sees drafts, 2 published data, 3 nothing). `restoring` writes
 * back what an export holds, deleted records too; `cardsFollow`: names of cards are brought up to date by rename-chunk.ts.
 * `agent` is whom the audit log names, the service itself where it is left out. `mirrored` writes what another service
 * decided: see src/catalog/sync/mirror.
 * `expects` is asked with the revision of a record (its version and when it was made) once that is locked, and may throw.
 */
export type Writer = {
  level: number
  now: Date
  agent?: Act['agent']
  restoring?: true
  cardsFollow?: true
  mirrored?: Mirrored
  expects?: (revision: string) => void
}

/** What records of another service bring along: times of new cards by id, and places of new sets in checklist order. */
export type Mirrored = { times: Map<string, Times>; places: Map<string, number> }
/** When a record was made and changed, as texts in RFC 3339. */
export type Times = { createdAt: string; updatedAt: string }

/**
 * Writes up to some thousand cards in the caller's transaction: rows, entries, names, counts, visibility and changes.
 * Locks sets, then tallies, then rows. A card that is refused fails alone; nothing of it is written.
 */
export const writeCards = async (tx: Transaction, plans: CardPlan[], writer: Writer): Promise<CardOutcome[]> => {
  const places = await placesOf(tx, plans)
  const sets = await lockSets(tx, [...new Set([...places.values(), ...plans.flatMap((plan) => plan.setId ?? [])])])
  const stored = await readCards(tx, [...places.keys()])
  for (const card of stored.values()) if (!sets.has(card.setId)) throw lostRace('a card moved to another set')

  const { changes, bearers, outcomes } = await weighCards(tx, plans, { sets, stored }, writer)
  if (changes.length > 0) await commitCards(tx, changes, sets, bearers, writer.now, writer.mirrored?.times)
  for (const change of changes) outcomes.set(change.id, written(change, sets))
  return plans.map((plan) => outcomes.get(plan.id) as CardOutcome)
}

/**
 * What plans change where the sets and the cards are these, with what the changed cards shall bear; cards that are
 * refused or stay as they are have their outcome already.
 */
export const weighCards = async (
  tx: Pick<Transaction, 'sql'>,
  plans: CardPlan[],
  { sets, stored }: { sets: Map<string, LockedSet>; stored: Map<string, CardRecord> },
  { level, restoring, mirrored }: Writer,
) => {
  const outcomes = new Map<string, CardOutcome>()
  const changes: CardChange[] = []
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const after = plan.change(before, sets.get(before?.setId ?? '')?.audience ?? 0)
    if (after instanceof ApiError) outcomes.set(plan.id, failed(plan.id, after))
    else if (before && sameCard(before, after) && (restoring || mirrored || after.deleted || isLive(after, sets)))
      outcomes.set(plan.id, unchanged(plan.id))
    else changes.push({ id: plan.id, follows: plan.follows, before, after })
  }
  const bearers = await bearersOf(tx, changes)
  const world = { sets, bearers, level, restoring, mirrored }
  const accepted = (await refuseFaulty(tx, changes, world, outcomes)).map(withoutRepeats)
  const borne = accepted.length < changes.length ? await bearersOf(tx, accepted) : bearers
  return { changes: accepted, bearers: borne, outcomes }
}

/** The sets of the cards that are there; one that comes meanwhile makes the insert of its row lose a race. */
export const placesOf = async (tx: Pick<Transaction, 'sql'>, plans: CardPlan[]) => {
  const rows = await tx.sql<{ id: string; set_id: string }[]>`
    select id, set_id from cards where id = any(${arrayOf(plans.map((plan) => plan.id))}::uuid[])`
  return new Map(rows.map((row) => [row.id, row.set_id]))
}

const refuseFaulty = async (
  tx: Pick<Transaction, 'sql'>,
  changes: CardChange[],
  world: Omit<Parameters<typeof cardFaults>[1], 'images'>,
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

const knownImages = async (tx: Pick<Transaction, 'sql'>, changes: CardChange[]) => {
  const ids = changes.flatMap(({ before, after }) =>
    after.imageUuid && after.imageUuid !== before?.imageUuid ? [after.imageUuid] : [],
  )
  if (ids.length === 0) return new Map<string, number>()
  const rows = await tx.sql<{ id: string; audience: number }[]>`
    select id, audience from card_images where id = any(${ids}::uuid[]) and deleted_at is null order by id for key share`
  return new Map(rows.map((row) => [row.id, row.audience]))
}

const failed = (id: string, error: ApiError): CardOutcome => ({ id, result: 'failed', restored: false, error })
const unchanged = (id: string): CardOutcome => ({ id, result: 'unchanged', restored: false })
/** What became of a card that was written, in sets that are locked. */
export const written = ({ id, before, after }: CardChange, sets: Map<string, LockedSet>): CardOutcome => ({
  id,
  result: before ? 'updated' : 'created',
  restored: before !== undefined && !isLive(before, sets) && isLive(after, sets),
})

/** A card is deleted with its set. */
const isLive = ({ deleted, setId }: CardState, sets: Map<string, LockedSet>) =>
  !deleted && (sets.get(setId)?.audience ?? 0) > 0
