import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import { deletion } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import { lockNames } from '../locks/tallies.ts'
import type { Columns, Writer } from '../record.ts'

/** The name that only one live identifier may have: its record's type, its source and its value. */
export const nameOfIdentifier = ({ object_type, source, value }: Record<string, unknown>): string =>
  `${object_type} ${source} ${value}`

/**
 * Locks the names of identifiers, whose owners must already be locked. An identifier with the same name gives way if its record
 * is deleted: it is deleted, too.
 */
export const lockIdentifiers = async (tx: Transaction, all: Columns[], writer: Writer) => {
  await lockNames(tx, 'identifiers', all.map(nameOfIdentifier))
  const gone = await tx.sql<{ id: string }[]>`
    with hidden as (
      select i.id
      from jsonb_to_recordset(${JSON.stringify(all)}::text::jsonb) as n (object_type text, source text, value text)
      join identifiers i on i.value = n.value and i.source = n.source and i.object_type = n.object_type
      where i.deleted_at is null and i.audience = 0 order by i.id for no key update of i
    )
    update identifiers i set deleted_at = ${writer.now.toISOString()}::timestamptz, version = i.version + 1
    from hidden where i.id = hidden.id returning i.id`
  const changed = gone.map(({ id }) => ({ id, ...deletion }))
  await writeRevisions(tx, 'identifiers', changed, writer)
}

/**
 * Gives an identifier the id that an export has for it, if its record already got the same identifier from its row. Returns
 * whether it did. In the feed, one identifier is deleted and another is created.
 */
export const renumberIdentifier = async (
  tx: Transaction,
  id: string,
  content: Columns,
  audience: number,
  now: Date,
) => {
  const { object_type = '', object_id = '', source = '', value = '' } = content
  const [same] = await tx.sql<{ id: string }[]>`
    select id from identifiers
    where value = ${value} and source = ${source} and object_type = ${object_type} and object_id = ${object_id}
      and deleted_at is null`
  if (!same) return false
  await tx.sql`
    update identifiers set id = ${id}, version = version + 1, updated_at = ${now.toISOString()}::timestamptz
    where id = ${same.id}`
  const changes: Changes = new Map()
  note(changes, 'identifiers', audience, Audience.deleted, [same.id])
  note(changes, 'identifiers', Audience.deleted, audience, [id])
  await writeChanges(tx, changes, now)
  return true
}
