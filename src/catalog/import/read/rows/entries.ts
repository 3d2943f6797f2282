import { splitFullName } from '../../../model/person-name.ts'
import { readRecordId } from '../identity.ts'
import type { Entry, NameRule, SetItem } from '../item.ts'
import { isCommonCode } from '../names/attribute-names.ts'
import { partsOf, readCardText } from '../names/card-text.ts'
import { mayHoldMore, readPlayerCell } from './player-cell.ts'
import { cellOf, type Row } from './row.ts'

/** Who is on the card according to its row, its title, and codes found in names. */
type Read = { entries: Entry[]; title: string | null; codes: string[]; rule: NameRule | null } & InNames
/** What else was found in names: a serial number, and names that could be read in another way. */
type InNames = { serialNumber?: string | null; odd?: string | null }

/**
 * Reads the columns of players, teams and title: word for word in our own form, by the rules for names in others'. What a row
 * names twice is on its card once.
 */
export const readEntries = (row: Row, wild: boolean, set: SetItem): Read => {
  const read = wild ? wildEntries(row, set) : ownEntries(row)
  return { ...read, entries: onceEach(read.entries) }
}

const ownEntries = (row: Row): Read => ({
  entries: pairEntries(row),
  title: cellOf(row, 'title'),
  codes: [],
  rule: null,
})

const onceEach = (entries: Entry[]) =>
  entries.length < 2
    ? entries
    : entries.filter((entry, at) => entries.findIndex((other) => Bun.deepEquals(other, entry)) === at)

/** A player and a team in the same position are a player-team. If one of the two is missing, the other is alone. */
const pairEntries = (row: Row): Entry[] => {
  const players = row.has('player') || row.has('type') ? row.values('player') : row.values('name')
  const teams = row.values('team')
  const playerIds = row.values('player_id')
  const teamIds = row.values('team_id')
  const count = Math.max(players.length, teams.length)
  const entries = Array.from({ length: count }, (_, at): Entry => {
    const player = oneSpace(players[at])
    const playerId = readRecordId(playerIds[at] ?? null)
    const teamId = readRecordId(teamIds[at] ?? null)
    return {
      player: player ? splitFullName(player) : null,
      team: oneSpace(teams[at]),
      ...(playerId ? { playerId } : {}),
      ...(teamId ? { teamId } : {}),
    }
  })
  return entries.filter(({ player, team }) => player || team)
}

/** A player's name in our own form that is taken as it is, but may contain more than a name: `A / B`, `Al Martin RC`, `???`. */
export const oddName = (row: Row): string | null =>
  row.values('player').find((name) => name && mayHoldMore(name)) ?? null

const oneSpace = (text: string | null | undefined) => text?.replace(/\s+/g, ' ') ?? null

const wildEntries = (row: Row, set: SetItem): Read => {
  const names = (row.has('player') ? row.values('player') : row.values('name')).filter((name) => name !== null)
  const cells = names.map((name) => readPlayerCell(oneSpace(name) ?? '', set.genre))
  const text = cells.map((cell) => cell.text).join(' / ')
  const teams = row.values('team').flatMap((team) => (team ? partsOf(oneSpace(team) ?? '') : []))
  // In a player's column, the text before parentheses is the player: `Ann Lee (Image Variation)`.
  const isKnown = (name: string) => text.endsWith(')') && text.startsWith(`${name} (`)
  const context = { genre: set.genre, setName: set.name, isCode: isCommonCode, isKnown }
  if (text === '') return { entries: teams.map(teamAlone), title: null, codes: [], rule: null }
  const read = readCardText(text, context)
  const isOdd =
    cells.some((cell) => cell.isUnsure) || ((read.rule === 'player' || read.rule === 'phrase') && mayHoldMore(text))
  return {
    ...{ entries: withTeams(read.entries, teams), title: read.title, rule: read.rule },
    codes: [...cells.flatMap((cell) => cell.codes), ...read.attributes],
    serialNumber: cells.find((cell) => cell.serialNumber)?.serialNumber ?? null,
    odd: isOdd ? names.join(' / ') : null,
  }
}

const teamAlone = (team: string): Entry => ({ player: null, team })

/** If there are as many teams as players, each player gets one. A single team is everyone's. Otherwise, teams are their own entries. */
const withTeams = (entries: Entry[], teams: string[]): Entry[] => {
  const open = entries.filter(({ player, team }) => player && !team).length
  const fits = open > 0 && open === entries.length && (teams.length === 1 || teams.length === open)
  if (fits) return entries.map((entry, at) => ({ ...entry, team: teams[teams.length === 1 ? 0 : at] ?? null }))
  const present = new Set(entries.map(({ team }) => team))
  return [...entries, ...teams.filter((team) => !present.has(team)).map(teamAlone)]
}
