import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { countPairs } from '../entity/player-teams.ts'
import { writeRevisions } from '../history/revisions.ts'
import type { Pair, Writer } from '../record.ts'

/** A player-team's content: its player and team, and whether it is deleted. */
export type PairState = Pair & { deleted: boolean }

/** A player-team as stored. */
export type StoredPair = PairState & { id: string; audience: number }

/** A player-team that becomes another pair, is deleted or restored. */
type PairChange = { pair: StoredPair; after: PairState }

/** Which side of a pair a record is. */
export const sides = { players: 'playerId', teams: 'teamId' } as const
type Side = (typeof sides)[keyof typeof sides]

const columns = { playerId: 'player_id', teamId: 'team_id' } as const

/** The player-teams of players or teams, including deleted ones. */
export const readPairsOf = (tx: Transaction, side: Side, ids: string[]): Promise<StoredPair[]> =>
  readPairsWhere(tx, columns[side], ids)

/** Player-teams by id. */
export const readPairs = (tx: Transaction, ids: string[]): Promise<StoredPair[]> => readPairsWhere(tx, 'id', ids)

const readPairsWhere = (tx: Transaction, column: string, ids: string[]) => tx.sql<StoredPair[]>`
  select id, player_id as "playerId", team_id as "teamId", audience, deleted_at is not null as deleted
  from player_teams where ${tx.sql(column)} = any(${arrayOf(ids)}::text::uuid[]) and not is_yielded
  order by created_at, id`

/**
 * What pairs become when their records on one side are merged into `into`. Of live ones that then are the same pair, the oldest
 * stays and the others are deleted (`joined`: by id, the pair that each became). Each pair exists only once, even deleted ones,
 * so a pair that is in the way takes the place that the oldest leaves.
 */
export const joinPairs = (pairs: StoredPair[], side: Side, into: string) => {
  const other = side === 'playerId' ? 'teamId' : 'playerId'
  const changes: PairChange[] = []
  const joined = new Map<string, string>()
  for (const same of Map.groupBy(pairs, (pair) => pair[other]).values()) {
    const [oldest, ...later] = same.filter(({ deleted }) => !deleted)
    if (!oldest) continue
    for (const { id } of later) joined.set(id, oldest.id)
    for (const pair of same) {
      const owner = pair === oldest ? into : pair[side] === into ? oldest[side] : pair[side]
      const after = { ...stateOf(pair), [side]: owner, deleted: pair !== oldest }
      if (after[side] !== pair[side] || after.deleted !== pair.deleted) changes.push({ pair, after })
    }
  }
  return { changes, joined }
}

const stateOf = ({ playerId, teamId, deleted }: StoredPair): PairState => ({ playerId, teamId, deleted })

/**
 * Changes player-teams into other pairs, all at once, since two may swap places. The caller holds them and both of their sides,
 * and renames their cards accordingly.
 */
export const changePairs = async (tx: Transaction, changes: PairChange[], writer: Writer) => {
  if (changes.length === 0) return
  const now = writer.now.toISOString()
  const ids = arrayOf(changes.map(({ pair }) => pair.id))
  await tx.sql`update player_teams set is_yielded = true where id = any(${ids}::text::uuid[])`
  await tx.sql`
    update player_teams pt set player_id = n.player_id, team_id = n.team_id, is_yielded = false, audience = n.audience,
      name = p.name || ' (' || t.name || ')', version = pt.version + 1, updated_at = ${now}::timestamptz,
      deleted_at = case when n.audience = 0 then coalesce(pt.deleted_at, ${now}::timestamptz) end
    from unnest(${ids}::text::uuid[], ${arrayOf(changes.map(({ after }) => after.playerId))}::text::uuid[],
      ${arrayOf(changes.map(({ after }) => after.teamId))}::text::uuid[],
      ${arrayOf(changes.map(audienceOf))}::text::smallint[]) as n (id, player_id, team_id, audience)
    join players p on p.id = n.player_id join teams t on t.id = n.team_id
    where pt.id = n.id`
  const moves = changes.flatMap((change) => {
    const { pair, after } = change
    const [was, is] = [pair.audience, audienceOf(change)]
    if (after.playerId === pair.playerId && after.teamId === pair.teamId) return [{ row: pair, before: was, after: is }]
    return [
      { row: pair, before: was, after: Audience.deleted },
      { row: { ...pair, ...after }, before: Audience.deleted, after: is },
    ]
  })
  await countPairs(tx, moves, writer.now)
  const fields = ({ playerId, teamId, deleted }: PairState) => ({ player_id: playerId, team_id: teamId, deleted })
  const changed = changes.map(({ pair, after }) => ({ id: pair.id, before: fields(pair), after: fields(after) }))
  await writeRevisions(tx, 'playerteams', changed, writer)
}

/** A pair that comes back is a draft until something published refers to it. */
const audienceOf = ({ pair, after }: PairChange) =>
  after.deleted ? Audience.deleted : pair.deleted ? Audience.draft : pair.audience
