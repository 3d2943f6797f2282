import type postgres from 'postgres'
import type { Transaction } from '../../../../db/client.ts'
import { type AttachedType, attachableTo, attachments, ownerIn } from '../../model/attached.ts'
import { everything, identifierSourceId, kindId, type ListName } from '../../model/counts.ts'
import { tableOf } from '../../model/tables.ts'
import type { Tallies } from '../locks/order.ts'
import { count, difference } from '../locks/tallies.ts'
import { type Changes, note } from './changes.ts'

/** A part of a statement. */
type Fragment = postgres.PendingQuery<postgres.Row[]>

/** An attached record for counting: who sees it, and what it is attached to. */
export type Attached = {
  id: string
  audience: number
  kind: string
  owner: string
  attributeId?: string
  source?: string
}

/** Counts an attached record that moves from one audience to another, in every list that it is in. */
export const countAttached = (tallies: Tallies, type: AttachedType, row: Attached, before: number, after: number) => {
  const [live, published] = difference(before, after)
  const kind = attachments[type].says && kindId(row.kind)
  const source = row.source === undefined ? undefined : identifierSourceId(row.source)
  // A card may have the id that stands for the whole list.
  const owner = row.owner === everything ? undefined : row.owner
  for (const id of [everything, owner, row.attributeId, kind, source]) count(tallies, type, type, id, live, published)
}

/** Whose attached records: those of entities of a type, of everything on cards, or of a set and its cards. */
type Owners = {
  entities?: [type: ListName, ids: string[]]
  cards?: string[]
  set?: string
}

/** Gives attached records the new audience of their owners, with counts and changes. */
export const moveAttached = async (
  tx: Transaction,
  owners: Owners,
  audience: number,
  changes: Changes,
  tallies: Tallies,
) => {
  for (const [type, where] of attachedTo(tx, owners)) {
    const table = tableOf(type)
    const moved = await tx.sql<(Attached & { before: number })[]>`
      with old as (
        select id, audience as before from ${tx.sql(table)}
        where ${where} and deleted_at is null and audience <> ${audience} order by id for no key update
      )
      update ${tx.sql(table)} t set audience = ${audience} from old where t.id = old.id
      returning t.id, before, audience, ${tx.sql.unsafe(ownerIn(type))}`
    for (const row of moved) {
      countAttached(tallies, type, row, row.before, audience)
      note(changes, type, row.before, audience, [row.id])
    }
  }
}

const attachedTo = (tx: Transaction, { entities, cards, set }: Owners) => {
  const found: [type: AttachedType, where: Fragment][] = []
  const ownersAre = (type: string, ids: Fragment) => {
    for (const [attached, says] of attachableTo(type)) {
      const ofType = says ? tx.sql`and object_type = ${says}` : tx.sql``
      found.push([attached, tx.sql`${tx.sql(attachments[attached].owner)} ${ids} ${ofType}`])
    }
  }
  if (entities) ownersAre(entities[0], tx.sql`= any(${entities[1]}::uuid[])`)
  if (set) ownersAre('sets', tx.sql`= ${set}`)
  if (set) ownersAre('cards', tx.sql`in (select id from cards where set_id = ${set} and deleted_at is null)`)
  else if (cards) ownersAre('cards', tx.sql`= any(${cards}::uuid[])`)
  return found
}
