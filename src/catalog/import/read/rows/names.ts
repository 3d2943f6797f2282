import { isCommonCode } from '../names/attribute-names.ts'
import { partsOf } from '../names/card-text.ts'
import { isTeam, isTeamOrNickname, nameSuffix } from '../names/people.ts'
import { particle, positionBehind } from '../names/positions.ts'
import { bestOfTeam, isNicknameIn } from '../names/teams.ts'
import type { Column } from './row.ts'

/** Names without trademark signs and footnote marks. */
export const withoutMarks = (text: string) => text.replace(/ ?[\u2122\u00ae\u2120]| ?[*\u2020\u2021]+$/g, '')

/** `Soto, Juan` is Juan Soto; `Griffey Jr., Ken`, `Griffey, Jr., Ken` and `Griffey, Ken, Jr.` are Ken Griffey Jr. */
export const turned = (name: string) => {
  const parts = name.split(', ')
  const apart = parts.slice(1).find((part) => suffix.test(part))
  if (apart && parts.length === 3) {
    const [last = '', first = ''] = parts.filter((part) => part !== apart)
    return isWhole(last) && first.includes(' ') ? name : `${first} ${last} ${apart}`
  }
  const [, last, first] =
    /^(\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,2}), (\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*)?)$/u.exec(name) ?? []
  if (!last || !first || suffix.test(first) || isTeam(first, null) || isCommonCode(first) || hasPosition(name))
    return name
  const [, given, own] = withSuffix.exec(first) ?? []
  if (!given && isWhole(last) && first.includes(' ')) return name
  const [, before, code] = /^(.+) ([A-Z/]+)$/.exec(first) ?? []
  if (before && code && isCommonCode(code)) return `${before} ${last} ${code}`
  return given ? `${given} ${last} ${own}` : `${first} ${last}`
}
/** Whether a position stands behind a full name, also before a code: `Mike Trout, OF RC`. */
const hasPosition = (name: string) => positionBehind(name.replace(/ \(?[A-Z/]+\)?$/, '')) ?? positionBehind(name)

/** Whether a text before a comma is a full name and not just a last name: Juan Soto, but not De La Cruz or Griffey Jr. */
const isWhole = (last: string) => {
  const words = last.split(' ')
  return words.length > 1 && !suffix.test(words.at(-1) ?? '') && !particle.test(words[0] ?? '')
}

/** Separates names on lines of their own with bars. A single name that was broken into lines stays as it is. */
export const inLines = (text: string, isName: (line: string, genre: null) => boolean) => {
  if (!lineBreak.test(text)) return text
  const lines = linesOf(text)
  return lines.every((line) => isName(line, null)) ? lines.join('|') : text
}

const lineBreak = /[\r\n\u2028]/
const linesOf = (text: string) =>
  text
    .split(lineBreak)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** As many teams on lines of their own as players are one for each, unless the lines are a team's name together. */
export const pairedLines = (cells: Map<Column, string>) => {
  const [player, team] = [cells.get('player') ?? '', cells.get('team') ?? '']
  if (!lineBreak.test(player) && !lineBreak.test(team)) return cells
  const [players, teams] = [player, team].map((text) => (text.includes('|') ? text.split('|') : linesOf(text)))
  if (!players || !teams || players.length < 2 || players.length !== teams.length) return cells
  if (isTeam(teams.join(' '), null)) return cells
  return new Map([...cells, ['player', players.join('|')] as const, ['team', teams.join('|')] as const])
}

/** The teams that cells of a team column name, in lower case. */
export const teamsIn = (cell: string): string[] =>
  [cell, ...linesOf(cell), ...partsOf(cell), ...cell.split(/ ?[&,;|+] ?/)].map((team) => team.trim().toLowerCase())

const suffix = new RegExp(`^${nameSuffix}$`, 'i')
const withSuffix = new RegExp(`^(.+) (${nameSuffix})$`, 'i')

/**
 * In a player's column, `Juan Soto (New York Yankees)`, `Juan Soto, New York Yankees` and `Juan Soto - New York Yankees` are a
 * player with a team. In brackets, it must be `known` from a team column or everywhere, and mean no other team than the team's cell. A team's city may have its own column.
 */
export const withTeams = (cells: Map<Column, string>, known: ReadonlySet<string>) => {
  const city = cells.get('team_city')
  const team = cells.get('team')
  if (city && team && !team.includes('|') && !team.startsWith(city)) cells.set('team', `${city} ${team}`)
  const [players, teams] = [(cells.get('player') ?? '').split(/\||(?<=\)) ?\/ /), (cells.get('team') ?? '').split('|')]
  if (!players.some((player) => withTeam.test(player.trim()))) return cells
  for (const [at, player] of players.entries()) {
    const [, name, inBrackets, behind] = withTeam.exec(player.trim()) ?? []
    const team = inBrackets ?? behind
    const beside = teams[at]?.trim() ?? ''
    const isKnown = inBrackets
      ? beside !== '' ||
        isTeamOrNickname(inBrackets) ||
        isNicknameIn(inBrackets, cells.get('genre')) ||
        known.has(inBrackets.toLowerCase())
      : isTeam(behind ?? '', null)
    const best = beside === '' ? team : team && bestOfTeam(team, beside)
    if (!name || !isKnown || !best) continue
    players[at] = name
    teams[at] = best
  }
  return new Map([...cells, ['player', players.join('|')] as const, ['team', teams.join('|')] as const])
}

const withTeam = /^(.+?)(?: ?\(([^()]+)\)|(?:,| [-\u2013\u2014]) ([^(),]{1,100}))$/

/** KEN GRIFFEY JR. is Ken Griffey Jr., MCGWIRE is McGwire, O'NEAL is O'Neal; III and initials before a name (JT, AJ) stay. */
export const inNameCase = (text: string) =>
  withCodesBehind(
    text
      .toLowerCase()
      .replace(/(^|[^\p{L}\p{N}’'])(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
      .replace(/\b([OD]['’]|Mc)(\p{L})/gu, (_, before: string, letter: string) => before + letter.toUpperCase())
      .replace(/\b(?:ii|iii|iv|usa)\b/gi, (word) => word.toUpperCase()),
  ).replace(/(^|[|/] ?)(?!(?:Dr|Mr|St) )([B-DF-HJ-NP-TV-XZ][b-df-hj-np-tv-xz]|\p{Lu}j)(?= )/gu, (initials) =>
    initials.toUpperCase(),
  )

/** Capital codes among the last plain words, but not at the beginning of the text. */
const withCodesBehind = (text: string) => {
  const words = text.split(' ')
  const last = words.findLastIndex((word, at) => at === 0 || !plainWord.test(word))
  return words.map((word, at) => (at > last ? word.replace(/[a-z]+/gi, capitalCode) : word)).join(' ')
}

const plainWord = /^\(?[a-z]+\)?$/i
const capitalCode = (word: string) => (isCommonCode(word.toUpperCase()) ? word.toUpperCase() : word)
