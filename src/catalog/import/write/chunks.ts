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
  /** All of the chunk but its cards is kept. */
  isKept: boolean
}

/**
 * A chunk that is being written. Beside one that was foreseen the next may be written: `isWritten` says no as soon as it
 * must begin anew.
 */
type Writing = { isForeseen: boolean; isWritten: Promise<boolean>; written: Promise<void> }
const nothing: Writing = { isForeseen: false, isWritten: Promise.resolve(true), written: Promise.resolve() }

/**
 * Writes chunks in their order, each while the next is prepared; on a server the rows of new cards beside the chunk
 * before, two at once, committed one after the other. `tell` is called once a chunk is written.
 */
export const openChunks = (
  db: Database,
  { point, pace, placed, tell }: { point: Point; pace: Pace; placed: PlacedSets; tell: () => Promise<void> },
) => {
  let [earlier, last] = [nothing, nothing]

  /** Answers as soon as the chunk is being written; throws what an earlier one threw, and where the signal says so. */
  const write = async (chunk: Chunk, signal: AbortSignal | undefined) => {
    const { wanted, counts, now } = chunk
    const ahead = pace.isAhead ? await planAhead(db, wanted, placed, counts, now) : undefined
    await (ahead?.foreseen && last.isForeseen ? earlier : last).written
    if (signal?.aborted) await last.written
    signal?.throwIfAborted()
    ;[earlier, last] = [last, begin(chunk, ahead, last)]
  }

  const begin = (chunk: Chunk, ahead: Ahead | undefined, before: Writing): Writing => {
    const tried = ahead?.foreseen
      ? writeAhead(db, ahead.foreseen, before.isWritten, chunk.counts, chunk.now, chunk.keep)
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
    // The first chunk is told of before any other: what is planned for empty tables is slow.
    const isForeseen = ahead?.foreseen !== undefined && before !== nothing
    return { isForeseen, isWritten: (isForeseen ? reached : written.then(() => true)).catch(() => false), written }
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
    /** All chunks are written. */
    ended: () => last.written,
  }
}
