import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { deletion, restoration } from '../history/fields.ts'
import { writeRevisions } from '../history/revisions.ts'
import type { Pair, Restored, Writer } from '../record.ts'
import { causedBy, lockPairs, lockSetsOfPairs, takeAllOffCards } from './pairs-on-cards.ts'
import { countPairs, type PairRow } from './player-teams.ts'

/** A player-team as in an export. */
type RestoredPair = Pair & { id: string; deleted: boolean }

/**
 * Makes player-teams, by id, what an export says, including deleted ones. Their players and teams must exist, even if deleted.
 * One whose id or pair belongs to another fails alone. Cards keep the player of one that an export deletes. In an undo and in a
 * mirror, which also change the cards, one that is on live cards fails.
 */
export const restorePlayerTeams = async (
  tx: Transaction,
  pairs: RestoredPair[],
  writer: Writer,
): Promise<Restored[]> => {
  const { mirrored, cause } = writer
  const cardsFollow = !mirrored && cause?.kind !== 'undo'
  const deleted = pairs.flatMap((pair) => (pair.deleted ? [pair.id] : []))
  if (cardsFollow) await lockSetsOfPairs(tx, deleted)
  const locked = await lockPairs(tx, pairs)
  const uses = new Map(locked.map(({ id, live }) => [id, live]))
  const stored = await readStored(tx, pairs)
  const people = await readPeople(tx, pairs)
  const written: RestoredPair[] = []
  const outcomes = pairs.map((pair): Restored => {
    const { id, playerId, teamId, deleted } = pair
    const same = stored.find((row) => row.id === id)
    const fail = (reason: string): Restored => ({ id, result: 'failed', reason })
    if (same && (same.playerId !== playerId || same.teamId !== teamId)) return fail('The id belongs to another pair.')
    const isTaken = stored.some((row) => row.id !== id && row.playerId === playerId && row.teamId === teamId)
    if (isTaken && !same?.isYielded) return fail('The pair already has another id.')
    if (!people.has(playerId) || !people.has(teamId)) return fail('There is no such player or team.')
    if (same?.deleted === deleted) return { id, result: 'unchanged' }
    if (deleted && !cardsFollow && (uses.get(id) ?? 0) > 0)
      return fail('The player-team is on live cards and cannot be deleted.')
    written.push(pair)
    return { id, result: same ? 'updated' : 'created', restored: same?.deleted === true }
  })
  await writePairs(tx, written, writer.now)
  const moves = written.map((pair) => ({
    row: { ...pair, audience: Audience.deleted },
    before: stored.find((row) => row.id === pair.id)?.audience ?? Audience.deleted,
    after: pair.deleted ? Audience.deleted : Audience.draft,
  }))
  if (moves.length > 0) await countPairs(tx, moves, writer.now)
  const known = new Set(stored.map((row) => row.id))
  const changed = written.flatMap(({ id, deleted }) =>
    known.has(id) ? [{ id, ...(deleted ? deletion : restoration) }] : [],
  )
  await writeRevisions(tx, 'playerteams', changed, causedBy(written[0], writer))
  if (cardsFollow)
    await takeAllOffCards(
      tx,
      written.filter((pair) => pair.deleted && known.has(pair.id)),
      writer,
    )
  return outcomes
}

const readStored = (tx: Transaction, pairs: RestoredPair[]) => tx.sql<(PairRow & { isYielded: boolean })[]>`
  select id, player_id as "playerId", team_id as "teamId", audience, deleted_at is not null as deleted,
    is_yielded as "isYielded"
  from player_teams where id = any(${arrayOf(pairs.map((pair) => pair.id))}::uuid[])
  union
  select pt.id, pt.player_id, pt.team_id, pt.audience, pt.deleted_at is not null, pt.is_yielded
  from unnest(${arrayOf(pairs.map((pair) => pair.playerId))}::uuid[], ${arrayOf(pairs.map((pair) => pair.teamId))}::uuid[])
    as n (player_id, team_id)
  join player_teams pt on pt.player_id = n.player_id and pt.team_id = n.team_id and not pt.is_yielded`

const readPeople = async (tx: Transaction, pairs: RestoredPair[]) => {
  const rows = await tx.sql<{ id: string }[]>`
    select id from players where id = any(${arrayOf(pairs.map((pair) => pair.playerId))}::uuid[])
    union all
    select id from teams where id = any(${arrayOf(pairs.map((pair) => pair.teamId))}::uuid[])`
  return new Set(rows.map((row) => row.id))
}

const writePairs = async (tx: Transaction, pairs: RestoredPair[], now: Date) => {
  if (pairs.length === 0) return
  await tx.sql`
    insert into player_teams as pt (id, player_id, team_id, name, audience, created_at, updated_at, deleted_at)
    select n.id, n.player_id, n.team_id, p.name || ' (' || t.name || ')', n.audience, ${now.toISOString()}::timestamptz,
      ${now.toISOString()}::timestamptz, case when n.audience = 0 then ${now.toISOString()}::timestamptz end
    from unnest(${arrayOf(pairs.map((pair) => pair.id))}::uuid[], ${arrayOf(pairs.map((pair) => pair.playerId))}::uuid[],
      ${arrayOf(pairs.map((pair) => pair.teamId))}::uuid[], ${arrayOf(pairs.map((pair) => (pair.deleted ? 0 : 1)))}::smallint[])
      as n (id, player_id, team_id, audience)
    join players p on p.id = n.player_id join teams t on t.id = n.team_id
    on conflict (id) do update set audience = excluded.audience, name = excluded.name, version = pt.version + 1,
      updated_at = excluded.updated_at, deleted_at = excluded.deleted_at`
}
