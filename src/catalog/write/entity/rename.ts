import type { Transaction } from '../../../../db/client.ts'
import { type Changes, note, writeChanges } from '../counts/changes.ts'
import type { Tallies } from '../locks/order.ts'
import { applyTallies, count } from '../locks/tallies.ts'
import type { EntityType, Writer } from '../record.ts'

/**
 * Updates every stored name after an entity got another name or code: names of player-teams and cards, and the sort key of a
 * year's sets. The entity's tally is locked, so that no other card starts to use it, and so are these rows (`rowsOfRename`).
 * With `cardsFollow`, `renameChunk` updates the cards later.
 */
export const rename = async (
  tx: Transaction,
  type: EntityType,
  id: string,
  changes: Changes,
  now: Date,
  cardsFollow = false,
) => {
  if (type === 'years')
    await tx.sql`update sets set year_key = y.name_key from years y where y.id = ${id} and sets.year_id = y.id`
  if (type === 'players' || type === 'teams') await renamePlayerTeams(tx, type, id, changes, now)
  if (cardsFollow || !isOnCards(type)) return
  await writeNames(tx, tx.sql`select card_id from ${tx.sql.unsafe(cardsWith[type])} ${id}`, changes, now)
}

const renamePlayerTeams = async (
  tx: Transaction,
  type: 'players' | 'teams',
  id: string,
  changes: Changes,
  now: Date,
) => {
  const column = type === 'players' ? 'player_id' : 'team_id'
  const renamed = await tx.sql<{ id: string; audience: number }[]>`
    update player_teams pt
    set name = p.name || ' (' || t.name || ')', version = pt.version + 1, updated_at = ${now.toISOString()}::timestamptz
    from players p, teams t
    where pt.${tx.sql(column)} = ${id} and p.id = pt.player_id and t.id = pt.team_id
    returning pt.id, pt.audience`
  for (const row of renamed) note(changes, 'playerteams', row.audience, row.audience, [row.id])
}

/**
 * Locks the cards in a query of ids and recomputes their names. The lock is its own statement, so that the next one reads names
 * as other renames have committed them.
 */
export const renameCards = async (
  tx: Transaction,
  ids: ReturnType<Transaction['sql']>,
  changes: Changes,
  now: Date,
) => {
  await tx.sql`
    select count(*) from (select 1 from cards where id = any(array(${ids})) order by id for no key update) locked`
  await writeNames(tx, ids, changes, now)
}

/** Recomputes the names of locked cards from the view `card_names`, and the order of their attributes, if a name differs. */
const writeNames = async (tx: Transaction, ids: ReturnType<Transaction['sql']>, changes: Changes, now: Date) => {
  const renamed = await tx.sql<{ id: string; audience: number }[]>`
    update cards c
    set name = n.name, version = c.version + 1, updated_at = ${now.toISOString()}::timestamptz,
      attribute_ids = (
        select string_agg(m.attribute_id::text, ',' order by a.attribute collate "C", m.attribute_id)
        from card_attributes m join attributes a on a.id = m.attribute_id where m.card_id = c.id
      )
    from card_names n, sets s
    where c.id = any(array(${ids})) and n.id = c.id and s.id = c.set_id and n.name <> c.name
    returning c.id, case when c.deleted_at is null then s.audience else 0 end as audience`
  for (const row of renamed) note(changes, 'cards', row.audience, row.audience, [row.id])
}

/** What is part of the names of cards. */
export type NamedOnCards = 'players' | 'teams' | 'attributes'

/** Whether the names of cards show the names of this type. */
export const isOnCards = (type: EntityType): type is NamedOnCards => type in cardsWith

/** The cards with an entity, in SQL up to its id. */
const cardsWith = {
  players: 'oncard where lists_player and player_id =',
  teams: 'oncard where lists_team and team_id =',
  attributes: 'card_attributes where attribute_id =',
} as const

/** A position in checklist order. */
type CardPlace = { setNo: number; numberKey: string; id: string }
export const firstPlace: CardPlace = { setNo: -1, numberKey: '', id: '00000000-0000-0000-0000-000000000000' }

/**
 * Recomputes the names of an entity's next cards, after a position in checklist order. Returns how far it got, null at the end.
 * The entity's tally is locked, so no writer of these cards is halfway.
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
  const found = await tx.sql.unsafe<CardPlace[]>(
    `select set_no as "setNo", number_key as "numberKey", card_id as id from ${cardsWith[type]} $1
       and (set_no, number_key collate "C", card_id) > ($2, $3 collate "C", $4::uuid)
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
