import type { Transaction } from '../../../../db/client.ts'
import { bindRows } from '../../../../db/rows.ts'
import { sets } from '../../../../db/schema/index.ts'
import { Audience } from '../../../lib/audience.ts'
import { columnNames } from '../../model/record-columns.ts'
import { importOf } from '../history/imported.ts'
import { askSets } from '../locks/order.ts'
import type { SetChange, SetRecord, SetState, Writer } from '../record.ts'

/** Who sees a set, and with it its cards. */
export const audienceOfSet = (set: Pick<SetState, 'deleted' | 'status'> | undefined) =>
  !set || set.deleted ? Audience.deleted : Audience[set.status]

/** Locks sets in the order of `no` and reads them by id, including deleted ones. */
export const lockSetRecords = async (tx: Transaction, ids: string[]): Promise<Map<string, SetRecord>> => {
  askSets(tx, ids)
  return readSetRecords(tx, ids, 'for no key update')
}

/** Reads sets by id, including deleted ones. */
export const readSetRecords = async (
  { sql }: Pick<Transaction, 'sql'>,
  ids: string[],
  lock: '' | 'for no key update' = '',
): Promise<Map<string, SetRecord>> => {
  const rows = await sql<SetRecord[]>`
    select id, no, ${sql.unsafe(names.join(', '))}, live_cards, audience, deleted_at is not null as deleted,
      version || '.' || (extract(epoch from created_at) * 1000)::bigint as revision
    from sets where id = any(${ids}::uuid[]) order by no ${sql.unsafe(lock)}`
  return new Map(rows.map((row) => [row.id, row]))
}

const names = columnNames('sets')

/** A set with nothing in it, as a starting point for a writer: a draft of a base set. */
export const blankSet = {
  ...Object.fromEntries(names.map((name) => [name, null])),
  ...{ name: '', status: 'draft', kind: 'base', deleted: false },
} as unknown as SetState

/** Whether two states have the same set content, so that writing the second would change nothing. */
export const sameSet = (a: SetState, b: SetState) =>
  a.deleted === b.deleted && names.every((name) => a[name] === b[name])

/**
 * Writes the rows of sets. New ones are in the order of the call, each at the next position in checklist order, or at the one
 * that it has at another service.
 */
export const writeSetRows = async (tx: Transaction, changes: SetChange[], writer: Writer) => {
  const { now } = writer
  const places = writer.mirrored?.places
  const created = changes.filter((change) => !change.before)
  const updated = changes.filter((change) => change.before)
  if (created.length > 0) {
    const placeOf = places ? await keepPlaces(tx, created, places) : await takePlaces(tx, created.length)
    const { from, values } = bindRows(
      sets,
      ['id', 'no', 'audience', ...names],
      created.map(({ id, after }, index) => ({ ...after, id, no: placeOf(index), audience: audienceOfSet(after) })),
      3,
    )
    await tx.sql.unsafe(
      `insert into sets (id, no, audience, ${names.join(', ')}, year_key, created_at, updated_at, deleted_at, import_id)
       select n.id, n.no, n.audience, ${names.map((name) => `n.${name}`).join(', ')}, y.name_key, $1::timestamptz,
         $1::timestamptz, case when n.audience = 0 then $1::timestamptz end, $2::uuid
       from ${from} left join years y on y.id = n.year_id
       order by n.no`,
      [now.toISOString(), importOf(writer), ...values],
      { prepare: true },
    )
  }
  if (updated.length === 0) return
  const { from, values } = bindRows(
    sets,
    ['id', 'audience', ...names],
    updated.map(({ id, after }) => ({ ...after, id, audience: audienceOfSet(after) })),
    3,
  )
  await tx.sql.unsafe(
    `update sets s set ${names.map((name) => `${name} = n.${name}`).join(', ')}, audience = n.audience,
       year_key = (select y.name_key from years y where y.id = n.year_id),
       version = s.version + 1, updated_at = $1::timestamptz, import_id = coalesce($2::uuid, s.import_id),
       deleted_at = case when n.audience = 0 then coalesce(s.deleted_at, $1::timestamptz) end
     from ${from} where s.id = n.id`,
    [now.toISOString(), importOf(writer), ...values],
    { prepare: true },
  )
}

const takePlaces = async (tx: Transaction, places: number) => {
  const [row] = await tx.sql<{ value: string }[]>`
    insert into counters as c (name, value) values ('sets.no', ${places})
    on conflict (name) do update set value = c.value + excluded.value
    returning value`
  const first = Number(row?.value) - places + 1
  return (index: number) => first + index
}

/** Reserves positions that were assigned elsewhere, so that a set created here later comes after them. */
const keepPlaces = async (tx: Transaction, created: SetChange[], places: Map<string, number>) => {
  const taken = created.map(({ id }) => places.get(id) ?? 0)
  await tx.sql`
    insert into counters as c (name, value) values ('sets.no', ${Math.max(...taken)})
    on conflict (name) do update set value = greatest(c.value, excluded.value)`
  return (index: number) => taken[index] ?? 0
}
