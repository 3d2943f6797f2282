import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { writeOrigin } from '../../../lib/origin.ts'
import { lostRace, type Tallies } from '../locks/order.ts'
import { count } from '../locks/tallies.ts'
import { type Changes, idsPerRow, note } from './changes.ts'

/**
 * A record that others show as their parent, player or team, and whose readers changed. Readers who gained or lost it see its
 * children differently, so the feed also names the children. `before` and `after` are its audiences.
 */
export type Crossed = { id: string; before: number; after: number }

/** The readers for whom it changed are above this audience. A child that none of them sees isn't noted. */
const lowOf = ({ before, after }: Crossed) => Math.min(before, after)

const columns = (crossed: Crossed[]) => [arrayOf(crossed.map(({ id }) => id)), arrayOf(crossed.map(lowOf))] as const

/** The cards that crossed, as rows (id, low): the cards themselves, or the live cards of sets. */
const cardsThatCrossed = (tx: Transaction, of: 'cards' | 'sets', crossed: Crossed[]) => {
  const [ids, lows] = columns(crossed)
  const rows = tx.sql`unnest(${ids}::uuid[], ${lows}::smallint[]) as x (id, low)`
  return of === 'cards'
    ? rows
    : tx.sql`${rows} cross join lateral (
        select id from cards where set_id = x.id and deleted_at is null offset 0
      ) p (card_id)`
}

/**
 * Locks the tallies of sets that contain parents, together with all other tallies. Showing or hiding a parent takes this lock,
 * and so does showing or hiding a child or giving it a parent, so one of the two sees what the other did.
 */
export const lockParentSets = (tallies: Tallies, setIds: string[]) => {
  for (const id of setIds) count(tallies, 'sets', 'sets', id)
}

/** The sets of the parents of cards in sets that crossed. */
export const setsOfParents = async (tx: Transaction, crossed: Crossed[]): Promise<string[]> => {
  if (crossed.length === 0) return []
  const rows = await tx.sql<{ id: string }[]>`
    select distinct p.set_id as id
    from unnest(${columns(crossed)[0]}::uuid[]) as x (id)
    cross join lateral (select parent_id from cards where set_id = x.id and deleted_at is null offset 0) c
    cross join lateral (select set_id from cards where id = c.parent_id offset 0) p
    where c.parent_id is not null`
  return rows.map(({ id }) => id)
}

/**
 * Notes the cards made from cards that crossed, or from cards of sets that crossed, except those that the caller notes itself:
 * `own` cards, or the cards of `own` sets. The parents' sets must be locked (`lockParentSets`). The children's ids may be many,
 * so they don't leave the database. They are looked up parent by parent with one index, because without statistics PostgreSQL
 * plans larger joins badly.
 */
export const noteChildCards = async (
  tx: Transaction,
  of: 'cards' | 'sets',
  crossed: Crossed[],
  own: string[],
  now: Date,
) => {
  if (crossed.length === 0) return
  const parents = cardsThatCrossed(tx, of, crossed)
  const parent = tx.sql.unsafe(of === 'cards' ? 'x.id' : 'p.card_id')
  const holding = await tx.sql<{ set_id: string }[]>`
    select distinct c.set_id
    from ${parents} cross join lateral (select set_id from cards where parent_id = ${parent} offset 0) c`
  if (holding.length === 0) return
  const sets = await tx.sql<{ id: string; audience: number }[]>`
    select id, audience from sets where id = any(${arrayOf(holding.map((row) => row.set_id))}::uuid[])`
  const [found] = await tx.sql<{ is_elsewhere: boolean }[]>`
    with child as (
      select c.id, s.audience
      from ${parents}
      cross join lateral (select id, set_id, deleted_at from cards where parent_id = ${parent} offset 0) c
      left join unnest(${arrayOf(sets.map(({ id }) => id))}::uuid[], ${arrayOf(sets.map(({ audience }) => audience))}::smallint[])
        as s (id, audience) on s.id = c.set_id
      where c.deleted_at is null and coalesce(s.audience > x.low, true)
        and not ${tx.sql.unsafe(of === 'cards' ? 'c.id' : 'c.set_id')} = any(${arrayOf(own)}::uuid[])
    ), noted as (
      insert into changes (id, type, ids, audience_before, audience_after, changed_at, origin)
      select gen_random_uuid(), 'cards', array_agg(id), audience, audience, ${now.toISOString()}::timestamptz,
        ${writeOrigin(tx.origin)}::text::json
      from (
        select id, audience, ceil(row_number() over (partition by audience) / ${idsPerRow}::float8) as part
        from child where audience is not null
      ) n
      group by audience, part
    )
    select exists (select 1 from child where audience is null) as is_elsewhere`
  if (found?.is_elsewhere) throw lostRace('a card moved to another set')
}

/** Notes the child sets of sets that crossed. The parents' tallies are locked, and every writer of a child waits for them. */
export const noteChildSets = async (tx: Transaction, crossed: Crossed[], own: string[], changes: Changes) => {
  if (crossed.length === 0) return
  const [ids, lows] = columns(crossed)
  const children = await tx.sql<{ id: string; audience: number }[]>`
    select s.id, s.audience from unnest(${ids}::uuid[], ${lows}::smallint[]) as x (id, low)
    cross join lateral (select id, audience from sets where parent_id = x.id and audience >= 1 offset 0) s
    where s.audience > x.low and not s.id = any(${arrayOf(own)}::uuid[])`
  for (const { id, audience } of children) note(changes, 'sets', audience, audience, [id])
}

/** Notes the player-teams of a player or team that crossed. Its tally and these rows are locked. */
export const notePairs = async (tx: Transaction, type: 'players' | 'teams', crossed: Crossed, changes: Changes) => {
  const column = tx.sql(type === 'players' ? 'player_id' : 'team_id')
  const pairs = await tx.sql<{ id: string; audience: number }[]>`
    select id, audience from player_teams where ${column} = ${crossed.id} and audience > ${lowOf(crossed)} order by id`
  for (const { id, audience } of pairs) note(changes, 'playerteams', audience, audience, [id])
}

/**
 * Notes the years below years that crossed, but those that crossed themselves, which the caller notes. Their tallies are locked, and
 * every writer who gives a year a parent waits for them.
 */
export const noteChildYears = async (tx: Transaction, crossed: Crossed[], changes: Changes) => {
  if (crossed.length === 0) return
  const [ids, lows] = columns(crossed)
  const children = await tx.sql<{ id: string; audience: number }[]>`
    select y.id, y.audience from unnest(${ids}::uuid[], ${lows}::smallint[]) as x (id, low)
    join years y on y.parent_year = x.id and y.audience > x.low where not y.id = any(${ids}::uuid[]) order by y.id`
  for (const { id, audience } of children) note(changes, 'years', audience, audience, [id])
}
