import type { PgTable } from 'drizzle-orm/pg-core'
import type postgres from 'postgres'
import type { Transaction } from '../../../../db/client.ts'
import { cardImages, identifiers, objectAttributes, setSources } from '../../../../db/schema/index.ts'
import { everything, identifierSourceId, type ListName, objectKindIds } from '../../model/counts.ts'
import { columnNames } from '../../model/record-columns.ts'
import type { Tallies } from '../locks/order.ts'
import { count, difference } from '../locks/tallies.ts'
import type { AttachedType } from '../record.ts'
import { type Changes, note } from './changes.ts'

/** A part of a statement. */
type Fragment = postgres.PendingQuery<postgres.Row[]>

/** Where attached records are stored: their own columns, and what says what each is attached to and counted by. */
export const attachedTables: Record<
  AttachedType,
  { schema: PgTable; table: string; columns: string[]; owner: string }
> = {
  'object-attributes': {
    schema: objectAttributes,
    table: 'object_attributes',
    columns: columnNames('object-attributes'),
    owner: `object_type as kind, object_id as owner, attribute_id as "attributeId"`,
  },
  card_images: {
    schema: cardImages,
    table: 'card_images',
    columns: columnNames('card_images'),
    owner: `'card' as kind, card_id as owner`,
  },
  set_sources: {
    schema: setSources,
    table: 'set_sources',
    columns: columnNames('set_sources'),
    owner: `'set' as kind, set_id as owner`,
  },
  identifiers: {
    schema: identifiers,
    table: 'identifiers',
    columns: columnNames('identifiers'),
    owner: `left(object_type, -1) as kind, object_id as owner, source`,
  },
}

/** An attached record as it is counted: who sees it, and what it is attached to. */
export type Attached = {
  id: string
  audience: number
  kind: string
  owner: string
  attributeId?: string
  source?: string
}

/** Counts an attached record that moves between two audiences in every list that it is in. */
export const countAttached = (tallies: Tallies, type: AttachedType, row: Attached, before: number, after: number) => {
  const [live, published] = difference(before, after)
  const kind = type === 'object-attributes' || type === 'identifiers' ? objectKindIds[row.kind] : undefined
  const source = row.source === undefined ? undefined : identifierSourceId(row.source)
  for (const id of [everything, row.owner, row.attributeId, kind, source])
    count(tallies, type, type, id, live, published)
}

/** Whose attached records: those of entities of a type, everything on cards, or everything on a set and its cards. */
export type Owners = {
  entities?: [type: ListName, ids: string[]]
  cards?: string[]
  set?: string
}

/** Gives what is attached to records the records' new audience, with counts and changes. */
export const setDependents = async (
  tx: Transaction,
  owners: Owners,
  audience: number,
  changes: Changes,
  tallies: Tallies,
) => {
  for (const [type, where] of dependentsOf(tx, owners)) {
    const { table, owner } = attachedTables[type]
    const moved = await tx.sql<(Attached & { before: number })[]>`
      with old as (
        select id, audience as before from ${tx.sql(table)}
        where ${where} and deleted_at is null and audience <> ${audience} order by id for no key update
      )
      update ${tx.sql(table)} t set audience = ${audience} from old where t.id = old.id
      returning t.id, before, audience, ${tx.sql.unsafe(owner)}`
    for (const row of moved) {
      countAttached(tallies, type, row, row.before, audience)
      note(changes, type, row.before, audience, [row.id])
    }
  }
}

const dependentsOf = (tx: Transaction, { entities, cards, set }: Owners) => {
  const found: [type: AttachedType, where: Fragment][] = []
  const objectsAre = (type: string, ids: Fragment) => {
    found.push(['identifiers', tx.sql`object_id ${ids} and object_type = ${type}`])
    if (withAttributes.has(type))
      found.push(['object-attributes', tx.sql`object_id ${ids} and object_type = ${type.slice(0, -1)}`])
  }
  if (entities) objectsAre(entities[0], tx.sql`= any(${entities[1]}::uuid[])`)
  if (set) objectsAre('sets', tx.sql`= ${set}`)
  if (cards || set) {
    const ofCards = set
      ? tx.sql`in (select id from cards where set_id = ${set} and deleted_at is null)`
      : tx.sql`= any(${cards ?? []}::uuid[])`
    objectsAre('cards', ofCards)
    found.push(['card_images', tx.sql`card_id ${ofCards}`])
  }
  if (set) found.push(['set_sources', tx.sql`set_id = ${set}`])
  return found
}

/** The types of records that have values of attributes. */
const withAttributes: ReadonlySet<string> = new Set(['cards', 'sets', 'players', 'teams'])
