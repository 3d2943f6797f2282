import type { Transaction } from '../../../../db/client.ts'
import type { SetItem } from '../read/item.ts'
import { addReport, type Counts, copyReport, type ImportReport, newReport } from './report.ts'

type Outcome = Exclude<keyof Counts, 'failed'>

/**
 * How far an import got. `items` of the checklist are written and counted in the report, except cards at the places in `late`,
 * which wait for the end of the file. Of the items after that, `sets` (by place) are written, but not counted yet. After all items,
 * `ended` sets were checked for missing cards.
 */
export type ImportPoint = {
  /** Which import it is, and when it began. */
  of?: { id: string; began: string }
  items: number
  sets: Record<string, Outcome>
  late?: number[]
  ended?: number
  report: ImportReport
}

/** Where an import continues, and how to save its progress within a transaction. */
export type Resuming = { from?: ImportPoint; keep: (tx: Transaction, point: ImportPoint) => Promise<void> }

/** Saves an import's progress in the transaction that writes the last rows of a chunk. `count` adds their outcomes. */
export type Keep = (tx: Transaction, count: (into: ImportReport) => void) => Promise<void>

/** Sets that an earlier run wrote, with their outcomes, or null if its report counted them. */
type EarlierSets = Map<SetItem, Outcome | null>

/** Tracks an import's progress, from the point where an earlier run stopped. */
export const followPoint = (
  { from, keep }: Partial<Resuming>,
  { id, began }: { id: string; began: string },
  allNotes: boolean | undefined,
) => {
  const of = { id, began }
  const report = newReport(allNotes)
  if (from) addReport(report, from.report)
  let done = from?.items ?? 0
  let ahead = from?.sets ?? {}
  let ended = from?.ended ?? 0
  const late = new Set(from?.late)
  const again = new Set(late)
  const places = new Map<SetItem, number>()
  const earlier: EarlierSets = new Map()
  const beyond = (items: number) => Object.fromEntries(Object.entries(ahead).filter(([place]) => Number(place) > items))
  return {
    report,
    earlier,
    isKept: keep !== undefined,
    /** Whether the item at this place is written. Then only its set has to be found again. */
    isDone: (place: number) => place <= done && !again.has(place),
    /** Whether everything up to this place is saved already. */
    isReached: (place: number) => place <= done,
    /** Whether an earlier run counted the item, but left its card for later. */
    isLate: (place: number) => again.has(place),
    /** The cards at these places wait for the end of the file, or are written with the next chunk. */
    hold: (places: number[]) => {
      for (const place of places) late.add(place)
    },
    release: (places: number[]) => {
      for (const place of places) late.delete(place)
    },
    /** How many sets were checked for missing cards. */
    ended: () => ended,
    end: (sets: number) => {
      ended = sets
    },
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
      const counted = copyReport(report)
      addReport(counted, part)
      count(counted)
      const items = Math.max(done, place)
      await keep(tx, { of, items, sets: beyond(items), late: [...late], ended, report: counted })
    },
    /** Call it in the transaction that writes sets, with their outcomes. */
    keepSets: async (tx: Transaction, written: { item: SetItem; outcome?: { result: keyof Counts } }[]) => {
      const fresh = written.flatMap(({ item, outcome }) =>
        outcome && outcome.result !== 'failed' && !earlier.has(item) ? [[places.get(item) ?? 0, outcome.result]] : [],
      )
      if (fresh.length === 0) return
      ahead = { ...ahead, ...Object.fromEntries(fresh) }
      await keep?.(tx, { of, items: done, sets: ahead, late: [...late], ended, report })
    },
    /** Saves what was done after the last item. Call it in the same transaction. */
    keepMore: async (tx: Transaction, part: ImportReport) => {
      const counted = copyReport(report)
      addReport(counted, part)
      await keep?.(tx, { of, items: done, sets: {}, late: [], ended, report: counted })
    },
    /** Adds what was done after the last item. */
    add: (part: ImportReport) => addReport(report, part),
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
