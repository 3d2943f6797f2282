import type { PgTable } from 'drizzle-orm/pg-core'
import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { bindRows, type ColumnName } from '../../../../db/rows.ts'
import { Audience } from '../../../lib/audience.ts'
import { type AttachedType, attachments, columnsOf, type ObjectKind, ownerIn } from '../../model/attached.ts'
import { tableOf, tables } from '../../model/tables.ts'
import { type Attached, countAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies } from '../locks/tallies.ts'
import type { Owner, Times } from '../record.ts'
import { keepImageIds } from './card-images.ts'
import { lockOwners } from './owners.ts'

/** An attached record at a mirror's source: its columns by name, and what it is attached to. */
export type MirroredAttached = Times & {
  id: string
  owner: Owner
  attributeId?: string
  source?: string
  columns: Record<string, string | number | null>
}

/**
 * Makes attached records, by id, what they are at a mirror's source. If one takes the place of another, that one is removed,
 * since it is gone at the source. Returns the ids of those whose owner is hidden here.
 */
export const mirrorAttached = async (
  tx: Transaction,
  type: AttachedType,
  records: MirroredAttached[],
  now: Date,
): Promise<string[]> => {
  const ids = records.map(({ id }) => id)
  const found = await readAttached(tx, type, ids)
  const owners = [...records.map(({ owner }) => owner), ...[...found.values()].map(ownerOf)]
  const attributes = records.flatMap(({ attributeId }) => attributeId ?? [])
  const audiences = await lockOwners(tx, owners, [...new Set(attributes)])
  const seen = records.flatMap((record, index) => {
    const audience = audiences[index] ?? 0
    return audience > Audience.deleted ? [{ ...record, audience }] : []
  })
  await unmirrorAttached(tx, type, await displaced(tx, type, seen), now)
  const stored = await readAttached(tx, type, ids)
  const written = new Set(await upsert(tx, type, seen))
  const [tallies, changes]: [Tallies, Changes] = [new Map(), new Map()]
  for (const { id, owner, attributeId, source, audience } of seen) {
    if (!written.has(id)) continue
    const before = stored.get(id)
    const after = { id, audience, owner: owner.id, attributeId, source, kind: owner.kind }
    if (before) countAttached(tallies, type, before, before.audience, Audience.deleted)
    countAttached(tallies, type, after, Audience.deleted, audience)
    note(changes, type, before?.audience ?? Audience.deleted, audience, [id])
  }
  if (type === 'card_images') await keepImageIds(tx, cardsOf(seen, stored, written), changes)
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
  const isSeen = new Set(seen.map(({ id }) => id))
  return ids.filter((id) => !isSeen.has(id))
}

/** Removes attached records permanently. */
export const unmirrorAttached = async (tx: Transaction, type: AttachedType, ids: string[], now: Date) => {
  const first = ids.length > 0 ? [...(await readAttached(tx, type, ids)).values()] : []
  if (first.length === 0) return
  await lockOwners(tx, first.map(ownerOf))
  const rows = [...(await readAttached(tx, type, ids)).values()]
  const [tallies, changes]: [Tallies, Changes] = [new Map(), new Map()]
  await tx.sql`delete from ${tx.sql(tableOf(type))} where id = any(${arrayOf(rows.map(({ id }) => id))}::text::uuid[])`
  for (const row of rows) {
    countAttached(tallies, type, row, row.audience, Audience.deleted)
    note(changes, type, row.audience, Audience.deleted, [row.id])
  }
  if (type === 'card_images') await keepImageIds(tx, [...new Set(rows.map(({ owner }) => owner))], changes)
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
}

type Found = Attached & { kind: ObjectKind }

const ownerOf = ({ kind, owner }: Found): Owner => ({ kind, id: owner })

const readAttached = async (tx: Transaction, type: AttachedType, ids: string[]): Promise<Map<string, Found>> => {
  const rows = await tx.sql.unsafe<Found[]>(
    `select id, audience, ${ownerIn(type)} from ${tableOf(type)} where id = any($1::text::uuid[])`,
    [arrayOf(ids)],
    { prepare: true },
  )
  return new Map(rows.map((row) => [row.id, row]))
}

/** The records whose places these take: values of the same attribute on the same object, or the same identifiers. */
const displaced = async (tx: Transaction, type: AttachedType, records: MirroredAttached[]): Promise<string[]> => {
  const schema: PgTable = tables[type]
  const { place } = attachments[type]
  if (!place || records.length === 0) return []
  const { from, values } = bindRows(
    schema,
    ['id', ...place] as ColumnName<typeof schema>[],
    records.map(({ id, columns }) => ({ ...columns, id })),
  )
  const rows = await tx.sql.unsafe<{ id: string }[]>(
    `select distinct o.id from ${from}
     join ${tableOf(type)} o on ${place.map((name) => `o.${name} = n.${name}`).join(' and ')} and o.id <> n.id
     where o.deleted_at is null`,
    values,
    { prepare: true },
  )
  return rows.map(({ id }) => id)
}

const upsert = async (tx: Transaction, type: AttachedType, records: (MirroredAttached & { audience: number })[]) => {
  if (records.length === 0) return []
  const schema: PgTable = tables[type]
  const all = [...columnsOf(type), 'audience', 'created_at', 'updated_at']
  const { from, values } = bindRows(
    schema,
    ['id', ...all] as ColumnName<typeof schema>[],
    records.map(({ id, columns, audience, createdAt, updatedAt }) => ({
      ...{ ...columns, id, audience, created_at: createdAt, updated_at: updatedAt },
    })),
  )
  const rows = await tx.sql.unsafe<{ id: string }[]>(
    `insert into ${tableOf(type)} as t (id, ${all.join(', ')})
     select id, ${all.join(', ')} from ${from}
     on conflict (id) do update set ${all.map((name) => `${name} = excluded.${name}`).join(', ')},
       deleted_at = null, version = t.version + 1
     where (${all.map((name) => `t.${name}`).join(', ')}, t.deleted_at is null)
       is distinct from (${all.map((name) => `excluded.${name}`).join(', ')}, true)
     returning id`,
    values,
    { prepare: true },
  )
  return rows.map(({ id }) => id)
}

const cardsOf = (records: MirroredAttached[], stored: Map<string, Found>, written: Set<string>) => [
  ...new Set(
    records.flatMap(({ id, owner }) => (written.has(id) ? [owner.id, stored.get(id)?.owner ?? owner.id] : [])),
  ),
]
