import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName } from '../../../model/person-name.ts'
import type { CardItem } from '../../read/item.ts'
import { sportsOfTeam } from '../../read/names/teams.ts'

/** Who is on some cards, by name. */
export type People = { players: string[]; teams: string[] }

/** The people and teams on a file's cards. */
export const peopleOn = (cards: CardItem[]): People => {
  const entries = cards.slice(0, most).flatMap(({ entries }) => entries)
  return {
    players: [...new Set(entries.flatMap(({ player }) => (player ? personName(player) : [])))],
    teams: [...new Set(entries.flatMap(({ team }) => team ?? []))],
  }
}

/** On how many cards of a set people and teams are looked at. */
const most = 20

/** A set of a file with its cards and sport, and a set that it may be, with its sport. One of the two doesn't say one. */
type Asked = { id: string; cards: CardItem[]; said: string | null; stored: string | null }

/**
 * Whether the teams of the set without a sport, or if none is known its players, evidently are of other sports: some are on cards of others or
 * in our list of teams for others, and none for this one. What the import made since it `began` is no evidence; `pretended` are the people of new sets.
 */
export const findOtherSports = async (
  db: Pick<Database, 'sql'>,
  asked: Asked[],
  pretended: ReadonlyMap<string, People>,
  began: string,
): Promise<boolean[]> => {
  const stored = asked.filter(({ said, id }) => said !== null && !pretended.has(id))
  const onStored = await readPeople(
    db,
    stored.map(({ id }) => id),
  )
  const peopleOf = ({ id, said, cards }: Asked): People =>
    said === null ? peopleOn(cards) : (pretended.get(id) ?? onStored.get(id) ?? { players: [], teams: [] })
  const people = asked.map(peopleOf)
  const sports = await readSports(db, people, began)
  return asked.map(({ said, stored }, at) => {
    const sport = (said ?? stored ?? '').toLowerCase()
    const { players = [], teams = [] } = people[at] ?? {}
    const ofTeams = teams.map((name) => new Set([...sportsOfTeam(name), ...(sports.get(`team ${name}`) ?? [])]))
    const ofPlayers = players.map((name) => sports.get(`player ${name}`) ?? new Set())
    const known = [ofTeams, ofPlayers].map((some) => some.filter(({ size }) => size > 0))
    const telling = known.find((some) => some.length > 0) ?? []
    return telling.length > 0 && !telling.some((some) => some.has(sport))
  })
}

const readPeople = async ({ sql }: Pick<Database, 'sql'>, ids: string[]): Promise<Map<string, People>> => {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; player: string | null; team: string | null }[]>`
    select distinct w.id, p.name as player, t.name as team
    from unnest(${arrayOf([...new Set(ids)])}::uuid[]) as w (id)
    cross join lateral (
      select c.id from cards c where c.set_id = w.id and c.deleted_at is null order by c.number_key collate "C" limit ${most}
    ) c
    join oncard o on o.card_id = c.id
    left join players p on p.id = o.player_id left join teams t on t.id = o.team_id`
  const people = new Map<string, People>()
  for (const { id, player, team } of rows) {
    const on = people.getOrInsertComputed(id, () => ({ players: [], teams: [] }))
    if (player) on.players.push(player)
    if (team) on.teams.push(team)
  }
  return people
}

/** The sports of players and teams, in small letters, by the sets that the catalog had before the import. */
const readSports = async ({ sql }: Pick<Database, 'sql'>, people: People[], began: string) => {
  const names = (key: keyof People) => arrayOfTexts([...new Set(people.flatMap((on) => on[key]))])
  const rows = await sql<{ key: string; sport: string }[]>`
    with players_asked as materialized (select name, name_fold(name) as fold from unnest(${names('players')}::text[]) as w (name)),
    teams_asked as materialized (select name, name_fold(name) as fold from unnest(${names('teams')}::text[]) as w (name))
    select distinct 'player ' || w.name as key, lower(g.name) as sport
    from players_asked w join players e on e.folded collate "C" = w.fold collate "C" and e.audience >= 1
    join oncard o on o.player_id = e.id and o.lists_player
    join sets s on s.no = o.set_no and s.audience >= 1 and s.created_at < ${began}::timestamptz
    join genres g on g.id = s.genre_id
    union all
    select distinct 'team ' || w.name, lower(g.name)
    from teams_asked w join teams e on e.folded collate "C" = w.fold collate "C" and e.audience >= 1
    join oncard o on o.team_id = e.id and o.lists_team
    join sets s on s.no = o.set_no and s.audience >= 1 and s.created_at < ${began}::timestamptz
    join genres g on g.id = s.genre_id`
  const sports = new Map<string, Set<string>>()
  for (const { key, sport } of rows) sports.getOrInsertComputed(key, () => new Set<string>()).add(sport)
  return sports
}
