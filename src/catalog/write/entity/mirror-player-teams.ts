import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import type { Pair, Times, Writer } from '../record.ts'
import { changePlayerTeam } from './change-player-team.ts'
import { keepTimes } from './mirrored.ts'
import { restorePlayerTeams } from './restore-player-teams.ts'

type NamedPair = Pair & { id: string }

/**
 * Makes player-teams, by id, what they are at a mirror's source. Their players and teams exist, and no two are the same pair.
 * Another record that is the same pair here has changed at the source, so it gives way until its own change arrives. Returns
 * the ids of those that were written.
 */
export const mirrorPlayerTeams = async (tx: Transaction, pairs: NamedPair[], writer: Writer): Promise<Set<string>> => {
  await makeRoom(tx, pairs)
  const moved = await findMoved(tx, pairs)
  for (const { isDeleted, ...pair } of moved)
    if (isDeleted) await point(tx, pair)
    else await change(tx, pair, writer)
  await tx.sql`
    update player_teams set is_yielded = false
    where id = any(${arrayOf(pairs.map(({ id }) => id))}::text::uuid[]) and is_yielded`
  const live = pairs.map((pair) => ({ ...pair, deleted: false }))
  const outcomes = await restorePlayerTeams(tx, live, writer)
  const restored = outcomes.filter(({ result }) => result === 'created' || result === 'updated')
  return new Set([...moved, ...restored].map(({ id }) => id))
}

/** Soft-deletes player-teams. Returns those that are still on live cards. */
export const unmirrorPlayerTeams = async (tx: Transaction, ids: string[], writer: Writer): Promise<string[]> => {
  const stored = await tx.sql<(NamedPair & { isYielded: boolean })[]>`
    select id, player_id as "playerId", team_id as "teamId", is_yielded as "isYielded" from player_teams
    where id = any(${arrayOf(ids)}::text::uuid[])`
  const gone = stored.map((pair) => ({ ...pair, deleted: true }))
  const outcomes = await restorePlayerTeams(tx, gone, writer)
  const inUse = outcomes.filter(({ result }) => result === 'failed').map(({ id }) => id)
  const yielded = stored.filter(({ id, isYielded }) => isYielded && !inUse.includes(id)).map(({ id }) => id)
  await forget(tx, yielded)
  return inUse
}

/** Other records that are the same pairs: live ones give way, deleted ones are removed permanently. */
const makeRoom = async (tx: Transaction, pairs: NamedPair[]) => {
  const others = await tx.sql<{ id: string; isDeleted: boolean }[]>`
    select pt.id, pt.deleted_at is not null as "isDeleted"
    from unnest(${arrayOf(pairs.map(({ id }) => id))}::text::uuid[],
      ${arrayOf(pairs.map(({ playerId }) => playerId))}::text::uuid[],
      ${arrayOf(pairs.map(({ teamId }) => teamId))}::text::uuid[]) as n (id, player_id, team_id)
    join player_teams pt on pt.player_id = n.player_id and pt.team_id = n.team_id and not pt.is_yielded and pt.id <> n.id`
  const deleted = others.filter(({ isDeleted }) => isDeleted).map(({ id }) => id)
  await forget(tx, deleted)
  await tx.sql`
    update player_teams set is_yielded = true where id = any(${arrayOf(others.map(({ id }) => id))}::text::uuid[])`
}

/** Removes deleted player-teams permanently. Only deleted cards can still refer to them. */
const forget = async (tx: Transaction, ids: string[]) => {
  if (ids.length === 0) return
  await tx.sql`update oncard set player_team_id = null where player_team_id = any(${arrayOf(ids)}::text::uuid[])`
  await tx.sql`delete from player_teams where id = any(${arrayOf(ids)}::text::uuid[])`
}

/** Those that are different pairs here. */
const findMoved = (tx: Transaction, pairs: NamedPair[]) => tx.sql<(NamedPair & { isDeleted: boolean })[]>`
  select pt.id, n.player_id as "playerId", n.team_id as "teamId", pt.deleted_at is not null as "isDeleted"
  from unnest(${arrayOf(pairs.map(({ id }) => id))}::text::uuid[],
    ${arrayOf(pairs.map(({ playerId }) => playerId))}::text::uuid[],
    ${arrayOf(pairs.map(({ teamId }) => teamId))}::text::uuid[]) as n (id, player_id, team_id)
  join player_teams pt on pt.id = n.id
  where (pt.player_id, pt.team_id) <> (n.player_id, n.team_id)
  order by pt.id`

/** The player-team's cards keep their times, which may already be the source's. */
const change = async (tx: Transaction, pair: NamedPair, writer: Writer) => {
  const cards = await tx.sql<(Times & { id: string })[]>`
    select id, created_at::text as "createdAt", updated_at::text as "updatedAt" from cards
    where id in (select card_id from oncard where player_team_id = ${pair.id} and lists_player_team)`
  await changePlayerTeam(tx, pair.id, pair, writer)
  await keepTimes(tx, 'cards', cards, new Set(cards.map(({ id }) => id)), writer.now)
}

/** Gives a deleted player-team, which isn't counted anywhere, another player and team. */
const point = (tx: Transaction, { id, playerId, teamId }: NamedPair) => tx.sql`
  update player_teams set player_id = ${playerId}, team_id = ${teamId}, is_yielded = false where id = ${id}`
