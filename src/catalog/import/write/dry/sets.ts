import type { Database } from '../../../../../db/client.ts'
import { ApiError } from '../../../../jsonapi/errors.ts'
import { Audience } from '../../../../lib/audience.ts'
import { readCurated } from '../../../write/history/curated.ts'
import { differenceOf, setFields } from '../../../write/history/fields.ts'
import type { Outcome, SetPlan, SetState } from '../../../write/record.ts'
import { readSetRecords, sameSet } from '../../../write/set/rows.ts'
import type { SetItem } from '../../read/item.ts'
import { alikeKey } from '../../read/names/alike.ts'
import { peopleOn } from '../find/other-sports.ts'
import type { Samples } from '../find/same-cards.ts'
import { longerYear } from '../find/sets.ts'
import type { Known } from '../lookup-cache.ts'
import { nameAsStored } from '../plan/plan-sets.ts'
import { addChange, type Change } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import { type PlacedSets, type Session, writerOf } from '../session.ts'
import { named, withoutEmpty } from './shown.ts'

/** Returns the outcomes that sets would have and lists what would change, without writing anything. */
export const planSetsOnly = async (
  db: Database,
  planned: { plan: SetPlan; state: SetState; item: SetItem }[],
  { placed, samples }: { placed: PlacedSets; samples: Samples },
  { known, session, now, report }: Part,
): Promise<Outcome[]> => {
  const ids = planned.map(({ plan }) => plan.id)
  const stored = await readSetRecords(db, ids)
  const curated = await readCurated(db, [...stored.keys()], writerOf(session, now))
  const changes: Change[] = []
  const outcomes = planned.map(({ plan: { id, change }, state, item }): Outcome => {
    const there = stored.get(id)
    const earlier = known.pretendedChanges.get(id)
    const before = there ? { ...there, ...earlier } : pretendedSet(known, session, state, id)
    const after = change(before, curated.get(id))
    if (after instanceof ApiError) return { id, result: 'failed', error: after }
    if (before && sameSet(before, after)) return { id, result: 'unchanged' }
    const changed = before
      ? differenceOf(setFields(before), setFields(after))
      : { before: null, after: withoutEmpty(setFields(after)) }
    if (changed) changes.push({ type: 'sets', id, name: after.name, ...changed })
    if (!there) pretend(known, id, after, item, session)
    if (!there) {
      const { above, ...facts } = nameAsStored({ ...item, name: after.name }, placed)
      const parent = after.parent_id && (session.pretendedNames.get(after.parent_id) ?? above)
      known.pretendedFullNames.add({ ...facts, above: parent }, id)
    }
    if (!there && after.genre_id === null) known.pretendedPeople.set(id, peopleOn(samples.of(item.key)))
    else if (before)
      known.pretendedChanges.set(id, {
        ...{ ...before, ...after },
        ...(after.genre_id === before.genre_id ? {} : { genre: item.genre }),
        ...(after.year_id === before.year_id ? {} : { year: item.year }),
      })
    return { id, result: before ? 'updated' : 'created', restored: before?.deleted && !after.deleted }
  })
  for (const one of await named(db, 'sets', changes, session)) addChange(report, one)
  return outcomes
}

/** A set that would exist by now, under the name of a plan for it or its own. */
const pretendedSet = (known: Known, { pretendedNames }: Session, state: SetState, id: string) =>
  [state.name, pretendedNames.get(id) ?? ''].flatMap((name) => sameName(known, { name })).find((set) => set.id === id)

const sameName = ({ pretendedSets }: Known, { name }: Pick<SetState, 'name'>) => pretendedSets.get(alikeKey(name)) ?? []

/** Remembers a set that would exist by now, because other files may name it, too. */
const pretend = (known: Known, id: string, state: SetState, item: SetItem, { pretendedNames }: Session) => {
  pretendedNames.set(id, state.name)
  const before = sameName(known, state)
  const others = before.filter((set) => set.id !== id)
  const { year = item.year, genre = item.genre } = before.find((set) => set.id === id) ?? {}
  const facts = { year: longerYear(year, item.year), genre: genre ?? item.genre, said: null }
  const set = { ...state, ...facts, id, no: 0, revision: '0', live_cards: 0, audience: Audience.draft, wanted: [] }
  known.pretendedSets.set(alikeKey(state.name), [...others, set])
}
