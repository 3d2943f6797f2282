import { arrayOfTexts } from '../../../../../db/arrays.ts'
import type { Database } from '../../../../../db/client.ts'
import { personName, splitFullName } from '../../../model/person-name.ts'
import type { CardItem, Entry } from '../../read/item.ts'
import { bothTitles } from '../../read/names/card-text.ts'
import { isPerson, isTeam } from '../../read/names/people.ts'
import { isListed, waysToPart } from '../../read/names/several.ts'
import { addTeams } from '../../read/rows/entries.ts'
import { isSubject, splitLabel, withoutRemarks } from '../../read/rows/player-cell.ts'
import type { Part } from '../run/chunk-context.ts'
import { foldOfNew } from './candidates.ts'

/**
 * Which of some texts are names that the catalog, or an earlier card of the chunk, knows, and what stands before a dash and several names in the chunk: Young
 * Guns - Ann Lee.
 */
type KnownNames = { players: ReadonlySet<string>; teams: ReadonlySet<string>; labels: ReadonlySet<string> }

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
  for (const card of cards.filter(({ undecided }) => !undecided))
    for (const { player, team } of card.entries) {
      if (player) known.players.add(keyOf(personName(player)))
      if (team) known.teams.add(keyOf(team))
    }
  const labels = labelsIn(named)
  for (const card of named) {
    Object.assign(card, readAgain(card, { ...known, labels }))
    settleUnsaid(card)
  }
}

/**
 * Settles what a row says nothing about, now that its names are read. One with a title for a name takes nobody off its card, nor a team or another
 * title if the title may be people.
 */
const settleUnsaid = (card: CardItem) => {
  const { entries, title, named, undecided } = card
  if (!named) return
  const unsaid = new Set(card.unsaid)
  const settle = (part: 'title' | 'teams', isSaid: boolean) =>
    isSaid || named.says[part] ? unsaid.delete(part) : card.unsaid && unsaid.add(part)
  settle('title', title !== null)
  settle(
    'teams',
    entries.some(({ team }) => team),
  )
  if (named.players.length > 0 && !entries.some(({ player }) => player)) {
    unsaid.add('players')
    if (undecided) unsaid.add('teams')
    if (undecided && !named.says.title) unsaid.add('title')
  }
  card.unsaid = unsaid.size > 0 ? [...unsaid] : undefined
}

const keyOf = (name: string) => name.toLowerCase()

const labelsIn = (cards: CardItem[]) => {
  const names = new Map<string, string>()
  const labels = new Set<string>()
  for (const { undecided, named } of cards)
    for (const { label, name } of undecided ? (named?.players.map(splitLabel) ?? []) : [])
      if (label && name && names.getOrInsert(label, name) !== name) labels.add(label)
  return labels
}

const bracketed = /^(.+?) ?\(([^()]+)\)$/

/** What in a cell may be a name. */
const namesIn = (cell: string): string[] => {
  const { rest } = withoutRemarks(cell)
  const [, before, inside] = bracketed.exec(rest) ?? []
  const { label = [], name = [] } = splitLabel(rest)
  return [cell, rest, label, name, before ?? [], inside ?? [], ...waysToPart(rest), ...waysToPart(cell)].flat()
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

type Reading = { entries: Entry[]; title: string | null; codes: string[]; serialNumber: string | null; isUnsure?: true }

/** What of a card changes by the names that are known. */
const readAgain = (card: CardItem, known: KnownNames): Partial<CardItem> => {
  const { players = [], teams = [], title = null, genre = null, isOwn } = card.named ?? {}
  if (card.entries.some(({ disambiguation }) => disambiguation)) return {}
  const isKnownTeam = (team: string) => known.teams.has(keyOf(team)) || isListed(team)
  if (isOwn && !players.some((cell) => areKnown(cell, known))) return {}
  const readings = players.map((cell) => (isOwn ? readOwn(cell, known) : readCell(cell, known, genre, teams)))
  if (!readings.every((reading) => reading !== null)) return teamsAgain(card, teams, isKnownTeam)
  const entries = readings.flatMap((reading) => reading.entries)
  if (entries.length === 0) return teamsAgain(card, teams, isKnownTeam)
  const codes = readings.flatMap((reading) => reading.codes)
  return {
    entries: addTeams(entries, teams, isKnownTeam),
    title: bothTitles(title, readings.find(({ title }) => title)?.title ?? null),
    attributes: [...new Set([...codes, ...card.attributes])],
    serialNumber: card.serialNumber ?? readings.find(({ serialNumber }) => serialNumber)?.serialNumber ?? null,
    ...(readings.some(({ isUnsure }) => isUnsure)
      ? { undecided: card.undecided ?? `${card.number} ${players.join(' / ')}` }
      : {}),
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

/** Names that are each a known player's, in a cell that isn't one itself. */
const areKnown = (cell: string, { players }: KnownNames): string[] | undefined =>
  players.has(keyOf(cell))
    ? undefined
    : waysToPart(cell).find((parts) => parts.every((part) => players.has(keyOf(part))))

/** A cell of our own form: word for word, or several known players. */
const readOwn = (cell: string, known: KnownNames): Reading => {
  const entries = (areKnown(cell, known) ?? [cell]).map((name) => ({ player: splitFullName(name), team: null }))
  return { entries, title: null, codes: [], serialNumber: null }
}

/** A cell by known names, or null if it has none. `teams` are those of its row. */
const readCell = (cell: string, known: KnownNames, genre: string | null, teams: string[]): Reading | null => {
  const entryOf = (name: string): Entry | null =>
    known.players.has(keyOf(name))
      ? { player: splitFullName(name), team: null }
      : known.teams.has(keyOf(name))
        ? { player: null, team: name }
        : null
  const whole = entryOf(cell)
  const isSplit = whole?.player && areTeamsOfEach(cell, teams, genre)
  if (whole && !isSplit) return { entries: [whole], title: null, codes: [], serialNumber: null }
  const { rest, ...remarks } = withoutRemarks(cell)
  const single = isSplit ? null : entryOf(rest)
  if (single) return { entries: [single], title: null, ...remarks }
  const [, before, inside] = bracketed.exec(rest) ?? []
  const person = before ? (entryOf(before) ?? (isSubject(before, genre) ? guessed(before, genre) : null)) : null
  const isOfTeam = inside && known.teams.has(keyOf(inside))
  if (person?.player && isOfTeam && teams.length > 0 && !teams.some((team) => keyOf(team) === keyOf(inside)))
    return { entries: [person], title: inside, ...remarks, isUnsure: true }
  if (person?.player && isOfTeam) return { entries: [{ ...person, team: inside }], title: null, ...remarks }
  if (before && inside && !life.test(inside) && entryOf(before)?.player)
    return { entries: [entryOf(before) as Entry], title: inside, ...remarks }
  const { label, name } = splitLabel(rest)
  const isLabel = label && known.labels.has(label)
  const behind = name ? (entryOf(name) ?? (isLabel && isPerson(name, genre) ? guessed(name, genre) : null)) : null
  if (label && behind?.player && !entryOf(label)) return { entries: [behind], title: label, ...remarks }
  const inFront = label ? entryOf(label) : null
  if (inFront?.player && name && !isSubject(name, genre) && !behind)
    return { entries: [inFront], title: name, ...remarks }
  const dashed = label && name && inFront?.player ? [[label, name]] : []
  for (const parts of [...dashed, ...waysToPart(rest)]) {
    const entries = parts.map((part) => entryOf(part) ?? (isSubject(part, genre) ? guessed(part, genre) : null))
    if ((isSplit || parts.some((part) => entryOf(part))) && entries.every((entry) => entry !== null))
      return { entries, title: null, ...remarks }
  }
  return null
}

/** Whether a cell is full names with a team for each. Somebody else may have made them one player before. */
const areTeamsOfEach = (cell: string, teams: string[], genre: string | null) => {
  const each = teams.length === 1 ? teams.flatMap((team) => waysToPart(team)) : [teams]
  return waysToPart(cell).some(
    (parts) => parts.every((part) => isSubject(part, genre)) && each.some((some) => some.length === parts.length),
  )
}

const guessed = (name: string, genre: string | null): Entry =>
  isTeam(name, genre) ? { player: null, team: name } : { player: splitFullName(name), team: null }

/** Years of a life aren't a title. */
const life = /^(?:(?:b\.|born) ?\d{4}|\d{4} ?- ?(?:\d{4})?)$/i
