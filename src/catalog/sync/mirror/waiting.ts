import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Queryable, Transaction } from '../../../../db/client.ts'
import { entityTables } from '../../write/entity/tables.ts'
import { firstId } from '../by-id.ts'
import type { Reference, SourceRecord } from './record.ts'

/** A record, or a deletion if `record` is missing, that waits for another record or for a retry. */
export type Waiting = Reference & { record?: SourceRecord; waitsFor?: string }

/** Saves what can't be applied yet. It replaces anything that waited under the same id. */
export const keepWaiting = async ({ sql }: Transaction, waiting: Waiting[]) => {
  if (waiting.length === 0) return
  await sql`
    insert into mirror_waiting (type, id, waits_for, body)
    select type, id, waits_for, body
    from unnest(${arrayOfTexts(waiting.map(({ type }) => type))}::text::text[], ${arrayOf(waiting.map(({ id }) => id))}::text::uuid[],
      ${arrayOf(waiting.map(({ waitsFor }) => waitsFor ?? null))}::text::uuid[],
      ${arrayOfTexts(waiting.map(({ record }) => (record ? JSON.stringify(record) : null)))}::text::text[])
      as w (type, id, waits_for, body)
    on conflict (type, id) do update set waits_for = excluded.waits_for, body = excluded.body`
}

/** Deletes what waited under these ids, because newer versions have come. */
export const forgetWaiting = async ({ sql }: Transaction, records: Reference[]) => {
  await sql`
    delete from mirror_waiting
    where (type, id) in (
      select type, id from unnest(${arrayOfTexts(records.map(({ type }) => type))}::text::text[],
        ${arrayOf(records.map(({ id }) => id))}::text::uuid[]) as r (type, id)
    )`
}

/** Ends the wait for these ids, because the records have come or gone. */
export const release = async ({ sql }: Transaction, ids: string[]) => {
  await sql`update mirror_waiting set waits_for = null where waits_for = any(${arrayOf(ids)}::text::uuid[])`
}

/** Up to `size` entries that can be retried, after one of them. */
export const listReleased = async (
  { sql }: Queryable,
  after: Reference | undefined,
  size: number,
): Promise<Waiting[]> => {
  const rows = await sql<{ type: string; id: string; body: string | null }[]>`
    select type, id, body from mirror_waiting
    where waits_for is null
      and (type, id) > (${after?.type ?? ''}, ${after?.id ?? firstId}::uuid)
    order by type, id limit ${size}`
  return rows.map(({ type, id, body }) => ({ type, id, record: body === null ? undefined : JSON.parse(body) }))
}

/** Deletes everything that waits. */
export const forgetAllWaiting = ({ sql }: Queryable) => sql`delete from mirror_waiting`

const liveText: Record<string, string> = {
  sets: 'select id from sets where audience >= 1 and id = any($::text::uuid[])',
  cards: `select c.id from cards c join sets s on s.id = c.set_id
    where c.deleted_at is null and s.audience >= 1 and c.id = any($::text::uuid[])`,
  ...Object.fromEntries(
    Object.entries(entityTables).map(([type, { table }]) => [
      type,
      `select id from ${table} where deleted_at is null and id = any($::text::uuid[])`,
    ]),
  ),
}

/** The ids of references whose records are here and live. */
export const findPresent = async ({ sql }: Queryable, references: Reference[]): Promise<Set<string>> => {
  const byType = Map.groupBy(references, ({ type }) => type)
  const types = [...byType.keys()].filter((type) => liveText[type]).toSorted()
  if (types.length === 0) return new Set()
  const rows = await sql.unsafe<{ id: string }[]>(
    types.map((type, index) => liveText[type]?.replace('$', `$${index + 1}`)).join(' union all '),
    types.map((type) => arrayOf([...new Set(byType.get(type)?.map(({ id }) => id))])),
    { prepare: true },
  )
  return new Set(rows.map(({ id }) => id))
}
