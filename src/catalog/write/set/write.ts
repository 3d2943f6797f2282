import type { Transaction } from '../../../../db/client.ts'
import { type Entry, writeAudit } from '../../../audit/write.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { noteChildCards } from '../counts/children.ts'
import { readCurated } from '../history/curated.ts'
import { setFields } from '../history/fields.ts'
import { markImported } from '../history/imported.ts'
import { comingBack, following, followSet, leadsOfSets } from '../history/merged.ts'
import { writeRevisions } from '../history/revisions.ts'
import type { Outcome, SetChange, SetPlan, SetState, Writer } from '../record.ts'
import { countSets, crossedWithCards, finishSets } from './counts.ts'
import { readSetReferences, refuseWhenLocked, setFaults } from './faults.ts'
import { lockShownChildren, noteHiddenParents } from './hidden-parents.ts'
import { lockSetRecords, sameSet, writeSetRows } from './rows.ts'
import { moveWorkflows } from './workflows.ts'

/**
 * Writes sets in the caller's transaction. Publishing, unpublishing and deleting count every card of the set in or out for
 * everything on its cards, without touching the cards. A plan's parent may be a set earlier in the same call.
 */
export const writeSets = async (tx: Transaction, plans: SetPlan[], writer: Writer): Promise<Outcome[]> => {
  const ids = plans.map((plan) => plan.id)
  const stored = await lockSetRecords(tx, ids)
  const curated = await readCurated(tx, [...stored.keys()], writer)
  const outcomes = new Map<string, Outcome>()
  const changes: SetChange[] = []
  const deleted = [...stored.values()].filter((set) => set.deleted)
  const leads = await leadsOfSets(tx, writer.mirrored ? [] : deleted)
  const follow = comingBack((set: SetState) => followSet(set, leads))
  for (const plan of plans) {
    const before = stored.get(plan.id)
    const after = following(plan, follow).change(before, curated.get(plan.id))
    if (after instanceof ApiError) outcomes.set(plan.id, { id: plan.id, result: 'failed', error: after })
    else if (before && sameSet(before, after)) outcomes.set(plan.id, { id: plan.id, result: 'unchanged' })
    else changes.push({ id: plan.id, before, after })
  }
  const unchanged = [...outcomes.values()].flatMap(({ id, result }) => (result === 'unchanged' ? [id] : []))
  await markImported(tx, 'sets', unchanged, writer)
  const references = await readSetReferences(tx, changes)
  const accepted = changes.filter((change) => {
    const error = setFaults(change, references, changes, writer.level)
    if (error) outcomes.set(change.id, { id: change.id, result: 'failed', error })
    return !error
  })
  if (accepted.length > 0) await commitSets(tx, accepted, writer)
  for (const { id, before, after } of accepted) {
    const restored = before?.deleted === true && !after.deleted
    outcomes.set(id, { id, result: before ? 'updated' : 'created', restored })
  }
  return plans.map((plan) => outcomes.get(plan.id) as Outcome)
}

/**
 * Counts, which locks everything that the sets refer to, and then checks again what another writer may have done in the
 * meantime. A fault found here is thrown: the counts are already made, so the transaction must end. A mirror skips that check
 * and the audit log, since the source did both.
 */
const commitSets = async (tx: Transaction, changes: SetChange[], writer: Writer) => {
  const { now, agent = 'service', mirrored } = writer
  const counted = await countSets(tx, changes)
  await lockShownChildren(tx, changes)
  if (!mirrored) await refuseWhenLocked(tx, changes, counted)
  const crossed = crossedWithCards(changes)
  const ids = crossed.map(({ id }) => id)
  await noteChildCards(tx, 'sets', crossed, ids, now)
  await writeSetRows(tx, changes, writer)
  await noteHiddenParents(
    tx,
    changes.map(({ id }) => id),
  )
  await finishSets(tx, changes, counted, now)
  await moveWorkflows(tx, changes)
  await writeRevisions(tx, 'sets', changes.flatMap(revised), writer)
  if (!mirrored) await writeAudit(tx, { agent, now }, changes.flatMap(entryOf))
}

const revised = ({ id, before, after }: SetChange) =>
  before ? [{ id, before: setFields(before), after: setFields(after) }] : []

/** The audit log entry for a set that was published, unpublished, deleted or restored (decisions.md §6). */
const entryOf = ({ id, before, after }: SetChange): Entry[] => {
  const [was, is] = [statusOf(before), statusOf(after)]
  const eventType = was === is ? undefined : events[`${was} ${is}`]
  return eventType
    ? [{ eventType, auditableType: 'set', auditableId: id, data: { name: after.name, from: was, to: is } }]
    : []
}

const statusOf = (set: SetState | undefined) => (set?.deleted ? 'deleted' : (set?.status ?? 'none'))

const events: Record<string, string> = {
  'none published': 'set.published',
  'draft published': 'set.published',
  'published draft': 'set.unpublished',
  'draft deleted': 'set.deleted',
  'published deleted': 'set.deleted',
  'deleted draft': 'set.restored',
  'deleted published': 'set.restored',
}
