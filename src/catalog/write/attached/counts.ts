import type { Transaction } from '../../../../db/client.ts'
import { everything } from '../../model/counts.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { countObjectAttribute, difference } from '../counts/dependents.ts'
import { applyTallies, count, type Tallies } from '../counts/tallies.ts'

/** What hangs on a card, a set, a player or a team and is seen by whoever sees that. */
export type AttachedType = 'object-attributes' | 'card_images' | 'set_sources'

/** An attached row as it is counted: who sees it, and what it hangs on. */
export type Attached = { id: string; audience: number; owner: string; attributeId?: string; objectType?: string }

/** Counts and notes what became of one attached row: undefined before its creation and after its deletion. */
export const countAttached = async (
  tx: Transaction,
  type: AttachedType,
  before: Attached | undefined,
  after: Attached | undefined,
  now: Date,
) => {
  const changes: Changes = new Map()
  const tallies: Tallies = new Map()
  if (before) countRow(tallies, type, before, before.audience, 0)
  if (after) countRow(tallies, type, after, 0, after.audience)
  note(changes, type, before?.audience ?? 0, after?.audience ?? 0, [(after ?? before)?.id as string])
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}

/** Adds what one attached row moving between two audiences adds to every list that counts it. */
export const countRow = (tallies: Tallies, type: AttachedType, row: Attached, before: number, after: number) => {
  if (type === 'object-attributes')
    return countObjectAttribute(tallies, row.attributeId, row.objectType ?? '', row.owner, before, after)
  const [live, published] = difference(before, after)
  count(tallies, type, type, everything, live, published)
  count(tallies, type, type, row.owner, live, published)
}
