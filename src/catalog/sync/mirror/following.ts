import type { Database, Transaction } from '../../../../db/client.ts'
import type { Context } from '../../../context.ts'
import { enterAlone } from '../../write/write-transaction.ts'
import { type Applied, apply, type Batch } from './apply.ts'
import type { Shelf } from './files.ts'
import type { Source } from './source.ts'
import { requireHeld } from './state.ts'
import { listReleased } from './waiting.ts'

/** A process that mirrors: what it needs, and the name it holds the lease under. */
export type Following = Pick<Context, 'db' | 'clock' | 'log'> & {
  source: Source
  holder: string
  shelf: Shelf
  signal: AbortSignal
}

/** Applies a batch and runs `also`, in one transaction. Throws NotHolder if this process doesn't hold the mirror. */
export const applyHeld = async (
  { db, clock, log, holder }: Following,
  batch: Batch,
  also: (tx: Transaction, now: Date) => Promise<unknown> = async () => {},
): Promise<Applied> => {
  const applied = await db.transaction(async (tx) => {
    await requireHeld(tx, holder)
    const now = clock.now()
    const done = await enterAlone(tx, () => apply(tx, batch, now))
    await also(tx, now)
    return done
  })
  for (const fields of applied.unreadable) log.warn('mirror_record_unreadable', fields)
  return applied
}

const atOnce: Record<Database['kind'], number> = { postgres: 1000, embedded: 250 }

/** Retries records whose wait is over until no more can be applied. */
export const applyWaiting = async (following: Following) => {
  const { db, signal } = following
  for (let count = 1; count > 0; ) {
    count = 0
    for (let after: Parameters<typeof listReleased>[1]; ; ) {
      signal.throwIfAborted()
      const some = await listReleased(db, after, atOnce[db.kind])
      after = some.at(-1)
      if (!after) break
      const upserts = some.flatMap(({ record }) => record ?? [])
      const deletes = some.filter(({ record }) => !record)
      count += (await applyHeld(following, { upserts, deletes })).count
    }
  }
}
