import type { Batch } from './apply.ts'
import { applyHeld, applyWaiting, type Following } from './following.ts'
import { paceSeconds, waitSeconds } from './pace.ts'
import { objectOf, type Reference, readId, readRecord, readText, type SourceRecord, Unreadable } from './record.ts'
import { SourceFault } from './source.ts'
import { noteProgress } from './state.ts'

/** How many changes to request at once, and to apply in one transaction. */
const pageSizes = { postgres: 1000, embedded: 300 }

/**
 * Asks the source for the changes after a cursor, with a long poll, and saves them together with the new cursor. Returns whether the source
 * has more. Throws SourceFault.
 */
export const followOnce = async (following: Following, cursor: string): Promise<boolean> => {
  const { db, source, clock, holder, signal } = following
  const size = pageSizes[db.kind]
  const wait = waitSeconds(paceSeconds(source.allowance(), false))
  const query = new URLSearchParams({
    ...{ 'page[after]': cursor, 'page[size]': String(size), include: 'resource', wait: String(wait) },
  })
  const page = readPage(await source.read(`/v2/changes?${query}`, signal, wait), following)
  const hasMore = page.count >= size
  const currentAt = hasMore ? page.changedAt : clock.now()
  const appliedAt = page.count > 0 ? clock.now() : undefined
  await applyHeld(following, page.batch, (tx) =>
    noteProgress(tx, holder, { cursor: page.cursor, currentAt, appliedAt }),
  )
  if (page.count > 0) await applyWaiting(following)
  return hasMore
}

type Page = { cursor: string; count: number; changedAt: Date | undefined; batch: Batch }

const readPage = ({ data, included, meta }: Record<string, unknown>, { log }: Following): Page => {
  try {
    if (!Array.isArray(data) || !Array.isArray(included)) throw new Unreadable('a page of changes')
    const entries = data.map(readEntry)
    const page = objectOf(objectOf(meta, 'meta').page, 'meta.page')
    const changedAt = entries.at(-1)?.changedAt
    return {
      cursor: readText(page, 'cursor'),
      count: entries.length,
      changedAt: changedAt ? new Date(changedAt) : undefined,
      batch: batchOf(entries, readIncluded(included, log)),
    }
  } catch (error) {
    if (error instanceof Unreadable)
      throw new SourceFault(`The source's answer is not a page of changes: ${error.message}`)
    throw error
  }
}

type Entry = { resource: Reference; isGone: boolean; changedAt: string; mergedInto?: string }

const readEntry = (value: unknown): Entry => {
  const { attributes, relationships, meta } = objectOf(value, 'a change')
  const { merged_into: into } = objectOf(meta ?? {}, 'meta')
  const own = objectOf(attributes, 'attributes')
  const { data } = objectOf(objectOf(relationships, 'relationships').resource, 'a resource')
  const { type, id } = objectOf(data, 'an identifier')
  return {
    resource: { type: String(type), id: readId(id) },
    isGone: readText(own, 'action') === 'delete',
    changedAt: readText(own, 'changed_at'),
    mergedInto: into === undefined ? undefined : readId(objectOf(into, 'an identifier').id),
  }
}

const keyOf = ({ type, id }: Reference) => `${type} ${id}`

const readIncluded = (included: unknown[], log: Following['log']): Map<string, SourceRecord> => {
  const records = new Map<string, SourceRecord>()
  for (const value of included)
    try {
      const record = readRecord(value)
      records.set(keyOf(record), record)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      log.warn('mirror_record_unreadable', { message: error.message })
    }
  return records
}

/**
 * If a record has several changes, only the last one counts. A changed record that isn't included has been hidden since, and the change
 * for that is still to come.
 */
const batchOf = (entries: Entry[], records: Map<string, SourceRecord>): Batch => {
  const last = new Map(entries.map((entry) => [keyOf(entry.resource), entry]))
  return {
    upserts: [...last].flatMap(([key, { isGone }]) => (isGone ? [] : (records.get(key) ?? []))),
    deletes: [...last.values()].filter(({ isGone }) => isGone).map(({ resource }) => resource),
    merged: [...last.values()].flatMap(({ resource, mergedInto }) =>
      mergedInto ? [{ ...resource, into: mergedInto }] : [],
    ),
  }
}
