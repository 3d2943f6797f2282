import type { Transaction } from '../../../../db/client.ts'
import { type Entry, writeAudit } from '../../../audit/write.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import type { Writer } from '../card/cards.ts'
import { keepWords } from '../counts/words.ts'
import { tellChildCards } from './children.ts'
import { countSets, crossedSets, finishSets } from './counts.ts'
import { lockSetRecords, type SetRecord, type SetState, sameSet } from './record.ts'
import { readSetReferences, refuseWhenLocked, setFaults } from './references.ts'
import { writeSetRows } from './rows.ts'
import { moveWorkflows } from './workflows.ts'

/** What is to become of one set: `change` gets the set as it is stored, once it is locked, and may refuse. */
export type SetPlan = { id: string; change: (before: SetRecord | undefined) => SetState | ApiError }
export type SetOutcome = { id: string; result: 'created' | 'updated' | 'unchanged' | 'failed'; error?: ApiError }
export type SetChange = { id: string; before: SetRecord | undefined; after: SetState }

/**
 * Writes sets in the caller's transaction. Publishing, unpublishing and deleting count every card of the set in or out
 * for all that the cards bear, and touch no card. A plan may name a set earlier in the same call as its parent.
 */
export const writeSets = async (tx: Transaction, plans: SetPlan[], writer: Writer): Promise<SetOutcome[]> => {
  const stored = await lockSetRecords(
    tx,
    plans.map((plan) => plan.id),
  )
  const outcomes = new Map<string, SetOutcome>()
  const changes: SetChange[] = []
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const after = plan.change(before)
    if (after instanceof ApiError) outcomes.set(plan.id, { id: plan.id, result: 'failed', error: after })
    else if (before && sameSet(before, after)) outcomes.set(plan.id, { id: plan.id, result: 'unchanged' })
    else changes.push({ id: plan.id, before, after })
  }
  const expected = await readSetReferences(tx, changes)
  const accepted = refuse(changes, outcomes, (change) => setFaults(change, expected, changes, writer.level))
  if (accepted.length > 0) await commitSets(tx, accepted, writer)
  for (const { id, before } of accepted) outcomes.set(id, { id, result: before ? 'updated' : 'created' })
  return plans.map((plan) => outcomes.get(plan.id) as SetOutcome)
}

/**
 * Counts, which locks all that the sets refer to, and only then looks for what a race may have brought. Throws what it
 * finds: the counts are made, so the transaction must end. What is mirrored was refused and told in the log elsewhere.
 */
const commitSets = async (tx: Transaction, changes: SetChange[], { now, agent = 'service', mirrored }: Writer) => {
  const counted = await countSets(tx, changes)
  if (!mirrored) await refuseWhenLocked(tx, changes, counted)
  const crossed = crossedSets(changes).filter(({ cards }) => cards > 0)
  await tellChildCards(
    tx,
    'sets',
    crossed,
    crossed.map(({ id }) => id),
    now,
  )
  await writeSetRows(tx, changes, now, mirrored?.places)
  await finishSets(tx, changes, counted, now)
  await moveWorkflows(tx, changes)
  const named = changes.filter(({ before, after }) => before?.name !== after.name)
  keepWords(
    tx,
    named.map(({ after }) => after.name),
  )
  if (!mirrored) await writeAudit(tx, { agent, now }, changes.flatMap(entryOf))
}

/** What the audit log says of a change: whether everybody sees the set, and whether it is there (decisions.md §6). */
const entryOf = ({ id, before, after }: SetChange): Entry[] => {
  const [was, is] = [stateOf(before), stateOf(after)]
  const eventType = was === is ? undefined : events[`${was} ${is}`]
  return eventType
    ? [{ eventType, auditableType: 'set', auditableId: id, data: { name: after.name, from: was, to: is } }]
    : []
}

const stateOf = (set: SetState | undefined) => (set?.deleted ? 'deleted' : (set?.status ?? 'none'))

const events: Record<string, string> = {
  'none published': 'set.published',
  'draft published': 'set.published',
  'published draft': 'set.unpublished',
  'draft deleted': 'set.deleted',
  'published deleted': 'set.deleted',
  'deleted draft': 'set.restored',
  'deleted published': 'set.restored',
}

const refuse = (
  changes: SetChange[],
  outcomes: Map<string, SetOutcome>,
  faultsOf: (change: SetChange) => ApiError | undefined,
) =>
  changes.filter((change) => {
    const error = faultsOf(change)
    if (error) outcomes.set(change.id, { id: change.id, result: 'failed', error })
    return !error
  })
