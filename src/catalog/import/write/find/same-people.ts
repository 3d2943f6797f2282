import type { CardRecord, StoredEntry } from '../../../write/record.ts'
import { idsOf } from '../plan/laid-over.ts'
import type { WantedCard } from './cards.ts'

/** The ids of the players and teams of entries. */
export const peopleOf = (entries: StoredEntry[]): string[] =>
  entries.flatMap(({ playerId, teamId }) => [playerId, teamId].flatMap((id) => id ?? []))

/**
 * Whether a row and a card have a player in common, or a team if one of them has no players, or one of them has nobody. A card with a
 * title alone is what its title says, and gets nobody from a row that says nothing about titles.
 */
export const sharesPeople = ({ item, state, people }: WantedCard, { entries, title }: CardRecord): boolean => {
  const others = peopleOf(entries)
  if (people.length === 0) return true
  if (others.length === 0) return title === null || !item.unsaid?.includes('title')
  const [players, theirs] = [idsOf(state.entries, 'playerId'), idsOf(entries, 'playerId')]
  const [some, among] = players.length > 0 && theirs.length > 0 ? [players, theirs] : [people, others]
  return some.some((id) => among.includes(id))
}

const areOfOnePlayers = ({ state }: WantedCard, card: CardRecord) => {
  const [players, theirs] = [idsOf(state.entries, 'playerId'), idsOf(card.entries, 'playerId')]
  return players.length === theirs.length && players.every((id) => theirs.includes(id))
}

/** Whether a row and a card have the same players, and any. */
export const arePlayersOf = (one: WantedCard, card: CardRecord): boolean =>
  idsOf(card.entries, 'playerId').length > 0 && areOfOnePlayers(one, card)

/** Whether a row and a card have the same people or, without any, the same title, or one of them has neither. */
export const areSamePeople = (one: WantedCard, card: CardRecord, isBorne: boolean): boolean => {
  const { state, people } = one
  const others = peopleOf(card.entries)
  if (people.length === 0 && others.length === 0) return true
  if (people.length === 0) return state.title === null
  if (others.length === 0) return card.title === null
  return isBorne || (areOfOnePlayers(one, card) && sharesPeople(one, card))
}
