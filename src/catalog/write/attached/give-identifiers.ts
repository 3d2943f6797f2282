import type { Transaction } from '../../../../db/client.ts'
import { bindRows } from '../../../../db/rows.ts'
import { identifiers } from '../../../../db/schema/index.ts'
import { Audience } from '../../../lib/audience.ts'
import { countAttached } from '../counts/attached.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies } from '../locks/tallies.ts'
import type { Writer } from '../record.ts'
import { unlessTaken } from './faults.ts'
import { lockIdentifiers } from './identifiers.ts'
import { lockOwners } from './owners.ts'

/** An identifier that an import gives a card. */
export type Given = { cardId: string; source: string; value: string }

/**
 * Gives cards the identifiers in a file, once the cards are written. Skips those that a card already has, or that a person
 * removed from it; those that an undo removed come again. Returns the ids of those that it created, and those that belong to another card.
 */
export const giveIdentifiers = async (
  tx: Transaction,
  given: Given[],
  writer: Writer,
): Promise<{ made: string[]; taken: Given[] }> => {
  const { now } = writer
  const fresh = given.length > 0 ? await unknownOf(tx, given) : []
  if (fresh.length === 0) return { made: [], taken: [] }
  const audiences = await lockOwners(
    tx,
    fresh.map(({ cardId }) => ({ kind: 'card', id: cardId })),
  )
  const rows = fresh.map(({ cardId, source, value }, index) => ({
    ...{ id: Bun.randomUUIDv7(), object_type: 'cards' as const, object_id: cardId, source, value },
    audience: audiences[index] ?? Audience.deleted,
  }))
  const seen = rows.filter(({ audience }) => audience > Audience.deleted)
  await lockIdentifiers(tx, seen as never[], writer)
  const names = ['id', 'audience', 'object_type', 'object_id', 'source', 'value'] as const
  const { from, values } = bindRows(identifiers, names, seen, 2)
  const inserted = await tx.sql.unsafe<{ id: string }[]>(
    `insert into identifiers (${names.join(', ')}, created_at, updated_at)
     select ${names.join(', ')}, $1::timestamptz, $1::timestamptz from ${from} ${unlessTaken('identifiers')}
     returning id`,
    [now.toISOString(), ...values],
    { prepare: true },
  )
  const made = new Set(inserted.map(({ id }) => id))
  const [tallies, changes]: [Tallies, Changes] = [new Map(), new Map()]
  for (const { id, audience, object_id, source } of seen.filter((row) => made.has(row.id))) {
    const row = { id, audience, kind: 'card', owner: object_id, source }
    countAttached(tallies, 'identifiers', row, Audience.deleted, audience)
    note(changes, 'identifiers', Audience.deleted, audience, [id])
  }
  await applyTallies(tx, tallies)
  await writeChanges(tx, changes, now)
  const taken = seen.filter(({ id }) => !made.has(id))
  return { made: [...made], taken: taken.map(({ object_id, source, value }) => ({ cardId: object_id, source, value })) }
}

/** Those that the cards neither have nor had, each once, in order. */
const unknownOf = async (tx: Transaction, given: Given[]): Promise<Given[]> => {
  const wanted = new Map(given.map((one) => [keyOf(one), one]))
  const known = await tx.sql<Given[]>`
    select i.object_id as "cardId", i.source, i.value
    from jsonb_to_recordset(${JSON.stringify([...wanted.values()])}::text::jsonb)
      as n ("cardId" uuid, source text, value text)
    join identifiers i on i.object_id = n."cardId" and i.object_type = 'cards' and i.source = n.source and i.value = n.value
    where i.deleted_at is null
      or (select r.cause from revisions r where r.object_id = i.id order by r.id desc limit 1) is distinct from 'undo'`
  for (const one of known) wanted.delete(keyOf(one))
  return [...wanted.values()]
}

const keyOf = ({ cardId, source, value }: Given) => `${cardId} ${source} ${value}`
