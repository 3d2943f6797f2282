import type { Queryable } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { referenceTable } from '../../model/set-references.ts'
import { findTargets } from '../../show/merged.ts'
import type { CardState, Entry, SetState } from '../record.ts'

/** The targets of merged records, by id. */
export type Leads = ReadonlyMap<string, string>

/** The targets of those among these ids that belong to merged records. */
export const findLeads = async (db: Pick<Queryable, 'sql'>, ids: Iterable<string>): Promise<Leads> => {
  const targets = await findTargets(db, ids)
  return new Map([...targets].map(([old, { id }]) => [old, id]))
}

/** The targets of cards' references to merged records. */
export const leadsOfCards = (db: Queryable, cards: Iterable<CardState>): Promise<Leads> =>
  findLeads(
    db,
    [...cards].flatMap(({ set_id, parent_id, entries, attributeIds }) =>
      [set_id, parent_id ?? [], entries.map(({ id }) => id), attributeIds].flat(),
    ),
  )

/** The targets of sets' references to merged records. */
export const leadsOfSets = (db: Queryable, sets: Iterable<SetState>): Promise<Leads> =>
  findLeads(
    db,
    [...sets].flatMap((set) => references.flatMap((name) => set[name] ?? [])),
  )

const references = referenceTable.map(([, column]) => column)

/** A plan that also replaces references to merged records. */
export const following = <Stored extends unknown[], State extends object, Plan>(
  plan: Plan & { change: (...stored: Stored) => State | ApiError },
  follow: (after: State, ...stored: Stored) => State,
): Plan => ({
  ...plan,
  change: (...stored: Stored) => {
    const after = plan.change(...stored)
    return after instanceof ApiError ? after : follow(after, ...stored)
  },
})

/** Follows merges only when a deleted record comes back. */
export const comingBack =
  <State extends { deleted: boolean }>(follow: (state: State) => State) =>
  (after: State, before: { deleted: boolean } | undefined): State =>
    before?.deleted && !after.deleted ? follow(after) : after

/** A card with references to merged records replaced. */
export const followCard = (card: CardState, leads: Leads): CardState => ({
  ...card,
  set_id: leads.get(card.set_id) ?? card.set_id,
  parent_id: card.parent_id && (leads.get(card.parent_id) ?? card.parent_id),
  entries: followEntries(card.entries, leads),
  attributeIds: followIds(card.attributeIds, leads),
})

/** A card's entries with merged records replaced. If that names somebody twice, they are named once. */
export const followEntries = (entries: Entry[], leads: Leads): Entry[] => {
  const followed = entries.map(({ type, id }) => ({ type, id: leads.get(id) ?? id }))
  return followed.filter(({ id }, place) => followed.findIndex((other) => other.id === id) === place)
}

/** The ids with merged ones replaced, each once. */
export const followIds = (ids: string[], leads: Leads): string[] => [...new Set(ids.map((id) => leads.get(id) ?? id))]

/** A set with references to merged records replaced. */
export const followSet = (set: SetState, leads: Leads): SetState => ({
  ...set,
  ...Object.fromEntries(references.map((name) => [name, set[name] && (leads.get(set[name]) ?? set[name])])),
})
