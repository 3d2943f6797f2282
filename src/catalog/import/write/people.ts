import { arrayOf } from '../../../../db/arrays.ts'
import type { Database } from '../../../../db/client.ts'
import { ApiError } from '../../../jsonapi/errors.ts'
import { personName } from '../../model/person-name.ts'
import { createPlayerTeams } from '../../write/entity/player-teams.ts'
import type { Columns, StoredEntry } from '../../write/record.ts'
import type { Entry } from '../read/item.ts'
import { stillDeleted } from './curated-fields.ts'
import { forgetAll, type Known, tellKept } from './lookup-cache.ts'
import { ensureNamed, findIds, findOnCards, isKnown, personOf } from './names.ts'
import type { Part } from './run/chunk-context.ts'
import { columnsOfTeam } from './run/queue.ts'
import { enterImport, noteMade, type Session, type Standing, writerOf } from './session.ts'

/** A card's entry with its set's genre and year, and whether the card is live. A deleted card may have deleted people on it. */
type SeenEntry = Entry & { seen: boolean; standing: Standing }

/** Creates the missing players, teams and player-teams of a chunk. Tries again if somebody we knew has since disappeared. */
export const ensurePeople = async (db: Database, entries: SeenEntry[], part: Part) => {
  try {
    await ensureAll(db, entries, part)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    forgetAll(part.known)
    await ensureAll(db, entries, part)
  }
}

const ensureAll = async (db: Database, entries: SeenEntry[], part: Part) => {
  const { known, report } = part
  const ids = (member: 'playerId' | 'teamId') => entries.flatMap((entry) => entry[member] ?? [])
  await findIds(db, 'players', ids('playerId'), part)
  await findIds(db, 'teams', ids('teamId'), part)
  const players = new Map<string, Columns>()
  const teams = new Map<string, Columns>()
  for (const { player, team, playerId, teamId } of entries) {
    if (player && !isThere(known, playerId)) {
      const name = personName(player)
      if (!isKnown(known, 'players', name))
        players.set(name, { first_name: player.firstName, last_name: player.lastName, position: null, name })
    }
    if (team && !isThere(known, teamId) && !isKnown(known, 'teams', team)) teams.set(team, columnsOfTeam(team))
  }
  report.players += await ensureNamed(db, 'players', players, part)
  report.teams += await ensureNamed(db, 'teams', teams, part)
  await findOnCards(db, entries, part)
  report.playerTeams += await ensurePairs(db, entries, part)
}

const isThere = (known: Known, id: string | undefined): id is string =>
  id !== undefined && (known.ids.has(id) || known.merged.has(id))

/** A name that several records match equally well: the one chosen, and all of them. */
type Ambiguous = { type: 'players' | 'teams'; name: string; taken: string; among: string[] }

/** An entry's player and team, by id if that exists, or else by name. Ambiguous ones are added to `ambiguous`. */
const peopleOf = (
  { player, team, playerId, teamId }: Entry,
  known: Known,
  standing: Standing,
  ambiguous: Ambiguous[] = [],
) => {
  const ofTeam = find('teams', teamId, team, known, standing, ambiguous)
  return {
    playerId: find('players', playerId, player && personName(player), known, standing, ambiguous, ofTeam),
    teamId: ofTeam,
  }
}

const find = (
  type: Ambiguous['type'],
  id: string | undefined,
  name: string | null,
  known: Known,
  standing: Standing,
  ambiguous: Ambiguous[],
  ofTeam?: string,
) => {
  if (isThere(known, id)) return known.merged.get(id) ?? id
  if (!name) return undefined
  const found = personOf(known, type, name, standing, ofTeam)
  if (found.id && found.among.length > 0) ambiguous.push({ type, name, taken: found.id, among: found.among })
  return found.id
}

type Pair = { playerId: string; teamId: string }

const ensurePairs = async (db: Database, entries: SeenEntry[], { known, session, report, now }: Part) => {
  const wanted = new Map<string, Pair & { seen: boolean }>()
  for (const entry of entries) {
    if (!entry.player || !entry.team) continue
    const { playerId, teamId } = peopleOf(entry, known, entry.standing)
    if (!playerId || !teamId) continue
    const key = `${playerId}:${teamId}`
    wanted.set(key, { playerId, teamId, seen: entry.seen || (wanted.get(key)?.seen ?? false) })
  }
  const unknown = [...wanted].flatMap(([key, pair]) => {
    const stored = known.pairs.get(key)
    return stored?.live || stored?.staysDeleted ? [] : [pair]
  })
  if (unknown.length === 0) return 0
  for (const { id, name } of await findPairs(db, unknown, known, session))
    tellKept(known, report, { type: 'playerteams', id, name, ...stillDeleted })
  const missing = [...wanted].filter(([key, pair]) => {
    const stored = known.pairs.get(key)
    const peopleLive = known.ids.get(pair.playerId) !== false && known.ids.get(pair.teamId) !== false
    return !stored?.live && !stored?.staysDeleted && peopleLive && (pair.seen || !stored)
  })
  if (missing.length === 0) return 0
  const pairs = missing.map(([, { playerId, teamId }]) => ({ id: Bun.randomUUIDv7(), playerId, teamId }))
  const made = session.isDry
    ? pairs.map(({ id }) => ({ id, outcome: 'created' }))
    : await enterImport(db, session, async (tx) => {
        const all = await createPlayerTeams(tx, pairs, writerOf(session, now))
        const created = all.filter((one) => one.outcome !== 'taken').map(({ id }) => id)
        await noteMade(tx, session, 'playerteams', created)
        return all
      })
  for (const [index, [key, pair]] of missing.entries()) {
    known.pairs.set(key, { id: made[index]?.id as string, live: true, staysDeleted: false })
    if (!known.careers.get(pair.playerId)?.isNew) known.newPairs.add(key)
  }
  return made.filter((one) => one.outcome !== 'taken').length
}

/** Looks player-teams up. Returns those that somebody deleted and that the import keeps deleted (decisions.md §14). */
const findPairs = async ({ sql }: Pick<Database, 'sql'>, pairs: Pair[], known: Known, { overwrite }: Session) => {
  const rows = await sql<(Pair & { id: string; name: string; live: boolean; staysDeleted: boolean })[]>`
    select pt.id, pt.name, pt.player_id as "playerId", pt.team_id as "teamId", pt.audience >= 1 as live,
      pt.audience = 0 and not ${overwrite}::bool and exists (
        select from curated_fields c where c.object_id = pt.id and c.field = 'deleted'
      ) as "staysDeleted"
    from unnest(${arrayOf(pairs.map((pair) => pair.playerId))}::uuid[],
      ${arrayOf(pairs.map((pair) => pair.teamId))}::uuid[]) as n (player_id, team_id)
    join player_teams pt on pt.player_id = n.player_id and pt.team_id = n.team_id and not pt.is_yielded`
  for (const { id, live, staysDeleted, playerId, teamId } of rows)
    known.pairs.set(`${playerId}:${teamId}`, { id, live, staysDeleted })
  return rows.filter(({ staysDeleted }) => staysDeleted)
}

/** A card's entries as stored, the ids of its players and teams, and its ambiguous names. */
type FoundEntries = { entries: StoredEntry[]; people: string[]; ambiguous: Ambiguous[] }

/** A card's entries, from the ids known now: the player alone for a player-team that stays deleted. Null if one doesn't exist. */
export const findEntries = (entries: Entry[], known: Known, standing: Standing): FoundEntries | null => {
  const found: FoundEntries = { entries: [], people: [], ambiguous: [] }
  for (const entry of entries) {
    const { playerId, teamId } = peopleOf(entry, known, standing, found.ambiguous)
    const { player, team } = entry
    const pair = player && team ? known.pairs.get(`${playerId}:${teamId}`) : undefined
    const isPair = player && team && !pair?.staysDeleted
    const id = isPair ? pair?.id : player ? playerId : teamId
    if (!id) return null
    const type = isPair ? 'playerteams' : player ? 'players' : 'teams'
    found.entries.push({ type, id, playerId: playerId ?? null, teamId: (type === 'players' ? null : teamId) ?? null })
    if (playerId) found.people.push(playerId)
    if (teamId) found.people.push(teamId)
  }
  return found
}
