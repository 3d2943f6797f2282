import { arrayOf } from '../../../../db/arrays.ts'
import type { Transaction } from '../../../../db/client.ts'

/** What stands on a card: a player, a team, or a player-team (both at once). */
export type EntryType = 'players' | 'teams' | 'playerteams'
export type Entry = { type: EntryType; id: string }

/** A player, team, player-team or attribute that a card can bear. A player-team's `name` is its player's. */
export type Bearer = {
  type: EntryType | 'attributes'
  id: string
  name: string
  audience: number
  playerId: string | null
  teamId: string | null
}

/** Reads the bearers among the ids, by id; deleted ones too, whose audience is 0, and player-teams of deleted people. */
export const readBearers = async (
  db: Pick<Transaction, 'sql'>,
  entries: Iterable<Entry>,
  attributeIds: Iterable<string>,
): Promise<Map<string, Bearer>> => {
  const ids: Record<EntryType, Set<string>> = { players: new Set(), teams: new Set(), playerteams: new Set() }
  for (const entry of entries) ids[entry.type].add(entry.id)
  const attributes = [...new Set(attributeIds)]
  if (ids.players.size + ids.teams.size + ids.playerteams.size + attributes.length === 0) return new Map()
  const rows = await db.sql<Bearer[]>`
    select 'players' as type, id, name, audience, id as "playerId", null::uuid as "teamId"
    from players where id = any(${arrayOf([...ids.players])}::uuid[])
    union all
    select 'teams', id, name, audience, null, id
    from teams where id = any(${arrayOf([...ids.teams])}::uuid[])
    union all
    select 'playerteams', pt.id, p.name, case when p.audience = 0 or t.audience = 0 then 0 else pt.audience end,
      pt.player_id, pt.team_id
    from player_teams pt join players p on p.id = pt.player_id join teams t on t.id = pt.team_id
    where pt.id = any(${arrayOf([...ids.playerteams])}::uuid[])
    union all
    select 'attributes', id, attribute, audience, null, null
    from attributes where id = any(${arrayOf(attributes)}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}
