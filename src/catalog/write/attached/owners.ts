import type { Transaction } from '../../../../db/client.ts'
import { noSuch, validationFailed } from '../../../jsonapi/errors.ts'
import { Audience } from '../../../lib/audience.ts'
import { attachments, type ByDocument, type ObjectKind } from '../../model/attached.ts'
import type { Attached } from '../counts/attached.ts'
import { entityTables } from '../entity/tables.ts'
import { lostRace, type Tallies } from '../locks/order.ts'
import { lockSets } from '../locks/sets.ts'
import { applyTallies, count } from '../locks/tallies.ts'
import type { Columns, EntityType, Owner } from '../record.ts'

/**
 * Locks owners of attached records, and the attributes that these are values of, so that nobody changes their audiences before
 * the commit: sets, then tallies. Returns each owner's audience, 0 if it doesn't exist or is deleted.
 */
export const lockOwners = async (tx: Transaction, owners: Owner[], attributeIds: string[] = []): Promise<number[]> => {
  const cards = await setsOfCards(tx, idsOf(owners, 'card'))
  const sets = await lockSets(tx, [...new Set([...idsOf(owners, 'set'), ...cards.values()])])
  const locks: Tallies = new Map()
  for (const { kind, id } of owners) {
    const entity = entityOf(kind)
    if (entity) count(locks, entityTables[entity].usedBy, entity, id)
  }
  for (const id of attributeIds) count(locks, 'cards', 'attributes', id)
  await applyTallies(tx, locks)
  const still = await setsOfCards(tx, [...cards.keys()])
  for (const [id, setId] of still) if (cards.get(id) !== setId) throw lostRace('a card moved to another set')
  const entities = await entityAudiences(tx, owners)
  return owners.map(({ kind, id }) => {
    if (kind !== 'card' && kind !== 'set') return entities.get(kind)?.get(id) ?? Audience.deleted
    return sets.get(kind === 'set' ? id : (still.get(id) ?? ''))?.audience ?? Audience.deleted
  })
}

/** An owner's type, if it is an entity. */
const entityOf = (kind: ObjectKind): EntityType | undefined =>
  kind === 'card' || kind === 'set' ? undefined : (`${kind}s` as const)

const idsOf = (owners: Owner[], kind: ObjectKind) => owners.filter((owner) => owner.kind === kind).map(({ id }) => id)

/** The sets of the live cards among these ids. */
const setsOfCards = async (tx: Transaction, ids: string[]): Promise<Map<string, string>> => {
  if (ids.length === 0) return new Map()
  const rows = await tx.sql<{ id: string; set_id: string }[]>`
    select id, set_id from cards where id = any(${ids}::uuid[]) and deleted_at is null`
  return new Map(rows.map((row) => [row.id, row.set_id]))
}

/** The audiences of the owners that are entities, by kind and id. */
const entityAudiences = async (tx: Transaction, owners: Owner[]) => {
  const found = new Map<ObjectKind, Map<string, number>>()
  for (const kind of new Set(owners.map((owner) => owner.kind))) {
    const entity = entityOf(kind)
    if (!entity) continue
    const rows = await tx.sql<{ id: string; audience: number }[]>`
      select id, audience from ${tx.sql(entity)} where id = any(${idsOf(owners, kind)}::uuid[])`
    found.set(kind, new Map(rows.map((row) => [row.id, row.audience])))
  }
  return found
}

/** Locks one owner and returns its audience, 0 if it doesn't exist or is deleted. */
export const lockOwner = async (tx: Transaction, owner: Owner): Promise<number> => {
  const [audience = 0] = await lockOwners(tx, [owner])
  return audience
}

/** The audience of an owner that the writer may attach something to. Otherwise 422 at the pointer. */
export const requireVisibleOwner = (owner: Owner, audience: number, pointer: string, level: number): number => {
  if (audience > Audience.deleted && audience >= level) return audience
  throw validationFailed([noSuch(owner.kind, { pointer })])
}

/** The owner of an attached record, from its content. */
export const ownerOf = (type: ByDocument, content: Columns): Owner => {
  const { owner, kinds, says } = attachments[type]
  const said = says === 'type' ? content.object_type?.slice(0, -1) : content.object_type
  return { kind: (says ? said : kinds[0]) as ObjectKind, id: content[owner] ?? '' }
}

/** The attributes that content is a value of. */
export const attributesOf = ({ attribute_id }: Columns): string[] => (attribute_id ? [attribute_id] : [])

/** What an attached record with this content counts for. */
export const countedBy = (
  type: ByDocument,
  content: Columns,
): Pick<Attached, 'kind' | 'owner' | 'attributeId' | 'source'> => {
  const { kind, id } = ownerOf(type, content)
  return { kind, owner: id, attributeId: content.attribute_id ?? undefined, source: content.source ?? undefined }
}
