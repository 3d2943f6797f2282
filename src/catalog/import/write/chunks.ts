import type { Database } from '../../../../db/client.ts'
import { type Ahead, planAhead, writeAhead } from './ahead.ts'
import { planCardItems, writeCardItems } from './cards.ts'
import type { WantedCard } from './identify.ts'
import type { Pace } from './pace.ts'
import type { Keep, Point } from './point.ts'
import type { ImportReport } from './report.ts'
import type { PlacedSets } from './sets.ts'

/** The cards of a chunk: `upTo` is the place of its last item, `counts` what the chunk adds to the report. */
type Chunk = {
  wanted: WantedCard[]
  now: Date
  upTo: number
  counts: ImportReport
  keep: Keep
  /** Everything in the chunk but its cards is kept already. */
  isKept: boolean
}

/**
 * A chunk that is being written. Beside an optimistic one the next may be written, too: `isWritten` says no as soon as it
 * has to start over.
 */
type Writing = { isOptimistic: boolean; isWritten: Promise<boolean>; written: Promise<void> }
const nothing: Writing = { isOptimistic: false, isWritten: Promise.resolve(true), written: Promise.resolve() }

/**
 * Writes chunks in order, each while the next is prepared. On a server the rows of new cards are written beside the chunk
 * before: two at once, committed one after the other. `tell` is called after each chunk.
 */
export const openChunks = (
  db: Database,
  { point, pace, placed, tell }: { point: Point; pace: Pace; placed: PlacedSets; tell: () => Promise<void> },
) => {
  let [earlier, last] = [nothing, nothing]

  /** Resolves as soon as the chunk is being written. Throws what an earlier chunk threw, or when the signal is aborted. */
  const write = async (chunk: Chunk, signal: AbortSignal | undefined) => {
    const { wanted, counts, now } = chunk
    const ahead = pace.isAhead ? await planAhead(db, wanted, placed, counts, now) : undefined
    await (ahead?.optimistic && last.isOptimistic ? earlier : last).written
    if (signal?.aborted) await last.written
    signal?.throwIfAborted()
    ;[earlier, last] = [last, begin(chunk, ahead, last)]
  }

  const begin = (chunk: Chunk, ahead: Ahead | undefined, before: Writing): Writing => {
    const tried = ahead?.optimistic
      ? writeAhead(db, ahead.optimistic, before.isWritten, chunk.counts, chunk.keep)
      : Promise.resolve(false)
    const reached = tried.then((isWritten) => {
      if (isWritten) point.reach(chunk.upTo, chunk.counts)
      return isWritten
    })
    const written = reached.then(async (isWritten) => {
      await before.written
      if (!isWritten) await writeAfter(chunk, ahead)
      await tell()
    })
    written.catch(() => undefined)
    // Nothing is written beside the first chunk: plans made for empty tables are slow.
    const isOptimistic = ahead?.optimistic !== undefined && before !== nothing
    return { isOptimistic, isWritten: (isOptimistic ? reached : written.then(() => true)).catch(() => false), written }
  }

  const writeAfter = async ({ wanted, counts, now, keep, isKept: wasKept, upTo }: Chunk, ahead: Ahead | undefined) => {
    const started = performance.now()
    const rows = ahead?.rows ?? (await planCardItems(db, wanted, placed, counts))
    const isKept = rows.length > 0 && (await writeCardItems(db, rows, counts, now, keep))
    if (!isKept && !wasKept) await db.transaction((tx) => keep(tx, () => {}))
    point.reach(upTo, counts)
    pace.took(rows.length, performance.now() - started)
    await pace.rest()
  }

  return {
    write,
    /** Resolves when all chunks are written. */
    ended: () => last.written,
  }
}
