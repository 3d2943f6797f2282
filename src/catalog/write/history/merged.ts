import type { Queryable } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { findTargets } from '../../show/merged.ts'
import type { CardState, SetState } from '../record.ts'

/** Where ids of merged records lead. */
export type Leads = ReadonlyMap<string, string>

/** Where these ids lead, as far as they are those of merged records. */
export const findLeads = async (db: Queryable, ids: Iterable<string>): Promise<Leads> => {
  const targets = await findTargets(db, ids)
  return new Map([...targets].map(([old, { id }]) => [old, id]))
}

/** Where what cards refer to leads. */
export const leadsOfCards = (db: Queryable, cards: Iterable<CardState>): Promise<Leads> =>
  findLeads(
    db,
    [...cards].flatMap(({ set_id, parent_id, entries, attributeIds }) =>
      [set_id, parent_id ?? [], entries.map(({ id }) => id), attributeIds].flat(),
    ),
  )

/** Where what sets refer to leads. */
export const leadsOfSets = (db: Queryable, sets: Iterable<SetState>): Promise<Leads> =>
  findLeads(
    db,
    [...sets].flatMap((set) => references.flatMap((name) => set[name] ?? [])),
  )

const references = ['parent_id', 'genre_id', 'year_id', 'brand_id', 'manufacturer_id'] as const

/** What a plan made of a record; a deleted one that comes back does so with what its references became. */
export const comingBack = <State extends { deleted: boolean }>(
  before: { deleted: boolean } | undefined,
  after: State | ApiError,
  follow: (state: State) => State,
): State | ApiError => (after instanceof ApiError || !before?.deleted || after.deleted ? after : follow(after))

/** A card with what its references became: who or what is named twice then is named once. */
export const followCard = (card: CardState, leads: Leads): CardState => {
  const entries = card.entries.map(({ type, id }) => ({ type, id: leads.get(id) ?? id }))
  return {
    ...card,
    set_id: leads.get(card.set_id) ?? card.set_id,
    parent_id: card.parent_id && (leads.get(card.parent_id) ?? card.parent_id),
    entries: entries.filter(({ id }, place) => entries.findIndex((other) => other.id === id) === place),
    attributeIds: [...new Set(card.attributeIds.map((id) => leads.get(id) ?? id))],
  }
}

/** A set with what its references became. */
export const followSet = (set: SetState, leads: Leads): SetState => ({
  ...set,
  ...Object.fromEntries(references.map((name) => [name, set[name] && (leads.get(set[name]) ?? set[name])])),
})
