import { arrayOf } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { Audience } from '../../../lib/audience.ts'
import { personName } from '../../model/person-name.ts'
import { enter } from '../../write/enter.ts'
import { createPlayerTeams } from '../../write/entity/player-teams.ts'
import type { Columns, Entry as StoredEntry } from '../../write/record.ts'
import type { Entry } from '../read/item.ts'
import { ensureNamed, findIds, type Known, namedId } from './names.ts'
import type { ImportReport } from './report.ts'

/** An entry of a card, and whether anybody will see that card: a deleted card may have deleted people on it. */
export type SeenEntry = Entry & { seen: boolean }

/** Makes the players, teams and player-teams on a chunk of cards. */
export const ensurePeople = async (
  db: Database,
  entries: SeenEntry[],
  known: Known,
  report: ImportReport,
  now: Date,
) => {
  const ids = (member: 'playerId' | 'teamId') => entries.flatMap((entry) => entry[member] ?? [])
  await findIds(db, 'players', ids('playerId'), known)
  await findIds(db, 'teams', ids('teamId'), known)
  const players = new Map<string, Columns>()
  const teams = new Map<string, Columns>()
  for (const { player, team, playerId, teamId } of entries) {
    if (player && !isThere(known, playerId)) {
      const name = personName(player)
      players.set(name, { first_name: player.firstName, last_name: player.lastName, position: null, name })
    }
    if (team && !isThere(known, teamId)) teams.set(team, { name: team, location: null, abbreviation: null })
  }
  report.players += await ensureNamed(db, 'players', players, known, now)
  report.teams += await ensureNamed(db, 'teams', teams, known, now)
  report.playerTeams += await ensurePairs(db, entries, known, now)
}

const isThere = (known: Known, id: string | undefined): id is string => id !== undefined && known.ids.has(id)

/** The player and the team of an entry, by their ids where those exist, else by their names. */
const peopleOf = ({ player, team, playerId, teamId }: Entry, known: Known) => ({
  playerId: isThere(known, playerId) ? playerId : player ? namedId(known, 'players', personName(player)) : undefined,
  teamId: isThere(known, teamId) ? teamId : team ? namedId(known, 'teams', team) : undefined,
})

type Pair = { playerId: string; teamId: string }

const ensurePairs = async (db: Database, entries: SeenEntry[], known: Known, now: Date) => {
  const wanted = new Map<string, Pair & { seen: boolean }>()
  for (const entry of entries) {
    if (!entry.player || !entry.team) continue
    const { playerId, teamId } = peopleOf(entry, known)
    if (!playerId || !teamId) continue
    const key = `${playerId}:${teamId}`
    wanted.set(key, { playerId, teamId, seen: entry.seen || (wanted.get(key)?.seen ?? false) })
  }
  const unknown = [...wanted].flatMap(([key, pair]) => (known.pairs.get(key)?.live ? [] : [pair]))
  if (unknown.length === 0) return 0
  await findPairs(db, unknown, known)
  const missing = [...wanted].filter(([key, pair]) => {
    const stored = known.pairs.get(key)
    const peopleLive = known.ids.get(pair.playerId) !== false && known.ids.get(pair.teamId) !== false
    return !stored?.live && peopleLive && (pair.seen || !stored)
  })
  if (missing.length === 0) return 0
  const pairs = missing.map(([, { playerId, teamId }]) => ({ id: Bun.randomUUIDv7(), playerId, teamId }))
  const made = await enter(db, (tx) => createPlayerTeams(tx, pairs, { level: Audience.draft, now }))
  for (const [index, [key]] of missing.entries()) known.pairs.set(key, { id: made[index]?.id as string, live: true })
  return made.filter((one) => one.outcome !== 'taken').length
}

const findPairs = async ({ sql }: Pick<Database, 'sql'>, pairs: Pair[], known: Known) => {
  const rows = await sql<(Pair & { id: string; live: boolean })[]>`
    select pt.id, pt.player_id as "playerId", pt.team_id as "teamId", pt.audience >= 1 as live
    from unnest(${arrayOf(pairs.map((pair) => pair.playerId))}::uuid[],
      ${arrayOf(pairs.map((pair) => pair.teamId))}::uuid[]) as n (player_id, team_id)
    join player_teams pt on pt.player_id = n.player_id and pt.team_id = n.team_id and not pt.is_yielded`
  for (const { id, live, playerId, teamId } of rows) known.pairs.set(`${playerId}:${teamId}`, { id, live })
}

/** The entry of a card, by the ids that are known now; null where what it names does not exist. */
export const entryOf = (entry: Entry, known: Known): StoredEntry | null => {
  const { playerId, teamId } = peopleOf(entry, known)
  if (entry.player && entry.team) {
    const pair = known.pairs.get(`${playerId}:${teamId}`)
    return pair ? { type: 'playerteams', id: pair.id } : null
  }
  if (entry.player) return playerId ? { type: 'players', id: playerId } : null
  return teamId ? { type: 'teams', id: teamId } : null
}
