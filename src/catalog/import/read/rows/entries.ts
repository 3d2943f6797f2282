import { personName, splitFullName } from '../../../model/person-name.ts'
import { readRecordId } from '../identity.ts'
import type { Entry, NameCells, NameRule, SetItem } from '../item.ts'
import { alikeKey } from '../names/alike.ts'
import { codeInBrackets, isCommonCode } from '../names/attribute-names.ts'
import { bothTitles, type CardText, partsOf, readCardText } from '../names/card-text.ts'
import { isPerson, isTeamOrNickname } from '../names/people.ts'
import { isCodeOrPosition } from '../names/positions.ts'
import { isListed, teamsOf } from '../names/several.ts'
import { isPlainCard, mayHoldMore, readPlayerCell } from './player-cell.ts'
import { cellOf, type Row } from './row.ts'

/** Who is on the card according to its row, its title, and codes found in names. */
type Read = { entries: Entry[]; title: string | null; codes: string[]; rule: NameRule | null } & InNames
/** What else was found in names: a serial number, and names that could be read in another way. */
type InNames = {
  serialNumber?: string | null
  odd?: string | null
  position?: string | null
  /** Names with a code behind them that may be a position. */
  maybePosition?: string | null
  named?: NameCells
  numbered?: string | null
}

/**
 * Reads the columns of players, teams and title: word for word in our own form, by the rules for names in others'. What a row
 * names twice is on its card once.
 */
export const readEntries = (row: Row, wild: boolean, set: SetItem): Read => {
  const read = wild ? wildEntries(row, set) : { ...ownEntries(row), ...oddNames(row, set) }
  const numbered = namesOf(row).find((name) => name && withoutNamesake(name) !== name) ?? null
  return { ...read, entries: onceEach(read.entries), numbered }
}

const ownEntries = (row: Row): Read => {
  const title = cellOf(row, 'title')
  const codes: string[] = []
  const entries = pairEntries(row).map((entry) => {
    if (!entry.player || entry.playerId || row.has('type')) return entry
    const [, name, remark] = bracketed.exec(personName(entry.player)) ?? []
    if (name && remark && isPlainCard(remark)) return { ...entry, player: splitFullName(name) }
    const code = remark && codeInBrackets(remark)
    if (!name || !code) return entry
    codes.push(code)
    return { ...entry, player: splitFullName(name) }
  })
  const [only] = entries
  const [, name, remark] = (entries.length === 1 && only?.player && bracketed.exec(personName(only.player))) || []
  // A remark behind a single name is its title, if it has no other.
  if (!name || !remark || title || only?.playerId || row.has('type') || isCommonCode(remark) || !isPerson(name, null))
    return { entries, title, codes, rule: null }
  return {
    entries: [{ ...only, player: splitFullName(name), team: only?.team ?? null }],
    title: remark,
    codes,
    rule: null,
  }
}

const bracketed = /^(.+?) ?\(([^()]+)\)$/

/** The names in a row's player cells. */
const namesOf = (row: Row) => (row.has('player') || row.has('type') ? row.values('player') : row.values('name'))

/** A cell without the numbers that a site gives namesakes: `Frank Thomas (2)`. */
const withoutNamesake = (text: string) => text.replace(namesake, '')
const namesake = /(?<=\p{L}{2}\.?) ?\(\d{1,2}\)(?= *(?:$|[/&|;,]))/gu

const onceEach = (entries: Entry[]) =>
  entries.length < 2
    ? entries
    : entries.filter((entry, at) => entries.findIndex((other) => Bun.deepEquals(other, entry)) === at)

/** A player and a team in the same position are a player-team. If one of the two is missing, the other is alone. */
const pairEntries = (row: Row): Entry[] => {
  const players = namesOf(row)
  const teams = row.values('team')
  const playerIds = row.values('player_id')
  const teamIds = row.values('team_id')
  const count = Math.max(players.length, teams.length)
  const entries = Array.from({ length: count }, (_, at): Entry => {
    const given = oneSpace(players[at])
    const { name: player, life } = withoutLife(given && !row.has('type') ? withoutNamesake(given) : given)
    const playerId = readRecordId(playerIds[at] ?? null)
    const teamId = readRecordId(teamIds[at] ?? null)
    return {
      player: player ? splitFullName(player) : null,
      team: oneSpace(teams[at]),
      ...(playerId ? { playerId } : {}),
      ...(teamId ? { teamId } : {}),
      ...(life ? { disambiguation: life } : {}),
    }
  })
  return entries.filter(({ player, team }) => player || team)
}

/** A player's name in our own form that is taken as it is, but may contain more than a name: `A / B`, `Al Martin RC`, `???`. */
const oddNames = (row: Row, { genre }: SetItem): Pick<Read, 'odd' | 'named'> => {
  const players = row.values('player')
  const odd = players.find((name) => name && mayHoldMore(withoutCode(withoutNamesake(name)))) ?? null
  if (odd === null || cellOf(row, 'id') || row.has('type')) return { odd: cellOf(row, 'id') ? null : odd }
  if (row.has('player_id') || row.has('team_id') || players.includes(null)) return { odd }
  const names = players.flatMap((name) => oneSpace(name) ?? [])
  const teams = row.values('team').flatMap((team) => oneSpace(team) ?? [])
  return { odd, named: { players: names, teams, title: cellOf(row, 'title'), genre, says: saysOf(row), isOwn: true } }
}

const withoutCode = (name: string) => {
  const [, before, remark] = bracketed.exec(name) ?? []
  return before && remark && codeInBrackets(remark) ? before : name
}

const oneSpace = (text: string | null | undefined) => text?.replace(/\s+/g, ' ') ?? null

const saysOf = (row: Row) => ({ title: row.has('title'), teams: row.has('team') })

const wildEntries = (row: Row, set: SetItem): Read => {
  const written = namesOf(row).flatMap((name) => withoutNamesake(oneSpace(name) ?? '') || [])
  const teams = row.values('team').flatMap((team) => oneSpace(team) ?? [])
  const lives = new Map<string, string>()
  const names = written.map((name) =>
    name.replace(lifeIn, (_, life: string, before: string) => {
      lives.set(before.trim(), life)
      return ''
    }),
  )
  const cells = names.map((name) => readPlayerCell(name, set.genre))
  const text = cells.map((cell) => cell.text).join(' / ')
  // A title that repeats the name says nothing more.
  const title = [cellOf(row, 'title')].find((title) => alikeKey(title ?? '') !== alikeKey(text)) ?? null
  const named = { named: { players: written, teams, title, genre: set.genre, says: saysOf(row) } }
  // In a player's column, the text before parentheses is the player: `Ann Lee (Image Variation)`.
  const isKnown = (name: string) => text.endsWith(')') && text.startsWith(`${name} (`)
  const context = { genre: set.genre, setName: set.name, isCode: isCommonCode, isKnown }
  if (text === '') {
    const alone = teams.flatMap((team) => teamsOf(team, 0, isListed)).map(teamAlone)
    return { entries: alone, title, codes: [], rule: null, ...named }
  }
  const read = besideTitle(readCardText(text, context), text, title)
  const labels = cells.flatMap(({ label }) => label ?? []).join(', ') || null
  const remark = bracketed.exec(text)?.[2] ?? ''
  const isOdd =
    cells.some((cell) => cell.isUnsure) ||
    (teams.length > 0 && isTeamOrNickname(remark)) ||
    read.rule === 'undecided' ||
    ((read.rule === 'player' || read.rule === 'phrase') && mayHoldMore(text))
  const entries = read.entries.map((entry) => {
    const life = entry.player && lives.get(personName(entry.player))
    return life ? { ...entry, disambiguation: life } : entry
  })
  return {
    ...{
      entries: addTeams(entries, teams, isListed),
      title: bothTitles(labels, read.title),
      rule: read.rule,
      ...named,
    },
    codes: [...cells.flatMap((cell) => cell.codes), ...read.attributes],
    serialNumber: cells.find((cell) => cell.serialNumber)?.serialNumber ?? null,
    position: cells.flatMap(({ position }, at) => (position ? `${names[at]}` : [])).join(' / ') || null,
    maybePosition: names.filter((name) => isCodeOrPosition(name, set.genre)).join(' / ') || null,
    odd: isOdd ? names.join(' / ') : null,
  }
}

/**
 * What a player's cell says beside a title: people, and maybe a remark, which stands behind the title. A text that isn't like a name is still
 * a player's, because the title has a cell of its own.
 */
const besideTitle = (read: CardText, text: string, title: string | null): CardText => {
  if (title === null) return read
  const { entries, rule } = read
  const isOneName = entries.length === 0 && (rule === 'phrase' || rule === 'undecided') && partsOf(text).length < 2
  return isOneName
    ? { ...read, entries: [{ player: splitFullName(text), team: null }], title, rule: 'undecided' }
    : { ...read, title: bothTitles(title, read.title) }
}

/** Years of a life behind a name: `Fred Lee (b. 1968)`, `Fred Lee (1929-2023)`, `Fred Lee (1929-)`. */
const life = '(?:b\\.|born) ?\\d{4}|\\d{4} ?- ?(?:\\d{4})?'
const lifeIn = new RegExp(` ?\\((${life})\\)(?<=([^()/&|;,]{1,255}) ?\\([^()]+\\))`, 'gi')
const lifeBehind = new RegExp(`^(.+?) ?\\((${life})\\)$`, 'i')

/** A name without the years behind it. */
const withoutLife = (text: string | null) => {
  const [, name = text, life] = lifeBehind.exec(text ?? '') ?? []
  return { name, life }
}

const teamAlone = (team: string): Entry => ({ player: null, team })

/**
 * Gives players the teams of cells. If there are as many teams as players, each player gets one. A single team is everyone's. Otherwise,
 * teams are their own entries.
 */
export const addTeams = (entries: Entry[], cells: string[], isKnownTeam: (team: string) => boolean): Entry[] => {
  const players = entries.filter(({ player }) => player).length
  const teams = cells.length === 1 ? cells.flatMap((cell) => teamsOf(cell, players, isKnownTeam)) : cells
  const open = entries.filter(({ player, team }) => player && !team).length
  const fits = open > 0 && open === entries.length && (teams.length === 1 || teams.length === open)
  if (fits) return entries.map((entry, at) => ({ ...entry, team: teams[teams.length === 1 ? 0 : at] ?? null }))
  const present = new Set(entries.map(({ team }) => team))
  return [...entries, ...teams.filter((team) => !present.has(team)).map(teamAlone)]
}
