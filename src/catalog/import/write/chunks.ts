import type { Database } from '../../../../db/client.ts'
import { writeCardItems } from './cards.ts'
import type { Point } from './checkpoint.ts'
import { planOnly } from './dry/cards.ts'
import type { WantedCard } from './find/cards.ts'
import { type Ahead, planAhead, writeAhead } from './optimistic-chunk.ts'
import { planCardItems } from './plan/plan-cards.ts'
import type { Part } from './run/chunk-context.ts'
import type { Pace } from './run/pace.ts'
import type { PlacedSets, Session } from './session.ts'

/** The cards of a part. */
type Chunk = {
  wanted: WantedCard[]
  part: Part
  /** Whether everything in the part except its cards is saved already. */
  isKept: boolean
  /** Whether all other rows of the file have claimed their cards. The remaining rows get what is left. */
  isLast?: boolean
}

/**
 * A chunk that is being written. While an optimistic one is written, the next may be, too. `isWritten` resolves to false as soon
 * as the chunk has to start over.
 */
type Writing = { isOptimistic: boolean; isWritten: Promise<boolean>; written: Promise<void> }
const nothing: Writing = { isOptimistic: false, isWritten: Promise.resolve(true), written: Promise.resolve() }

type World = { point: Point; pace: Pace; placed: PlacedSets; session: Session; tell: () => Promise<void> }

/**
 * Writes chunks in order, each while the next is prepared. On a server the rows of new cards are written beside the chunk
 * before: two at once, committed one after the other. `tell` is called after each chunk. Rows whose card only the rest of the
 * file can tell are collected in `late`.
 */
export const openChunks = (db: Database, { point, pace, placed, session, tell }: World) => {
  const late: WantedCard[] = []
  let [earlier, last] = [nothing, nothing]

  /** Resolves as soon as the chunk is being written. Throws what an earlier chunk threw, or when the signal is aborted. */
  const write = async (chunk: Chunk, signal: AbortSignal | undefined) => {
    const isAhead = pace.isAhead && !session.isDry
    const ahead = isAhead ? await planAhead(db, chunk.wanted, placed, chunk.part) : undefined
    await (ahead?.optimistic && last.isOptimistic ? earlier : last).written
    if (signal?.aborted) await last.written
    signal?.throwIfAborted()
    ;[earlier, last] = [last, begin(chunk, ahead, last)]
  }

  const begin = (chunk: Chunk, ahead: Ahead | undefined, before: Writing): Writing => {
    const { part } = chunk
    const { rows, optimistic } = ahead ?? {}
    const tried =
      rows && optimistic ? writeAhead(db, { rows, optimistic }, before.isWritten, part) : Promise.resolve(false)
    const reached = tried.then((isWritten) => {
      if (isWritten) point.reach(part.upTo, part.report)
      return isWritten
    })
    const written = reached.then(async (isWritten) => {
      await before.written
      if (!isWritten) await writeAfter(chunk, ahead)
      await tell()
    })
    written.catch(() => undefined)
    // Nothing is written alongside the first chunk, because query plans made for empty tables are slow.
    const isOptimistic = ahead?.optimistic !== undefined && before !== nothing
    return { isOptimistic, isWritten: (isOptimistic ? reached : written.then(() => true)).catch(() => false), written }
  }

  const writeAfter = async (chunk: Chunk, ahead: Ahead | undefined) => {
    const { wanted, part, isKept: wasKept, isLast = false } = chunk
    const started = performance.now()
    const rows = ahead?.rows ?? (await plan(wanted, part, isLast))
    if (session.isDry) await planOnly(db, rows, part)
    const isKept = !session.isDry && rows.length > 0 && (await writeCardItems(db, rows, part))
    if (!isKept && !wasKept) await db.transaction((tx) => part.keep(tx, () => {}))
    point.reach(part.upTo, part.report)
    pace.took(rows.length, performance.now() - started)
    await pace.rest()
  }

  const plan = async (wanted: WantedCard[], part: Part, isLast: boolean) => {
    const planned = await planCardItems(db, wanted, placed, part, isLast)
    late.push(...planned.late)
    point.hold(planned.late.map(({ item }) => item.place ?? 0))
    return planned.rows
  }

  return {
    late,
    write,
    /** Resolves when all chunks are written. */
    ended: () => last.written,
  }
}
