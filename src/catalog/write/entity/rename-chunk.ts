import type { Transaction } from '../../../../db/client.ts'
import type { Writer } from '../card/cards.ts'
import { type Changes, writeChanges } from '../counts/changes.ts'
import { applyTallies, count, type Tallies } from '../counts/tallies.ts'
import { renameCards } from './rename.ts'

/** What stands in the names of cards. */
export type NamedOnCards = 'players' | 'teams' | 'attributes'

/** Where a list of cards has been walked to. */
export type CardPlace = { setNo: number; numberKey: string; id: string }
export const firstPlace: CardPlace = { setNo: -1, numberKey: '', id: '00000000-0000-0000-0000-000000000000' }

const lists = {
  players: { table: 'oncard', where: 'player_id = $1 and lists_player' },
  teams: { table: 'oncard', where: 'team_id = $1 and lists_team' },
  attributes: { table: 'card_attributes', where: 'attribute_id = $1' },
} as const

/**
 * Recomputes the names of the next cards that bear something, after a place in checklist order; answers where it came to,
 * null at the end. The bearer's tally is locked, so that no writer of such a card is half way.
 */
export const renameChunk = async (
  tx: Transaction,
  type: NamedOnCards,
  id: string,
  after: CardPlace,
  cards: number,
  { now }: Writer,
): Promise<{ place: CardPlace; cards: number } | null> => {
  const locks: Tallies = new Map()
  count(locks, 'cards', type, id)
  await applyTallies(tx, locks)
  const { table, where } = lists[type]
  const found = await tx.sql.unsafe<CardPlace[]>(
    `select set_no as "setNo", number_key as "numberKey", card_id as id from ${table}
     where ${where} and (set_no, number_key collate "C", card_id) > ($2, $3 collate "C", $4::uuid)
     order by set_no, number_key collate "C", card_id limit ${cards}`,
    [id, after.setNo, after.numberKey, after.id],
    { prepare: true },
  )
  const place = found.at(-1)
  if (!place) return null
  const changes: Changes = new Map()
  const ids = found.map((row) => row.id)
  await renameCards(tx, tx.sql`select unnest(${ids}::uuid[])`, changes, now)
  await writeChanges(tx, changes, now)
  return { place, cards: ids.length }
}
