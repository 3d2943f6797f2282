import { arrayOf } from '../../../../db/arrays.ts'
import type { Queryable, Transaction } from '../../../../db/client.ts'
import { idsOf } from '../../../../db/rows.ts'

/** Cards by id, or those in sets of a genre, of years or by id, or with a team. A season counts as its first year. */
export type ChosenCards =
  | string[]
  | { genre_id?: string; year_from?: number; year_to?: number; set_ids?: string[]; team_id?: string }

/** The chosen live cards that a player is on. */
export const findChosen = (tx: Transaction, playerId: string, chosen: ChosenCards): Promise<string[]> =>
  idsOf(tx.sql<{ id: string }[]>`
    select distinct o.card_id as id from oncard o join sets s on s.no = o.set_no
    where o.player_id = ${playerId} and s.audience >= 1
      and exists (select 1 from cards c where c.id = o.card_id and c.deleted_at is null)
      and ${chosenWhere(tx, chosen)}
    order by id`)

/** The condition for chosen cards, on a player's entries `o` and their sets `s`. */
export const chosenWhere = ({ sql }: Queryable, chosen: ChosenCards) => {
  if (Array.isArray(chosen)) return sql`o.card_id = any(${arrayOf(chosen)}::text::uuid[])`
  const { genre_id: genre, year_from: from, year_to: to, set_ids: sets, team_id: team } = chosen
  const year = sql`substring(s.year_key from '^[0-9]{4}')::int`
  return sql`
    ${genre ? sql`s.genre_id = ${genre}` : sql`true`}
    and ${from === undefined ? sql`true` : sql`${year} >= ${from}::int`}
    and ${to === undefined ? sql`true` : sql`${year} <= ${to}::int`}
    and ${sets ? sql`s.id = any(${arrayOf(sets)}::text::uuid[])` : sql`true`}
    and ${team ? sql`o.team_id = ${team}` : sql`true`}`
}
