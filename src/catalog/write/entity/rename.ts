import type { Transaction } from '../../../../db/client.ts'
import { type Changes, note } from '../counts/changes.ts'
import type { Rows } from '../locks/order.ts'
import type { EntityType } from './tables.ts'

/**
 * Makes every stored name true again after an entity got another name or code, in the same transaction: names of
 * player-teams and cards, and the sort key of a year's sets. The entity's tally is locked, so nobody adds a bearer meanwhile,
 * and so are these rows (`rowsOfRename`). Cards that follow are left to rename-chunk.ts.
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
  if (cardsFollow) return
  if (type === 'players')
    await writeNames(tx, tx.sql`select card_id from oncard where player_id = ${id} and lists_player`, changes, now)
  if (type === 'teams')
    await writeNames(tx, tx.sql`select card_id from oncard where team_id = ${id} and lists_team`, changes, now)
  if (type === 'attributes')
    await writeNames(tx, tx.sql`select card_id from card_attributes where attribute_id = ${id}`, changes, now)
}

/** The rows that a rename writes: other renames may write them, too. */
export const rowsOfRename = (type: EntityType, id: string, cardsFollow = false): Rows[] => {
  if (type !== 'players' && type !== 'teams' && type !== 'attributes') return []
  const pairs: Rows[] = type === 'attributes' ? [] : [`pairs of ${type}:${id}`]
  return cardsFollow ? pairs : [...pairs, `cards of ${type}:${id}`]
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
 * Locks the cards that a query of ids gives, and recomputes their names. That is a statement before, so that the names of
 * everything else on them are read when whoever renames that has committed.
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

/**
 * Recomputes the names of locked cards by the view `card_names`, and the order of their attributes; touches those whose name
 * differs.
 */
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
