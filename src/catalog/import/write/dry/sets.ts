import type { Database } from '../../../../../db/client.ts'
import { ApiError } from '../../../../jsonapi/errors.ts'
import { Audience } from '../../../../lib/audience.ts'
import { readCurated } from '../../../write/history/curated.ts'
import { differenceOf, type Fields, setFields } from '../../../write/history/fields.ts'
import type { Outcome, SetPlan, SetState } from '../../../write/record.ts'
import { readSetRecords, sameSet } from '../../../write/set/rows.ts'
import type { Known } from '../known.ts'
import { readReferenceNames } from '../reference-names.ts'
import { addChange, type Change } from '../report.ts'
import type { Part } from '../run/part.ts'
import { writerOf } from '../session.ts'
import { withoutEmpty } from './shown.ts'

/** Returns the outcomes that sets would have and lists what would change, without writing anything. */
export const planSetsOnly = async (
  db: Database,
  planned: { plan: SetPlan; state: SetState }[],
  { known, session, now, report }: Part,
): Promise<Outcome[]> => {
  const ids = planned.map(({ plan }) => plan.id)
  const stored = await readSetRecords(db, ids)
  const curated = await readCurated(db, [...stored.keys()], writerOf(session, now))
  const changes: Change[] = []
  const outcomes = planned.map(({ plan: { id, change }, state }): Outcome => {
    const before = stored.get(id) ?? sameName(known, state).find((set) => set.id === id)
    const after = change(before, curated.get(id))
    if (after instanceof ApiError) return { id, result: 'failed', error: after }
    if (before && sameSet(before, after)) return { id, result: 'unchanged' }
    const changed = before
      ? differenceOf(setFields(before), setFields(after))
      : { before: null, after: withoutEmpty(setFields(after)) }
    if (changed) changes.push({ type: 'sets', id, name: after.name, ...changed })
    if (!stored.has(id)) pretend(known, id, after)
    return { id, result: before ? 'updated' : 'created' }
  })
  for (const one of await named(db, changes)) addChange(report, one)
  return outcomes
}

const sameName = ({ pretendedSets }: Known, { name }: SetState) => pretendedSets.get(name.toLowerCase()) ?? []

/** Remembers a set that would exist by now, because other files may name it, too. */
const pretend = (known: Known, id: string, state: SetState) => {
  const others = sameName(known, state).filter((set) => set.id !== id)
  const set = { ...state, id, no: 0, revision: '0', live_cards: 0, audience: Audience.draft, year: null, wanted: [] }
  known.pretendedSets.set(state.name.toLowerCase(), [...others, set])
}

/** Changes that show what they refer to by name. What isn't created yet has no name. */
const named = async (db: Database, changes: Change[]): Promise<Change[]> => {
  const both = changes.flatMap(({ before, after }) => [(before ?? {}) as Fields, after as Fields])
  const shown = await readReferenceNames(db, 'sets', both)
  const show = (fields: object) =>
    Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, shown(field, value)]))
  return changes.map((one) => ({ ...one, before: one.before && show(one.before), after: show(one.after) }))
}
