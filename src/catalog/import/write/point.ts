import type { Transaction } from '../../../../db/client.ts'
import type { SetItem } from '../read/item.ts'
import { addReport, type Counts, type ImportReport, newReport } from './report.ts'

type Outcome = Exclude<keyof Counts, 'failed'>

/**
 * How far an import is: `items` of the checklist are written and counted in the report; beyond them, `sets` are written
 * already, by their place among the items, and not counted yet.
 */
export type ImportPoint = { items: number; sets: Record<string, Outcome>; report: ImportReport }

/** Where an import begins, and what keeps how far it is in the transaction that got there. */
export type Resuming = { from?: ImportPoint; keep: (tx: Transaction, point: ImportPoint) => Promise<void> }

/** Keeps how far an import is in the transaction that writes all rows of a chunk; `count` counts what became of them. */
export type Keep = (tx: Transaction, count: (into: ImportReport) => void) => Promise<void>

/** What is known of sets that an earlier run has written: null where its report counts them. */
export type ToldSets = Map<SetItem, Outcome | null>

/** Follows an import from the point where an earlier run ended. */
export const followPoint = ({ from, keep }: Partial<Resuming>, allNotes: boolean | undefined) => {
  const report = newReport(allNotes)
  if (from) addReport(report, from.report)
  let done = from?.items ?? 0
  let ahead = from?.sets ?? {}
  const places = new Map<SetItem, number>()
  const told: ToldSets = new Map()
  const beyond = (items: number) => Object.fromEntries(Object.entries(ahead).filter(([place]) => Number(place) > items))
  return {
    report,
    told,
    isKept: keep !== undefined,
    /** Whether the item at this place is written, so that only its set need be found again. */
    isDone: (place: number) => place <= done,
    begin: (set: SetItem, place: number) => {
      const outcome = place <= done ? null : ahead[place]
      if (outcome !== undefined) told.set(set, outcome)
      if (keep) places.set(set, place)
    },
    /** To be called in the transaction that writes the last rows up to this place. */
    keepTo: async (
      tx: Transaction,
      place: number,
      part: ImportReport,
      count: (into: ImportReport) => void = () => {},
    ) => {
      if (!keep) return
      const counted = structuredClone(report)
      addReport(counted, part)
      count(counted)
      const items = Math.max(done, place)
      await keep(tx, { items, sets: beyond(items), report: counted })
    },
    /** To be called in the transaction that writes sets, with what became of them. */
    keepSets: async (tx: Transaction, written: { item: SetItem; outcome?: { result: keyof Counts } }[]) => {
      const fresh = written.flatMap(({ item, outcome }) =>
        outcome && outcome.result !== 'failed' && !told.has(item) ? [[places.get(item) ?? 0, outcome.result]] : [],
      )
      if (fresh.length === 0) return
      ahead = { ...ahead, ...Object.fromEntries(fresh) }
      await keep?.(tx, { items: done, sets: ahead, report })
    },
    /** To be called when all that stands up to this place is written. */
    reach: (place: number, part: ImportReport) => {
      addReport(report, part)
      done = Math.max(done, place)
      ahead = beyond(done)
      for (const [set, at] of places) if (at <= place && places.delete(set)) told.delete(set)
    },
  }
}
export type Point = ReturnType<typeof followPoint>
