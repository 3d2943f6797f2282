import { arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName, splitFullName } from '../../../model/person-name.ts'
import type { CardItem, Entry } from '../../read/item.ts'
import { isTeam } from '../../read/names/people.ts'
import { isListed, waysToPart } from '../../read/names/several.ts'
import { addTeams } from '../../read/rows/entries.ts'
import { isSubject, withoutRemarks } from '../../read/rows/player-cell.ts'
import type { Part } from '../run/chunk-context.ts'
import { foldOfNew } from './candidates.ts'

/** Which of some texts are names that the catalog, or an earlier card of the chunk, knows. */
type KnownNames = { players: ReadonlySet<string>; teams: ReadonlySet<string> }

/**
 * Reads the cells of cards again by the names that the catalog knows (decisions.md §19): a cell that is one of them is that player or team,
 * whatever it looks like, and so is each part of a cell with several. Cards in which nothing is known stay as they were guessed.
 */
export const readKnownNames = async (db: Database, cards: CardItem[], part: Part) => {
  const named = cards.filter((card) => card.named)
  if (named.length === 0) return
  const texts = new Set(
    named.flatMap(({ named }) => [...(named?.players ?? []), ...(named?.teams ?? [])].flatMap(namesIn)),
  )
  const known = await findKnownNames(db, [...texts])
  if (part.session.isDry) await addPretended(db, [...texts], known, part)
  for (const card of cards)
    for (const { player, team } of card.entries) {
      if (player) known.players.add(keyOf(personName(player)))
      if (team) known.teams.add(keyOf(team))
    }
  for (const card of named) Object.assign(card, readAgain(card, known))
}

const keyOf = (name: string) => name.toLowerCase()

const bracketed = /^(.+?) ?\(([^()]+)\)$/

/** What in a cell may be a name. */
const namesIn = (cell: string): string[] => {
  const { rest } = withoutRemarks(cell)
  const [, before, inside] = bracketed.exec(rest) ?? []
  return [cell, rest, before ?? [], inside ?? [], ...waysToPart(rest), ...waysToPart(cell)].flat()
}

const findKnownNames = async ({ sql }: Database, names: string[]) => {
  const rows = await sql<{ name: string; type: 'players' | 'teams' }[]>`
    with w as materialized (select name, name_fold(name) as fold from unnest(${arrayOfTexts(names)}::text[]) as w (name)),
      known as (
        select w.name, 'players' as type from w join players e on e.folded collate "C" = w.fold collate "C" and e.audience >= 1
        union all
        select w.name, 'teams' from w join teams e on e.folded collate "C" = w.fold collate "C" and e.audience >= 1
        union all
        select w.name, 'players' from w
        join players e on alias_folds(e.aliases) @> array[w.fold] and e.aliases is not null and e.audience >= 1
        union all
        select w.name, 'teams' from w
        join teams e on alias_folds(e.aliases) @> array[w.fold] and e.aliases is not null and e.audience >= 1
        union all
        select w.name, c.object_type from w
        join curated_fields c on c.field = 'name' and name_fold(c.said #>> '{}') collate "C" = w.fold collate "C"
          and c.object_type in ('players', 'teams')
      )
    select distinct name, type from known where name <> ''`
  const of = (type: string) => new Set(rows.flatMap((row) => (row.type === type ? keyOf(row.name) : [])))
  return { players: of('players'), teams: of('teams') }
}

/** In a dry run, names that it would have created by now are known, too. */
const addPretended = async (
  { sql }: Database,
  names: string[],
  found: Record<'players' | 'teams', Set<string>>,
  { known: { pretended } }: Part,
) => {
  const rows = await sql<{ name: string; fold: string }[]>`
    select name, name_fold(name) as fold from unnest(${arrayOfTexts(names)}::text[]) as w (name)`
  for (const { name, fold } of rows)
    for (const type of ['players', 'teams'] as const)
      if (pretended[type].has(foldOfNew(type, fold))) found[type].add(keyOf(name))
}

type Reading = { entries: Entry[]; title: string | null; codes: string[]; serialNumber: string | null }

/** What of a card changes by the names that are known. */
const readAgain = (card: CardItem, known: KnownNames): Partial<CardItem> => {
  const { players = [], teams = [], genre = null } = card.named ?? {}
  if (card.entries.some(({ disambiguation }) => disambiguation)) return {}
  const isKnownTeam = (team: string) => known.teams.has(keyOf(team)) || isListed(team)
  const readings = players.map((cell) => readCell(cell, known, genre))
  if (!readings.every((reading) => reading !== null)) return teamsAgain(card, teams, isKnownTeam)
  const entries = readings.flatMap((reading) => reading.entries)
  if (entries.length === 0) return teamsAgain(card, teams, isKnownTeam)
  const codes = readings.flatMap((reading) => reading.codes)
  return {
    entries: addTeams(entries, teams, isKnownTeam),
    title: readings.find(({ title }) => title)?.title ?? null,
    attributes: [...new Set([...codes, ...card.attributes])],
    serialNumber: card.serialNumber ?? readings.find(({ serialNumber }) => serialNumber)?.serialNumber ?? null,
    rule: entries.length > 1 ? 'players' : entries[0]?.player ? 'player' : 'team',
  }
}

/** A guessed card, with its teams parted by what is known. */
const teamsAgain = (
  { entries }: CardItem,
  cells: string[],
  isKnownTeam: (team: string) => boolean,
): Partial<CardItem> => {
  const [cell] = cells
  if (cells.length !== 1 || !cell || waysToPart(cell).length === 0) return {}
  const people = entries.flatMap((entry) => (entry.player ? { ...entry, team: null } : []))
  return people.length === 0 ? {} : { entries: addTeams(people, cells, isKnownTeam) }
}

/** A cell by known names, or null if it has none. */
const readCell = (cell: string, known: KnownNames, genre: string | null): Reading | null => {
  const entryOf = (name: string): Entry | null =>
    known.players.has(keyOf(name))
      ? { player: splitFullName(name), team: null }
      : known.teams.has(keyOf(name))
        ? { player: null, team: name }
        : null
  const whole = entryOf(cell)
  if (whole) return { entries: [whole], title: null, codes: [], serialNumber: null }
  const { rest, ...remarks } = withoutRemarks(cell)
  const single = entryOf(rest)
  if (single) return { entries: [single], title: null, ...remarks }
  const [, before, inside] = bracketed.exec(rest) ?? []
  const person = before ? (entryOf(before) ?? (isSubject(before, genre) ? guessed(before, genre) : null)) : null
  if (person?.player && inside && known.teams.has(keyOf(inside)))
    return { entries: [{ ...person, team: inside }], title: null, ...remarks }
  if (before && inside && !life.test(inside) && entryOf(before)?.player)
    return { entries: [entryOf(before) as Entry], title: inside, ...remarks }
  for (const parts of waysToPart(rest)) {
    const entries = parts.map((part) => entryOf(part) ?? (isSubject(part, genre) ? guessed(part, genre) : null))
    if (parts.some((part) => entryOf(part)) && entries.every((entry) => entry !== null))
      return { entries, title: null, ...remarks }
  }
  return null
}

const guessed = (name: string, genre: string | null): Entry =>
  isTeam(name, genre) ? { player: null, team: name } : { player: splitFullName(name), team: null }

/** Years of a life aren't a title. */
const life = /^(?:(?:b\.|born) ?\d{4}|\d{4} ?- ?(?:\d{4})?)$/i
