import { columnNames } from '../../model/record-columns.ts'
import type { CardState, EntityState, Pair, SetState } from '../record.ts'

/** A record's fields in its history: its own columns, and for a card also who and what is on it. */
export type Fields = Record<string, unknown>

/** A card's fields. */
export const cardFields = (card: CardState): Fields => ({
  ...pick(card, columnNames('cards')),
  oncard: card.entries.map(({ type, id }) => ({ type, id })),
  attributes: card.attributeIds.toSorted(),
  deleted: card.deleted,
})

/** A card with some of its fields replaced. */
export const withCardFields = <Card extends CardState>(
  card: Card,
  { oncard, attributes, ...columns }: Fields,
): Card => ({
  ...card,
  ...columns,
  ...(oncard ? { entries: oncard } : {}),
  ...(attributes ? { attributeIds: attributes } : {}),
})

/** A set's fields. */
export const setFields = (set: SetState): Fields => ({ ...pick(set, columnNames('sets')), deleted: set.deleted })

/** An entity's fields. */
export const entityFields = ({ columns, deleted }: EntityState): Fields => ({ ...columns, deleted })

/** The fields of a player-team that a change may set. */
export const pairFields = ({ playerId, teamId }: Pair): Fields => ({ player_id: playerId, team_id: teamId })

/** What a deletion changes, and what bringing a record back changes. */
export const deletion = { before: { deleted: false }, after: { deleted: true } }
export const restoration = { before: { deleted: true }, after: { deleted: false } }

const pick = (from: object, names: string[]): Fields =>
  Object.fromEntries(names.map((name) => [name, (from as Fields)[name] ?? null]))

/** What differs between two states of a record. Undefined if nothing does. */
export const differenceOf = (before: Fields, after: Fields): { before: Fields; after: Fields } | undefined => {
  const changed = Object.keys(after).filter((name) => !Bun.deepEquals(before[name], after[name]))
  if (changed.length === 0) return undefined
  const only = (fields: Fields) => Object.fromEntries(changed.map((name) => [name, fields[name] ?? null]))
  return { before: only(before), after: only(after) }
}
