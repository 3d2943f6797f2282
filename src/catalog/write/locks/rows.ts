import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { EntityType } from '../record.ts'
import { askRows, type Rows } from './order.ts'

/**
 * The rows that a rename writes, and that other renames may write, too. With `cardsFollow`, its cards are renamed later, in
 * chunks.
 */
export const rowsOfRename = (type: EntityType, id: string, cardsFollow = false): Rows[] => {
  if (type !== 'players' && type !== 'teams' && type !== 'attributes') return []
  const pairs: Rows[] = type === 'attributes' ? [] : [`pairs of ${type}:${id}`]
  return cardsFollow ? pairs : [...pairs, `cards of ${type}:${id}`]
}

/**
 * Locks rows that no tally guards, since two renames may write them: player-teams, then cards, each by id. The caller holds the
 * tally of the player, team or attribute, so that no other card starts to name it in the meantime.
 */
export const lockRows = async (tx: Transaction, wanted: Rows[]) => {
  const rows = askRows(tx, wanted)
  if (rows.length === 0) return
  const idsOf = (kind: string) =>
    arrayOf(rows.flatMap((one) => (one.startsWith(`${kind}:`) ? [one.slice(kind.length + 1)] : [])))
  if (rows.some((one) => one.startsWith('pair')))
    await tx.sql`
      select count(*) from (
        select 1 from player_teams
        where id = any(${idsOf('pair')}::uuid[]) or player_id = any(${idsOf('pairs of players')}::text::uuid[])
          or team_id = any(${idsOf('pairs of teams')}::uuid[])
        order by id for no key update
      ) locked`
  if (rows.some((one) => one.startsWith('cards')))
    await tx.sql`
      select count(*) from (
        select 1 from cards where id = any(array(
          select card_id from oncard where player_id = any(${idsOf('cards of players')}::uuid[]) and lists_player
          union all
          select card_id from oncard where team_id = any(${idsOf('cards of teams')}::uuid[]) and lists_team
          union all
          select card_id from oncard where player_team_id = any(${idsOf('cards of playerteams')}::uuid[])
            and lists_player_team
          union all
          select card_id from card_attributes where attribute_id = any(${idsOf('cards of attributes')}::uuid[])
        ))
        order by id for no key update
      ) locked`
}
