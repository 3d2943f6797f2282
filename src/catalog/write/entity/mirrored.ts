import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { tableOf } from '../../model/tables.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import type { EntityType, Times } from '../record.ts'
import { renameCards } from './rename.ts'

/**
 * Gives mirrored records their source's times. If nothing else of a record changed (it isn't in `written`), that counts as a
 * change, since times are shown.
 */
export const keepTimes = async (
  tx: Transaction,
  type: 'sets' | 'cards' | EntityType,
  records: (Times & { id: string })[],
  written: Set<string>,
  now: Date,
) => {
  const audience =
    type === 'cards'
      ? 'case when t.deleted_at is null then (select s.audience from sets s where s.id = t.set_id) else 0 end'
      : 't.audience'
  const kept = await tx.sql.unsafe<{ id: string; audience: number }[]>(
    `update ${tableOf(type)} t set created_at = n.created_at, updated_at = n.updated_at, version = t.version + 1
     from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[]) as n (id, created_at, updated_at)
     where t.id = n.id and (t.created_at <> n.created_at or t.updated_at <> n.updated_at)
     returning t.id, ${audience} as audience`,
    [
      arrayOf(records.map(({ id }) => id)),
      arrayOf(records.map(({ createdAt }) => createdAt)),
      arrayOf(records.map(({ updatedAt }) => updatedAt)),
    ],
    { prepare: true },
  )
  const changes: Changes = new Map()
  for (const row of kept) if (!written.has(row.id)) note(changes, type, row.audience, row.audience, [row.id])
  await writeChanges(tx, changes, now)
}

/** Recomputes mirrored cards' names that differ from the source's, because somebody on them was renamed. */
export const keepNames = async (tx: Transaction, cards: { id: string; name: string }[], now: Date) => {
  const stale = await tx.sql<{ id: string }[]>`
    select c.id from unnest(${arrayOf(cards.map(({ id }) => id))}::text::uuid[],
      ${arrayOfTexts(cards.map(({ name }) => name))}::text::text[]) as n (id, name)
    join cards c on c.id = n.id where c.name <> n.name`
  if (stale.length === 0) return
  const changes: Changes = new Map()
  const ids = arrayOf(stale.map(({ id }) => id))
  await renameCards(tx, tx.sql`select s.id from unnest(${ids}::text::uuid[]) as s (id)`, changes, now)
  await writeChanges(tx, changes, now)
}

/** The types where a name may belong to only one live record, and the column that has it. */
export const namedOnce: Partial<Record<EntityType, string>> = {
  ...{ brands: 'name', genres: 'name', manufacturers: 'name', years: 'name' },
  attributes: 'attribute',
}

/**
 * Makes room for mirrored names that only one live record may have. Another record with such a name has lost it at the source,
 * and its own change is on the way. Until that arrives, its id is appended to its name.
 */
export const yieldNames = async (
  tx: Transaction,
  type: EntityType,
  records: { id: string; name: string }[],
  now: Date,
) => {
  const column = namedOnce[type]
  if (!column) return
  const yielded = await tx.sql.unsafe<{ id: string; audience: number }[]>(
    `update ${tableOf(type)} t set ${column} = left(t.${column}, 200) || ' ' || t.id
     from unnest($1::uuid[], $2::text[]) as n (id, name)
     where t.${column}_key collate "C" = lower(n.name) and t.id <> n.id and t.deleted_at is null
       ${type === 'attributes' ? 'and t.attribute = n.name' : ''}
     returning t.id, t.audience`,
    [arrayOf(records.map(({ id }) => id)), arrayOfTexts(records.map(({ name }) => name))],
    { prepare: true },
  )
  const changes: Changes = new Map()
  for (const { id, audience } of yielded) note(changes, type, audience, audience, [id])
  await writeChanges(tx, changes, now)
  if (type === 'years')
    await tx.sql`
      update sets s set year_key = y.name_key from years y
      where y.id = any(${arrayOf(yielded.map(({ id }) => id))}::text::uuid[]) and s.year_id = y.id`
}
