import { partsOf } from './card-text.ts'
import { isTeamOrNickname } from './people.ts'

/** Stands in names, too. */
const betweenFullNames = / w\/ ?| with | x | ?\u2022 ?|\u30fb/
/** Ways in which cells hold several names, tried in this order. */
const separators = [betweenFullNames, / ?\/ /, / ?[&;+] ?/, /\//, / and /, /, /]

const isFullName = (name: string) => name.includes(' ')
const isAny = (name: string) => name !== ''

/** The ways to part a cell into several names. */
export const waysToPart = (text: string): string[][] =>
  separators.flatMap((separator) => {
    const parts = text.split(separator).map((part) => part.trim())
    const isWay = separator === betweenFullNames ? isFullName : isAny
    return parts.length > 1 && parts.every(isWay) ? [parts] : []
  })

/**
 * The teams in a cell beside some players. Other signs than a slash part it only if each part is a known team, or if there is one for
 * each player.
 */
export const teamsOf = (cell: string, players: number, isKnown: (team: string) => boolean): string[] => {
  if (isKnown(cell)) return [cell]
  const slashed = partsOf(cell.replace(versus, ' / '))
  if (slashed.length > 1) return slashed
  const ways = waysToPart(cell)
  return ways.find((parts) => parts.every(isKnown)) ?? ways.find((parts) => parts.length === players) ?? [cell]
}

const versus = / vs\.? /gi

/** Whether a team is in the built-in list. */
export const isListed = (team: string) => isTeamOrNickname(team) || clubs.has(team)

/** Clubs whose own names have a sign that parts others. */
const clubs = new Set([
  'Brighton & Hove Albion',
  'Dagenham & Redbridge',
  'Hampton & Richmond',
  'Havant & Waterlooville',
  'Rushden & Diamonds',
])
