import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { turn } from '../../../lib/yield-to-event-loop.ts'
import { noteEdits } from '../history/audit.ts'
import { readCurated } from '../history/curated.ts'
import { cardFields } from '../history/fields.ts'
import { markImported } from '../history/imported.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lostRace } from '../locks/order.ts'
import { lockSets } from '../locks/sets.ts'
import type {
  CardChange,
  CardOutcome,
  CardPlan,
  CardRecord,
  CardState,
  Curated,
  Entry,
  LockedSet,
  Subject,
  Writer,
} from '../record.ts'
import { countCards } from './counts.ts'
import { cardFaults } from './faults.ts'
import { followMerged } from './follow.ts'
import { readCards, sameCard } from './read.ts'
import { cardRows } from './rows.ts'
import { writeCardRows } from './store.ts'
import { readLockedSubjects, readSubjectsOf } from './subjects.ts'

/**
 * Writes up to a few thousand cards in the caller's transaction: rows, oncard entries, names, counts, visibility and changes.
 * Locks sets, then tallies, then rows. A card that is refused fails alone, and nothing of it is written.
 */
export const writeCards = async (tx: Transaction, plans: CardPlan[], writer: Writer): Promise<CardOutcome[]> => {
  const setIds = await findSetIds(tx, plans)
  const sets = await lockSets(tx, [...new Set([...setIds.values(), ...plans.flatMap((plan) => plan.setId ?? [])])])
  const stored = await readCards(tx, [...setIds.keys()])
  for (const card of stored.values()) if (!sets.has(card.set_id)) throw lostRace('a card moved to another set')

  const curated = await readCurated(tx, [...stored.keys()], writer)
  const followed = writer.mirrored ? plans : await followMerged(tx, plans, sets, stored)
  const { changes, subjects, outcomes } = await weighCards(tx, followed, sets, stored, writer, curated)
  const unchanged = [...outcomes.values()].flatMap(({ id, result }) => (result === 'unchanged' ? [id] : []))
  await markImported(tx, 'cards', unchanged, writer)
  if (changes.length > 0) {
    await commitCards(tx, changes, sets, subjects, writer)
    await writeRevisions(tx, 'cards', changes.flatMap(revised), writer)
    noteEdits(tx, 'cards', 'created', createdIn(changes), writer)
  }
  for (const change of changes) outcomes.set(change.id, written(change, sets))
  return plans.map((plan) => outcomes.get(plan.id) as CardOutcome)
}

const createdIn = (changes: CardChange[]) =>
  changes.flatMap(({ id, before, after }) => (before || after.deleted ? [] : [id]))

const revised = ({ id, before, after }: CardChange) =>
  before ? [{ id, before: cardFields(before), after: cardFields(after) }] : []

/**
 * The set of each card that exists. If one appears in the meantime, the insert of its row loses a race. Each id is looked up
 * separately, because a plan made while there were few cards would compare all cards with all ids.
 */
export const findSetIds = async (db: Pick<Transaction, 'sql'>, plans: CardPlan[]) => {
  const rows = await db.sql<{ id: string; set_id: string }[]>`
    select c.id, c.set_id from unnest(${arrayOf(plans.map((plan) => plan.id))}::uuid[]) as wanted (id)
    cross join lateral (select id, set_id from cards where id = wanted.id limit 1) c`
  return new Map(rows.map((row) => [row.id, row.set_id]))
}

/**
 * What the plans change, given these sets and cards, and what is on the changed cards. Cards that are refused or stay the same
 * already get their outcome. Subjects in `known` aren't read again, and more are added to it.
 */
export const weighCards = async (
  db: Pick<Transaction, 'sql'>,
  plans: CardPlan[],
  sets: Map<string, LockedSet>,
  stored: Map<string, CardRecord>,
  writer: Writer,
  curated = new Map<string, Curated>(),
  known = new Map<string, Subject>(),
) => {
  const outcomes = new Map<string, CardOutcome>()
  const changes: CardChange[] = []
  const once = (card: CardState) => (writer.mirrored ? card : withoutRepeats(card))
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const after = plan.change(
      before,
      sets.get(before?.set_id ?? '')?.audience ?? Audience.deleted,
      curated.get(plan.id),
    )
    if (after instanceof ApiError) outcomes.set(plan.id, failed(plan.id, after))
    else if (
      before &&
      (sameCard(before, after) || sameCard(before, once(after))) &&
      (writer.restoring || writer.mirrored || after.deleted || isLive(after, sets))
    )
      outcomes.set(plan.id, { id: plan.id, result: 'unchanged', restored: false })
    else changes.push({ id: plan.id, follows: plan.follows, before, after })
  }
  const found = await readSubjectsOf(db, changes, known)
  const images = await lockNewImages(db, changes)
  const accepted = changes.filter((change) => {
    const error =
      (change.follows && outcomes.get(change.follows)?.error) ||
      cardFaults(change, { sets, subjects: found, images, writer })
    if (error) outcomes.set(change.id, failed(change.id, error))
    return !error
  })
  const subjects = accepted.length < changes.length ? await readSubjectsOf(db, accepted, known) : found
  return { changes: accepted.map((one) => ({ ...one, after: once(one.after) })), subjects, outcomes }
}

/**
 * An entry or attribute that was named twice is on the card once. Its faults were already reported wherever it was named. A
 * mirrored card stays as it is at its source.
 */
const withoutRepeats = (card: CardState): CardState => {
  const { entries, attributeIds } = card
  if (entries.length < 2 && attributeIds.length < 2) return card
  return {
    ...card,
    entries: entries.filter((entry, at) => entries.findIndex(sameEntry(entry)) === at),
    attributeIds: [...new Set(attributeIds)],
  }
}

const sameEntry = (a: Entry) => (b: Entry) => a.type === b.type && a.id === b.id

/** Locks the images that cards get as their own, and reads their audiences. */
const lockNewImages = async (db: Pick<Transaction, 'sql'>, changes: CardChange[]) => {
  const ids = changes.flatMap(({ before, after }) =>
    after.image_uuid && after.image_uuid !== before?.image_uuid ? [after.image_uuid] : [],
  )
  if (ids.length === 0) return new Map<string, number>()
  const rows = await db.sql<{ id: string; audience: number }[]>`
    select id, audience from card_images where id = any(${ids}::uuid[]) and deleted_at is null order by id for key share`
  return new Map(rows.map((row) => [row.id, row.audience]))
}

/**
 * Counts first, which locks what is on the cards, and then reads its names again, which nobody can change any more. The rows
 * are made while the database counts, and again if a name changed before that.
 */
export const commitCards = async (
  tx: Transaction,
  changes: CardChange[],
  sets: Map<string, LockedSet>,
  expected: Map<string, Subject>,
  writer: Writer,
) => {
  const { now } = writer
  const [finish, rows] = await Promise.all([
    countCards(tx, changes, sets, expected),
    turn().then(() => cardRows(changes, sets, expected, writer)),
  ])
  const { subjects, isRenamed } = await readLockedSubjects(tx, changes, expected)
  await writeCardRows(tx, isRenamed ? cardRows(changes, sets, subjects, writer) : rows, writer)
  await finish(now)
}

const failed = (id: string, error: ApiError): CardOutcome => ({ id, result: 'failed', restored: false, error })

/** The outcome of a card that was written. The sets are locked. */
const written = ({ id, before, after }: CardChange, sets: Map<string, LockedSet>): CardOutcome => ({
  id,
  result: before ? 'updated' : 'created',
  restored: before !== undefined && !isLive(before, sets) && isLive(after, sets),
})

/** A card is deleted along with its set. */
const isLive = ({ deleted, set_id }: CardState, sets: Map<string, LockedSet>) =>
  !deleted && (sets.get(set_id)?.audience ?? Audience.deleted) > 0
