import { arrayOf, arrayOfTexts } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { copyIn } from '../../../../db/copied-rows.ts'
import { changes as changesTable } from '../../../../db/schema/index.ts'
import { Audience } from '../../../lib/audience.ts'
import { writeOrigin } from '../../../lib/origin.ts'

/**
 * How many ids one row of `changes` has. This keeps a row at a few kilobytes, and a published set of 95,000 cards takes 95
 * rows.
 */
export const idsPerRow = 1000

/** The channel of the process that numbers changes. */
export const changesChannel = 'changes'

/** The type of changes of numbers of cards. */
export const recounted = 'recounted'

type Move = { type: string; before: number; after: number; ids: string[] }

/** What one transaction did, grouped by type and by who could see it before and after. */
export type Changes = Map<string, Move>

/** Notes that records of a type were written, with who could see them before and who can now. */
export const note = (changes: Changes, type: string, before: number, after: number, ids: Iterable<string>) => {
  const key = `${type}:${before}:${after}`
  const move = changes.get(key) ?? { type, before, after, ids: [] }
  for (const id of ids) move.ids.push(id)
  if (move.ids.length > 0) changes.set(key, move)
}

/** From this many ids on, COPY is faster than an array as text. */
export const copiedIds = 500

/**
 * Notes players, teams and attributes whose number of cards changed, for processes that remember it. Nobody could see such a change before or after
 * it, so the feed has it and shows it to no one.
 */
export const noteRecounted = async (tx: Transaction, ids: Set<string>) => {
  const changes: Changes = new Map()
  note(changes, recounted, Audience.deleted, Audience.deleted, ids)
  await writeChanges(tx, changes, new Date())
}

/**
 * Notes an import that finished or a merge that was made, at its place among the changes, for those who are told of such events.
 * The feed shows it to no one. Nothing is noted while there are no webhooks.
 */
export const noteEvent = async (tx: Transaction, type: 'imports' | 'merges', id: string, now: Date) => {
  const [someone] = await tx.sql`select from webhooks limit 1`
  if (!someone) return
  const changes: Changes = new Map()
  note(changes, type, Audience.deleted, Audience.deleted, [id])
  await writeChanges(tx, changes, now)
}

/** Writes what was noted, in the transaction of the writes themselves. The change feed numbers it after the commit. */
export const writeChanges = async (tx: Transaction, changes: Changes, now: Date) => {
  const [changed_at, { origin }] = [now.toISOString(), tx]
  const rows = [...changes.values()].flatMap(({ type, before, after, ids }) =>
    Array.from({ length: Math.ceil(ids.length / idsPerRow) }, (_, index) => ({
      ...{ id: Bun.randomUUIDv7(), type, audience_before: before, audience_after: after, changed_at, origin },
      ids: ids.slice(index * idsPerRow, (index + 1) * idsPerRow),
    })),
  )
  if (rows.length === 0) return
  if (tx.kind === 'postgres' && rows.some(({ ids }) => ids.length >= copiedIds))
    await copyIn(
      tx,
      changesTable,
      ['id', 'type', 'ids', 'audience_before', 'audience_after', 'changed_at', 'origin'],
      rows,
    )
  else
    await tx.sql`
      insert into changes (id, type, ids, audience_before, audience_after, changed_at, origin)
      select id, type, ids::uuid[], before, after, ${changed_at}::timestamptz, ${writeOrigin(origin)}::text::json
      from unnest(
        ${rows.map((row) => row.id)}::uuid[], ${rows.map((row) => row.type)}::text[],
        ${arrayOfTexts(rows.map((row) => arrayOf(row.ids)))}::text::text[],
        ${rows.map((row) => row.audience_before)}::smallint[], ${rows.map((row) => row.audience_after)}::smallint[]
      ) as r (id, type, ids, before, after)`
  await tx.notify(changesChannel)
}
