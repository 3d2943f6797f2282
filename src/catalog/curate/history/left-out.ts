import type { Transaction } from '../../../../db/client.ts'
import type { Revision } from './read.ts'

/** The most identifiers that are named, as in a relationship (decisions.md §3). */
export const leftOutMost = 1000

/**
 * The identifiers that stay deleted when a record is restored, because another record took them while it was deleted. For a
 * set, this includes those of its cards.
 */
export const findLeftOut = async ({ sql }: Transaction, made: Revision): Promise<string[]> => {
  if (made.after.deleted !== false) return []
  const rows = await sql<{ id: string }[]>`
    select i.id from identifiers i
    where i.deleted_at is not null
      and i.object_id in (
        select ${made.object_id}::uuid union all
        select id from cards where set_id = ${made.object_id} and deleted_at is null
      ) and exists (
        select from revisions r where r.object_id = i.id and r.object_type = 'identifiers' and r.id > (
          select max(id) from revisions
          where object_id = ${made.object_id} and object_type = ${made.object_type} and id < ${made.id}::text::bigint
        )
      )
    order by i.id limit ${leftOutMost}`
  return rows.map(({ id }) => id)
}
