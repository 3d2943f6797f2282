import { isTeam, isTeamOfPlayer } from '../names/people.ts'
import type { Column } from './row.ts'

/** Names without the marks of their owners, and without those that lead to footnotes. */
export const withoutMarks = (text: string) => text.replace(/ ?[\u2122\u00ae\u2120]| ?[*\u2020\u2021]+$/g, '')

/** `Soto, Juan` is Juan Soto; `Griffey Jr., Ken`, `Griffey, Jr., Ken` and `Griffey, Ken, Jr.` are Ken Griffey Jr. */
export const turned = (name: string) => {
  const parts = name.split(', ')
  const apart = parts.slice(1).find((part) => suffix.test(part))
  if (apart && parts.length === 3) return [...parts.filter((part) => part !== apart).reverse(), apart].join(' ')
  const [, last, first] =
    /^(\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*){0,2}), (\p{L}[\p{L}'’.-]*(?: \p{L}[\p{L}'’.-]*)?)$/u.exec(name) ?? []
  if (!last || !first || suffix.test(first) || isTeam(first, null)) return name
  const [, given, own] = new RegExp(`^(.+) (${suffix.source.slice(1, -1)})$`, 'i').exec(first) ?? []
  return given ? `${given} ${last} ${own}` : `${first} ${last}`
}
const suffix = /^(?:[JS]r\.?|II|III|IV|V)$/i

/**
 * In a player's column `Juan Soto (New York Yankees)`, `Juan Soto, New York Yankees` and `Juan Soto - New York Yankees` are a player
 * with a team. A team's city may have a column of its own.
 */
export const withTeams = (cells: Map<Column, string>) => {
  const city = cells.get('team_city')
  const team = cells.get('team')
  if (city && team && !team.includes('|') && !team.startsWith(city)) cells.set('team', `${city} ${team}`)
  const [players, teams] = [(cells.get('player') ?? '').split('|'), (cells.get('team') ?? '').split('|')]
  if (!players.some((player) => withTeam.test(player.trim()))) return cells
  for (const [at, player] of players.entries()) {
    const [, name, inBrackets, behind] = withTeam.exec(player.trim()) ?? []
    const team = inBrackets ?? behind
    const isKnown = inBrackets ? isTeamOfPlayer(inBrackets) : isTeam(behind ?? '', null)
    if (!name || !team || !isKnown || ![team, ''].includes(teams[at]?.trim() ?? '')) continue
    players[at] = name
    teams[at] = team
  }
  return new Map([...cells, ['player', players.join('|')] as const, ['team', teams.join('|')] as const])
}

const withTeam = /^(.+?)(?: ?\(([^()]+)\)|(?:,| [-\u2013\u2014]) ([^(),]+))$/
