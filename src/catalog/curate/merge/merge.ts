import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Database, Transaction } from '../../../../db/client.ts'
import { type Act, writeAudit } from '../../../audit/write.ts'
import { validationFailed } from '../../../jsonapi/errors.ts'
import { noteEvent } from '../../write/counts/changes.ts'
import { noClaims } from '../../write/locks/order.ts'
import { enter } from '../../write/write-transaction.ts'
import { attributeMerger } from './attributes.ts'
import { cardMerger } from './cards.ts'
import { labelMerger } from './labels.ts'
import { audiencesOf, requireLive } from './live.ts'
import { peopleMerger } from './people.ts'
import { type Merge, type MergedType, type MergeOrder, type Merger, type Redirect, writerOf } from './record.ts'
import { setMerger } from './sets.ts'

const mergers: Record<MergedType, Merger> = {
  players: peopleMerger('players'),
  teams: peopleMerger('teams'),
  brands: labelMerger('brand_id'),
  manufacturers: labelMerger('manufacturer_id'),
  genres: labelMerger('genre_id'),
  years: labelMerger('year_id'),
  attributes: attributeMerger,
  sets: setMerger,
  cards: cardMerger,
}

/**
 * Merges records (decisions.md §13). Everything that refers to those in `fromIds` then refers to `intoId`. They are deleted,
 * and their ids redirect to it. All in one transaction, so it is done completely or not at all, and nobody sees a part of it.
 * 422 if they can't be merged.
 */
export const mergeRecords = async (db: Database, order: MergeOrder, by: Act): Promise<Merge> => {
  const { objectType: type, intoId: into, note = null } = order
  const merging = { type, from: [...new Set(order.fromIds)], into }
  const id = Bun.randomUUIDv7()
  const merger = mergers[type]
  const work = async (tx: Transaction) => {
    await requireLive(tx, order)
    const faults = (await merger.faults?.(tx, merging)) ?? []
    if (faults.length > 0) throw validationFailed(faults)
    const { from } = merging
    const row = { id, objectType: type, fromIds: from, intoId: into, note, agentId: by.agent, undoneAt: null }
    const merge: Merge = { ...row, createdAt: by.now.toISOString() }
    await insertMerge(tx, merge)
    const along = await merger.work(tx, merging, writerOf(by, 'merge', id))
    await insertRedirects(tx, id, [...from.map((old) => ({ type, id: old, into })), ...along])
    await forgetRenames(tx, merging)
    const data = { from_ids: from, merge_id: id }
    await writeAudit(tx, by, { eventType: 'records.merged', auditableType: type, auditableId: into, data })
    await noteEvent(tx, 'merges', id, by.now)
    return merge
  }
  return enter(db, work, async (tx) => {
    const live = await audiencesOf(tx, type, [...merging.from, into])
    return live.size === merging.from.length + 1 ? merger.claims(tx, merging) : noClaims()
  })
}

const insertMerge = async (tx: Transaction, { id, objectType, fromIds, intoId, note, agentId, createdAt }: Merge) => {
  await tx.sql`
    insert into merges (id, object_type, from_ids, into_id, note, agent_id, created_at)
    values (${id}, ${objectType}, ${arrayOf(fromIds)}::text::uuid[], ${intoId}, ${note}, ${agentId}, ${createdAt})`
}

const insertRedirects = async (tx: Transaction, mergeId: string, redirects: Redirect[]) => {
  await tx.sql`
    insert into redirects (id, object_type, into_id, merge_id)
    select id, object_type, into_id, ${mergeId}::uuid
    from unnest(${arrayOf(redirects.map(({ id }) => id))}::text::uuid[],
      ${arrayOfTexts(redirects.map(({ type }) => type))}::text::text[],
      ${arrayOf(redirects.map(({ into }) => into))}::text::uuid[]) as n (id, object_type, into_id)`
}

/** An unfinished rename of a merged record has nothing left to do. */
const forgetRenames = async (tx: Transaction, { type, from }: { type: string; from: string[] }) => {
  const names = from.map((id) => `rename ${type} ${id}`)
  await tx.sql`delete from settings where name = any(${arrayOfTexts(names)}::text::text[])`
}
