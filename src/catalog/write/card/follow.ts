import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { comingBack, followCard, following, leadsOfCards } from '../history/merged.ts'
import { lockSets } from '../locks/sets.ts'
import type { CardPlan, CardRecord, CardState, Entry, LockedSet } from '../record.ts'

/**
 * Plans that bring deleted cards back with references to merged records replaced, and with the player alone in the place of a
 * deleted player-team. Locks the sets that they come back to.
 */
export const followMerged = async (
  tx: Transaction,
  plans: CardPlan[],
  sets: Map<string, LockedSet>,
  stored: Map<string, CardRecord>,
): Promise<CardPlan[]> => {
  const deleted = [...stored.values()].filter(({ deleted }) => deleted)
  const leads = await leadsOfCards(tx, deleted)
  const players = await findPlayersOfGone(tx, deleted)
  if (leads.size === 0 && players.size === 0) return plans
  const others = [...stored.values()].flatMap((card) => leads.get(card.set_id) ?? []).filter((id) => !sets.has(id))
  for (const [id, set] of await lockSets(tx, [...new Set(others)])) sets.set(id, set)
  const follow = comingBack((card: CardState) => withPlayers(followCard(card, leads), players))
  return plans.map((plan) => following(plan, follow))
}

/** The players of the deleted player-teams on cards, by player-team. */
const findPlayersOfGone = async ({ sql }: Transaction, cards: CardRecord[]): Promise<Map<string, string>> => {
  const ids = cards.flatMap(({ entries }) => entries.flatMap(({ type, id }) => (type === 'playerteams' ? [id] : [])))
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; playerId: string }[]>`
    select id, player_id as "playerId" from player_teams
    where id = any(${arrayOf(ids)}::text::uuid[]) and deleted_at is not null`
  return new Map(rows.map(({ id, playerId }) => [id, playerId]))
}

const withPlayers = (card: CardState, players: ReadonlyMap<string, string>): CardState => ({
  ...card,
  entries: card.entries.map((entry): Entry => {
    const id = players.get(entry.id)
    return id ? { type: 'players', id } : entry
  }),
})
