import type { Transaction } from '../../../../db/client.ts'
import { everything, objectKindIds } from '../../model/counts.ts'
import { type Changes, note } from './changes.ts'
import { count, countsOf, type Tallies } from './tallies.ts'

/** Whose dependents: object attributes of objects, images of cards, sources of sets, or all of a whole set with its cards. */
export type Owners = {
  objects?: [kind: string, ids: string[]]
  cards?: string[]
  set?: string
}

type Moved = { id: string; before: number; owner: string; attribute_id?: string; object_type?: string }

/** Gives the dependents of what moved the new audience (0 nobody, 1 readers of drafts, 2 everyone), counts and changes with it. */
export const setDependents = async (
  tx: Transaction,
  owners: Owners,
  audience: number,
  changes: Changes,
  tallies: Tallies,
) => {
  for (const [kind, which] of attributeOwners(tx, owners)) {
    const moved = await tx.sql<Moved[]>`
      with old as (
        select o.id, o.audience from object_attributes o
        where ${which} and o.object_type = ${kind} and o.deleted_at is null and o.audience <> ${audience}
        order by o.id for no key update
      )
      update object_attributes o set audience = ${audience} from old where o.id = old.id
      returning o.id, old.audience as before, o.object_id as owner, o.attribute_id, o.object_type`
    countObjectAttributes(moved, audience, tallies)
    noteMoved(changes, 'object-attributes', moved, audience)
  }
  if (owners.cards || owners.set) {
    const which = owners.set
      ? tx.sql`i.card_id in (select id from cards where set_id = ${owners.set} and deleted_at is null)`
      : tx.sql`i.card_id = any(${owners.cards ?? []}::uuid[])`
    const moved = await tx.sql<Moved[]>`
      with old as (
        select i.id, i.audience from card_images i
        where ${which} and i.deleted_at is null and i.audience <> ${audience} order by i.id for no key update
      )
      update card_images i set audience = ${audience} from old where i.id = old.id
      returning i.id, old.audience as before, i.card_id as owner`
    countOwned('card_images', 'cards', moved, audience, tallies)
    noteMoved(changes, 'card_images', moved, audience)
  }
  if (owners.set) {
    const moved = await tx.sql<Moved[]>`
      with old as (
        select s.id, s.audience from set_sources s
        where s.set_id = ${owners.set} and s.deleted_at is null and s.audience <> ${audience}
        order by s.id for no key update
      )
      update set_sources s set audience = ${audience} from old where s.id = old.id
      returning s.id, old.audience as before, s.set_id as owner`
    countOwned('set_sources', 'sets', moved, audience, tallies)
    noteMoved(changes, 'set_sources', moved, audience)
  }
}

const attributeOwners = (tx: Transaction, owners: Owners) => {
  const clauses: [kind: string, which: ReturnType<typeof tx.sql>][] = []
  if (owners.objects) clauses.push([owners.objects[0], tx.sql`o.object_id = any(${owners.objects[1]}::uuid[])`])
  if (owners.cards) clauses.push(['card', tx.sql`o.object_id = any(${owners.cards}::uuid[])`])
  if (owners.set) {
    clauses.push(['set', tx.sql`o.object_id = ${owners.set}`])
    clauses.push([
      'card',
      tx.sql`o.object_id in (select id from cards where set_id = ${owners.set} and deleted_at is null)`,
    ])
  }
  return clauses
}

const countObjectAttributes = (moved: Moved[], audience: number, tallies: Tallies) => {
  for (const row of moved)
    countObjectAttribute(tallies, row.attribute_id, row.object_type ?? '', row.owner, row.before, audience)
}

/** Counts an object attribute that moved between two audiences: in all, by attribute, by object and by kind of object. */
export const countObjectAttribute = (
  tallies: Tallies,
  attributeId: string | undefined,
  objectKind: string,
  objectId: string,
  before: number,
  after: number,
) => {
  const [live, published] = difference(before, after)
  const list = 'object-attributes'
  count(tallies, list, list, everything, live, published)
  count(tallies, list, list, attributeId, live, published)
  count(tallies, list, list, objectId, live, published)
  count(tallies, list, list, objectKindIds[objectKind], live, published)
}

const countOwned = (
  list: 'card_images' | 'set_sources',
  owner: string,
  moved: Moved[],
  audience: number,
  tallies: Tallies,
) => {
  for (const row of moved) {
    const [live, published] = difference(row.before, audience)
    count(tallies, list, list, everything, live, published)
    count(tallies, list, owner, row.owner, live, published)
  }
}

/** What moving a row between two audiences adds to (live, published). */
export const difference = (before: number, after: number): [live: number, published: number] => {
  const [liveBefore, publishedBefore] = countsOf(before)
  const [liveAfter, publishedAfter] = countsOf(after)
  return [liveAfter - liveBefore, publishedAfter - publishedBefore]
}

const noteMoved = (changes: Changes, type: string, moved: Moved[], audience: number) => {
  for (const row of moved) note(changes, type, row.before, audience, [row.id])
}
