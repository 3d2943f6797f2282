import { arrayOf } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { numberKey } from '../../../model/card-number.ts'
import { addEntries } from '../../../write/card/read.ts'
import { readCurated } from '../../../write/history/curated.ts'
import type { CardRecord, SetPlan, SetRecord } from '../../../write/record.ts'
import { readSetRecords } from '../../../write/set/rows.ts'
import { writeSets } from '../../../write/set/write.ts'
import type { SetKind } from '../../read/item.ts'
import { keepSet } from '../curated-fields.ts'
import { basesOf } from '../find/base-sets.ts'
import { callSets } from '../find/called-sets.ts'
import { type Based, compareBases } from '../find/parents.ts'
import { addChange, addNote } from '../report.ts'
import { type Doubt, enterImport, writerOf } from '../session.ts'
import type { Part } from './chunk-context.ts'

const setsInOne = 50
const sampled = 40

/** A set that may be a parallel of another one, and what its cards say. */
type Doubtful = Doubt & { id: string; set: SetRecord; was: SetKind; agree: number; differ: number; missing: number }

/**
 * Settles, once all cards are there, which sets are parallels that their files have as one in a column or by name, and that are of another kind:
 * those whose cards have the numbers and people of the cards above them. Any other keeps its kind, and the report lists it.
 */
export const settleParallels = async (db: Database, part: Part) => {
  const doubts = [...part.session.doubtful]
  for (let at = 0; at < doubts.length; at += setsInOne) {
    const some = await readDoubtful(db, doubts.slice(at, at + setsInOne), part)
    const called = await callSets(
      db,
      some.flatMap(({ id, parentId }) => [id, parentId]),
      part,
    )
    const settled = some.filter(isParallel)
    const changed = await makeParallels(
      db,
      settled.filter(({ set }) => set.kind !== 'parallel'),
      part,
    )
    for (const { id } of settled) part.session.orphaned.add(id)
    for (const one of some) {
      const { item, id, was, kind } = one
      const isMade = changed.has(id)
      if (!isMade && (isParallel(one) || item.columnKind === undefined)) continue
      const text = isMade
        ? `${called(id)}, which was of the kind ${was}, is a parallel: its cards are those of ${called(one.parentId)}`
        : `${called(id)} is of the kind ${was}; the file has it as ${kind}`
      addNote(part.report, { ...{ kind: 'note', file: item.file, line: item.line, rule: 'kind-differs' }, text })
    }
  }
}

/** A file that says so needs one card in common, and a name two. */
const isParallel = ({ item, agree, differ, missing }: Doubtful) =>
  differ === 0 && agree > missing && agree >= (item.columnKind === 'parallel' ? 1 : 2)

const readDoubtful = async (db: Database, doubts: [string, Doubt][], part: Part): Promise<Doubtful[]> => {
  const { session, known } = part
  const ids = doubts.map(([id]) => id)
  const stored = await readSetRecords(db, ids)
  const pretended = new Map([...known.pretendedSets.values()].flat().map((set) => [set.id, set as SetRecord]))
  const bases = await basesOf(
    db,
    doubts.map(([, { parentId }]) => parentId),
    part,
  )
  const cards = await readSamples(db, ids, part)
  const asked = doubts.flatMap(([id, { parentId }]) =>
    (cards.get(id) ?? []).map((card) => ({
      id,
      ways: [parentId, ...(bases.get(parentId) ?? [])].map((set_id): Based => ({ ...card, set_id })),
    })),
  )
  const found = await compareBases(
    db,
    asked.flatMap(({ ways }) => ways),
    session,
  )
  return doubts.flatMap(([id, doubt]) => {
    const set = known.pretendedChanges.get(id) ?? stored.get(id) ?? pretended.get(id)
    if (!set || set.deleted) return []
    const one: Doubtful = { ...doubt, id, set: set as SetRecord, was: set.kind, agree: 0, differ: 0, missing: 0 }
    for (const { ways } of asked.filter((each) => each.id === id)) {
      const are = ways.map((way) => found.get(way))
      if (are.includes('same')) one.agree++
      else if (are.includes('other')) one.differ++
      else one.missing++
    }
    return [one]
  })
}

type Sample = Omit<Based, 'set_id'>

/** The first cards of sets that have a number, in a dry run also those that it would make. */
const readSamples = async (db: Database, ids: string[], { session }: Part): Promise<Map<string, Sample[]>> => {
  const rows = await db.sql<Pick<CardRecord, 'id' | 'set_id' | 'number' | 'title'>[]>`
    select c.id, c.set_id, c.number, c.title from unnest(${arrayOf(ids)}::uuid[]) as w (id)
    cross join lateral (
      select id, set_id, number, title from cards where set_id = w.id and number is not null and deleted_at is null
      order by number_key collate "C", id limit ${sampled}
    ) c`
  const stored = new Map(rows.map((row) => [row.id, { ...row, entries: [] as Based['entries'] }]))
  await addEntries(db, stored)
  for (const card of session.pretendedCards?.inSets(new Set(ids)) ?? []) stored.set(card.id, card as never)
  const bySet = Map.groupBy(stored.values(), ({ set_id }) => set_id)
  const inOrder = (some: Iterable<Based>) =>
    [...some].toSorted((a, b) => (numberKey(a.number) < numberKey(b.number) ? -1 : 1)).slice(0, sampled)
  return new Map([...bySet].map(([id, cards]) => [id, inOrder(cards)]))
}

/** Makes sets parallels, but for those whose kind somebody chose, and returns the ids of those that changed. */
const makeParallels = async (db: Database, sets: Doubtful[], part: Part): Promise<ReadonlySet<string>> => {
  const { session, now, report } = part
  if (sets.length === 0) return new Set()
  const plans = sets.map(
    ({ id }): SetPlan => ({
      id,
      change: (before, curated) => {
        if (!before) throw new Error('A set no longer exists.')
        if (before.deleted) return before
        const after = { ...before, kind: 'parallel' as const }
        return session.overwrite ? after : keepSet(before, after, curated, (field) => field === 'kind').after
      },
    }),
  )
  if (!session.isDry) {
    const outcomes = await enterImport(db, session, (tx) => writeSets(tx, plans, writerOf(session, now)))
    return new Set(outcomes.flatMap(({ id, result }) => (result === 'updated' ? id : [])))
  }
  const curated = await readCurated(
    db,
    sets.map(({ id }) => id),
    writerOf(session, now),
  )
  const changed = session.overwrite ? sets : sets.filter(({ id }) => !curated.get(id)?.has('kind'))
  for (const { id, set } of changed) {
    const made = report.changes.find((change) => change.id === id)
    if (made) Object.assign(made.after, { kind: 'parallel' })
    else
      addChange(report, { type: 'sets', id, name: set.name, before: { kind: set.kind }, after: { kind: 'parallel' } })
    set.kind = 'parallel'
    part.known.pretendedChanges.set(id, set)
  }
  return new Set(changed.map(({ id }) => id))
}
