import type { Transaction } from '../../../../db/client.ts'
import { resourcesInV2 } from '../../model/v2.ts'
import { type Reference, type SourceRecord, Unreadable } from './record.ts'
import { dropRedirects, keepRedirects, type SourceRedirect } from './redirects/keep.ts'
import { referencesOf, requireReadable } from './states.ts'
import { findPresent, forgetWaiting, keepWaiting, release, type Waiting } from './waiting.ts'
import { inWaves } from './waves.ts'
import { removeRecords, writeRecords } from './write.ts'

/** What to apply: records as they are at the source now, records that are gone there, and which of those were merged. */
export type Batch = { upserts: SourceRecord[]; deletes: Reference[]; merged?: SourceRedirect[] }

/** How many records were written or removed, and which were skipped because they couldn't be read. */
export type Applied = { count: number; unreadable: { type: string; id: string; message: string }[] }

/** All types, each after the types it refers to. */
export const typesInOrder = resourcesInV2.map(({ type }) => type)

/**
 * Applies up to a few thousand records and deletions, each id once, in the caller's transaction. A record that refers to one that isn't
 * here yet waits for it (`mirror_waiting`). The deletion of a record that is still in use waits, too. Both were valid at the source when
 * they were read, so what they wait for will come.
 */
export const apply = async (tx: Transaction, { upserts, deletes, merged = [] }: Batch, now: Date): Promise<Applied> => {
  await forgetWaiting(tx, [...upserts, ...deletes])
  const ids = [...upserts, ...deletes].map(({ id }) => id)
  await dropRedirects(tx, ids)
  await keepRedirects(tx, merged)
  const applied: Applied = { count: 0, unreadable: [] }
  const came: string[] = []
  const keep = async (ids: string[], waiting: Waiting[]) => {
    await keepWaiting(tx, waiting)
    const waits = new Set(waiting.map(({ id }) => id))
    const done = ids.filter((id) => !waits.has(id))
    applied.count += done.length
    came.push(...done)
  }
  const byType = Map.groupBy(upserts, ({ type }) => type)
  for (const type of typesInOrder)
    for (const wave of inWaves(type, byType.get(type) ?? [])) {
      const { ready, waiting } = await sortOut(tx, wave, applied)
      if (ready.length > 0) waiting.push(...(await writeRecords(tx, type, ready, now)))
      await keep(
        ready.map(({ id }) => id),
        waiting,
      )
    }
  const gone = Map.groupBy(deletes, ({ type }) => type)
  for (const type of typesInOrder.toReversed()) {
    const ids = gone.get(type)?.map(({ id }) => id) ?? []
    if (ids.length === 0) continue
    const inUse = await removeRecords(tx, type, ids, now)
    const waiting = inUse.map((id) => ({ type, id }))
    await keep(ids, waiting)
  }
  if (came.length > 0) await release(tx, came)
  return applied
}

/** Splits records into those whose references are all here, and those that wait for one. Skips records that can't be read. */
const sortOut = async (tx: Transaction, records: SourceRecord[], { unreadable }: Applied) => {
  const read = records.flatMap((record) => {
    try {
      requireReadable(record)
      return [{ record, references: referencesOf(record) }]
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      unreadable.push({ type: record.type, id: record.id, message: error.message })
      return []
    }
  })
  const references = read.flatMap(({ references }) => references)
  const present = await findPresent(tx, references)
  const ready: SourceRecord[] = []
  const waiting: Waiting[] = []
  for (const { record, references } of read) {
    const missing = references.find(({ id }) => !present.has(id))
    if (missing) waiting.push({ type: record.type, id: record.id, record, waitsFor: missing.id })
    else ready.push(record)
  }
  return { ready, waiting }
}
