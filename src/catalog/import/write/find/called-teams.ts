import { arrayOf, arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import type { CardItem, NoteRule } from '../../read/item.ts'
import { isNickname } from '../../read/names/people.ts'
import { waysToPart } from '../../read/names/several.ts'
import { isNoTeam, isShortTeam, isWithPlace, teamNames, teamsCalled } from '../../read/names/teams.ts'
import { lookUp } from '../names.ts'
import { addNote } from '../report.ts'
import type { Part } from '../run/chunk-context.ts'
import { columnsOfTeam } from '../run/queue.ts'
import type { PlacedSets } from '../session.ts'
import { type Folds, foldOfNew, readCandidates } from './candidates.ts'

/** A set's sport by name and id, and its year. */
type Sport = { genre: string | null; genreId: string | null; year: number | null }

/**
 * Reads teams as people write them: SEA, Mariners and Seattle are the team that they mean in the sport and year of the card's set, if it
 * is one of the catalog or of our list and no other can be meant. Free Agent and the like are no team. What the catalog knows by that
 * name stays it. All of this is noted, each name once.
 */
export const settleTeams = async (db: Database, cards: CardItem[], placed: PlacedSets, part: Part) => {
  const teams = new Set(cards.flatMap((card) => (card.hasTeamCells ? namesOf(card) : [])))
  const unknown = await findUnknown(db, [...teams].filter(mayMeanAnother), part)
  if (unknown.size === 0) return
  const open = cards.filter((card) => card.hasTeamCells && namesOf(card).some((name) => unknown.has(name)))
  const sports = await readSports(db, open, placed, part)
  const inCatalog = await findCalled(db, [...unknown])
  for (const card of open) {
    const sport = sports.get(card.setKey) ?? { genre: null, genreId: null, year: null }
    const say = (rule: NoteRule, name: string, text: string) => {
      const key = `team ${sport.genre} ${sport.year} ${name}`
      if (part.known.told.has(key)) return
      part.known.told.add(key)
      addNote(part.report, { kind: 'note', file: card.file, line: card.line, rule, text })
    }
    card.entries = card.entries.flatMap((entry) => {
      const { team, player, teamId } = entry
      if (!team || teamId || !unknown.has(team)) return [entry]
      if (isNoTeam(team)) {
        say('no-team', team, team)
        return player ? [{ ...entry, team: null }] : []
      }
      const meant = teamsMeant(team, sport, inCatalog.get(team) ?? [])
      const [only] = meant
      if (only && meant.length === 1 && (sport.genre !== null || inCatalog.has(team) || saysEnough(team))) {
        say('team-read-as', team, `${team}: ${only}`)
        return [{ ...entry, team: only }]
      }
      if (only) say('ambiguous-team', team, `${team}: may be ${meant.slice(0, 5).join(' or ')}`)
      else if (isShortTeam(team, sport.genre)) say('ambiguous-team', team, `${team}: no team of its sport and year`)
      else if (isSeveral(team)) say('ambiguous-team', team, `${team}: may be several teams`)
      return [entry]
    })
  }
}

/** Whether a short name says which team it means without a sport. */
const saysEnough = (name: string) => isNickname(name) || isWithPlace(name)

const namesOf = ({ entries }: CardItem) => entries.flatMap(({ team, teamId }) => (team && !teamId ? team : []))

/** Whether a name isn't the full name of a team of our list. Athletics is one, and also what other teams are called. */
const mayMeanAnother = (name: string) =>
  !name.includes(' ') || ![...teamNames.values()].some((names) => names.has(name))

const isSeveral = (text: string) =>
  waysToPart(text.replace(/ vs?\.? /i, ' / ')).some((parts) =>
    parts.every((one) => isShortTeam(one) || !mayMeanAnother(one)),
  )

/** The names that neither the catalog nor, in a dry run, the import so far has. */
const findUnknown = async (db: Database, names: string[], part: Part): Promise<Set<string>> => {
  if (names.length === 0) return new Set()
  const folds: Folds = new Map()
  const missing = await lookUp(db, 'teams', new Map(names.map((name) => [name, columnsOfTeam(name)])), folds, part)
  const { pretended } = part.known
  const isPretended = (name: string) => pretended.teams.has(foldOfNew('teams', folds.get(name) ?? name))
  return new Set([...missing.keys()].filter((name) => !part.session.isDry || !isPretended(name)))
}

const teamsMeant = (name: string, { genre, genreId, year }: Sport, inCatalog: Called[]): string[] => {
  const own = inCatalog.filter(({ genres }) => genreId === null || genres.size === 0 || genres.has(genreId))
  return [...new Set([...own.map(({ team }) => team), ...teamsCalled(name, genre, year)])]
}

type Called = { team: string; genres: Set<string> }

/** Teams of the catalog by their abbreviation, location, or name without its location. */
const findCalled = async (db: Database, names: string[]): Promise<Map<string, Called[]>> => {
  const rows = await db.sql<{ wanted: string; id: string; team: string }[]>`
    select w.name as wanted, e.id, e.name as team
    from teams e
    join unnest(${arrayOfTexts(names)}::text[]) as w (name) on lower(w.name) in (
      lower(e.abbreviation), lower(e.location),
      case when starts_with(lower(e.name), lower(e.location) || ' ') then lower(substr(e.name, length(e.location) + 2)) end
    )
    where e.audience >= 1 and coalesce(e.abbreviation, e.location) is not null
    order by e.id`
  if (rows.length === 0) return new Map()
  const candidates = await readCandidates(
    db,
    'teams',
    rows.map(({ id }) => id),
  )
  const called = rows.map(({ wanted, id, team }) => ({ wanted, team, genres: candidates.get(id)?.genres ?? new Set() }))
  return Map.groupBy(called, ({ wanted }) => wanted)
}

/** The sports and years of cards' sets, or else of those above them, of which stored ones say what the file doesn't. */
const readSports = async (
  { sql }: Database,
  cards: CardItem[],
  placed: PlacedSets,
  { session }: Part,
): Promise<Map<string, Sport>> => {
  const keys = [...new Set(cards.map(({ setKey }) => setKey))]
  const all = [...new Set(keys.flatMap((key) => lineOf(key, placed)))]
  const sets = all.map((key) => placed.get(key))
  const rows = await sql<Sport[]>`
    select g.name as genre, g_id as "genreId", substring(coalesce(s.year_key, p.year_key, pp.year_key) from '[0-9]{4}')::int as year
    from unnest(${arrayOf(sets.map((set) => set?.id ?? null))}::uuid[], ${arrayOf(sets.map((set) => set?.genreId ?? set?.storedGenreId ?? null))}::uuid[])
      with ordinality as w (id, genre_id, at)
    left join sets s on s.id = w.id
    left join sets p on p.id = s.parent_id
    left join sets pp on pp.id = p.parent_id
    cross join lateral coalesce(w.genre_id, s.genre_id, p.genre_id, pp.genre_id) as g_id
    left join genres g on g.id = g_id
    order by w.at`
  const sports = new Map(
    all.map((key, at) => {
      const { genre = null, genreId = null, year = null } = rows[at] ?? {}
      const pretended = session.pretendedNames.get(genreId ?? '') ?? null
      return [key, { genre: genre ?? pretended, genreId, year: sets[at]?.year ?? year }]
    }),
  )
  return new Map(
    keys.map((key) => {
      const line = lineOf(key, placed).flatMap((each) => sports.get(each) ?? [])
      const { genre = null, genreId = null } = line.find((each) => each.genreId !== null) ?? {}
      return [key, { genre, genreId, year: line.find(({ year }) => year !== null)?.year ?? null }]
    }),
  )
}

/** The keys of a set and of those above it, as the file has them. */
const lineOf = (key: string, placed: PlacedSets): string[] => {
  const above = placed.get(key)?.parentKey
  return above ? [key, ...lineOf(above, placed)] : [key]
}
