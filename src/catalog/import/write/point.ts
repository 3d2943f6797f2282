import type { Transaction } from '../../../../db/client.ts'
import type { SetItem } from '../read/item.ts'
import { addReport, type Counts, type ImportReport, newReport } from './report.ts'

type Outcome = Exclude<keyof Counts, 'failed'>

/**
 * How far an import got: `items` of the checklist are written and counted in the report. Beyond them, `sets` (by their place
 * among the items) are written already, but not counted yet.
 */
export type ImportPoint = { items: number; sets: Record<string, Outcome>; report: ImportReport }

/** Where an import begins, and what saves its progress, in the transaction that made it. */
export type Resuming = { from?: ImportPoint; keep: (tx: Transaction, point: ImportPoint) => Promise<void> }

/** Saves an import's progress in the transaction that writes the last rows of a chunk; `count` adds their outcomes. */
export type Keep = (tx: Transaction, count: (into: ImportReport) => void) => Promise<void>

/** Sets that an earlier run wrote, with their outcomes; null where its report has counted them. */
export type EarlierSets = Map<SetItem, Outcome | null>

/** Follows an import from the point where an earlier run ended. */
export const followPoint = ({ from, keep }: Partial<Resuming>, allNotes: boolean | undefined) => {
  const report = newReport(allNotes)
  if (from) addReport(report, from.report)
  let done = from?.items ?? 0
  let ahead = from?.sets ?? {}
  const places = new Map<SetItem, number>()
  const earlier: EarlierSets = new Map()
  const beyond = (items: number) => Object.fromEntries(Object.entries(ahead).filter(([place]) => Number(place) > items))
  return {
    report,
    earlier,
    isKept: keep !== undefined,
    /** Whether the item at this place is written, so that only its set has to be found again. */
    isDone: (place: number) => place <= done,
    begin: (set: SetItem, place: number) => {
      const outcome = place <= done ? null : ahead[place]
      if (outcome !== undefined) earlier.set(set, outcome)
      if (keep) places.set(set, place)
    },
    /** Call it in the transaction that writes the last rows up to this place. */
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
    /** Call it in the transaction that writes sets, with their outcomes. */
    keepSets: async (tx: Transaction, written: { item: SetItem; outcome?: { result: keyof Counts } }[]) => {
      const fresh = written.flatMap(({ item, outcome }) =>
        outcome && outcome.result !== 'failed' && !earlier.has(item) ? [[places.get(item) ?? 0, outcome.result]] : [],
      )
      if (fresh.length === 0) return
      ahead = { ...ahead, ...Object.fromEntries(fresh) }
      await keep?.(tx, { items: done, sets: ahead, report })
    },
    /** Call it when everything up to this place is written. */
    reach: (place: number, part: ImportReport) => {
      addReport(report, part)
      done = Math.max(done, place)
      ahead = beyond(done)
      for (const [set, at] of places) if (at <= place && places.delete(set)) earlier.delete(set)
    },
  }
}
export type Point = ReturnType<typeof followPoint>
