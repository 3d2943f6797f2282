import { foldText } from '../../../../lib/fold-text.ts'
import placeList from '../../../../vocabulary/places.csv' with { type: 'text' }
import { rowsOf, semicolonParts } from '../../../../vocabulary/rows.ts'
import list from '../../../../vocabulary/teams.csv' with { type: 'text' }
import { readGenre } from './genres.ts'

type Listed = { genre: string; team: string; since: number; until: number }

const placeShorts = new Map(rowsOf(placeList).map(([place = '', short]) => [place, semicolonParts(short)]))

/** A team's nicknames behind its place, in full or short: Chi White Sox, Arizona D-backs. Codes such as CWS are no nicknames. */
const behindPlace = (team: string, short: string[]): string[] => {
  const place = short.map((text) => team.slice(0, text.length)).find((text) => short.includes(text.toLowerCase()))
  if (!place || team[place.length] !== ' ') return []
  const places = [place, ...(placeShorts.get(place) ?? [])].map(foldText)
  const isNickname = (text: string) => text.length > 3 && !places.some((each) => foldText(text).startsWith(each))
  const nicknames = new Set([team.slice(place.length + 1), ...short.filter(isNickname)].map(foldText))
  const all = places.flatMap((each) => [...nicknames].map((nickname) => `${each} ${nickname}`))
  return all.filter((text) => text !== foldText(team))
}

const shorts = new Map<string, Listed[]>()
const placed = new Set<string>()
const names = new Map<string, Set<string>>()
for (const [sport = '', team = '', short, since, until] of rowsOf(list)) {
  const genre = sport.toLowerCase()
  const listed = { genre, team, since: Number(since), until: Number(until) || Number.POSITIVE_INFINITY }
  names.getOrInsertComputed(genre, () => new Set()).add(team)
  const own = semicolonParts(short)
  const full = behindPlace(team, own)
  for (const text of full) placed.add(text)
  for (const text of new Set([...own.map(foldText), ...full])) shorts.getOrInsertComputed(text, () => []).push(listed)
}

/** Whether a text is a team's nickname behind its place, either of them short, which says enough without a sport: Chi White Sox. */
export const isWithPlace = (text: string): boolean => placed.has(foldText(text))

/** The full names of teams by sport, in small letters. */
export const teamNames: ReadonlyMap<string, ReadonlySet<string>> = names

/** Whether a text is no team's name but a short form of some, of any sport or of one: SEA, Mariners, Seattle. */
export const isShortTeam = (text: string, genre: string | null = null): boolean => calledIn(text, genre).length > 0

const calledIn = (text: string, genre: string | null) =>
  (shorts.get(foldText(text)) ?? []).filter((one) => genre === null || one.genre === genre.toLowerCase())

/**
 * The teams that a short form means in a sport and a year: those of the sport that had that name then. Without a sport, those of all
 * sports. Without a year, those of today, or former ones if there are no others and a sport is known or all are of one.
 */
export const teamsCalled = (text: string, genre: string | null, year: number | null): string[] => {
  const called = calledIn(text, genre)
  const isOfOne = new Set(called.map((one) => one.genre)).size < 2
  const today = called.filter(({ until }) => until === Number.POSITIVE_INFINITY)
  const then = year === null ? (isOfOne && today.length > 0 ? today : called) : called.filter(isIn(year))
  return [...new Set(then.map(({ team }) => team))]
}

/** Whether a text is the name of a sport's team without its place: Hurricanes, in hockey. */
export const isNicknameIn = (text: string, genre: string | undefined): boolean =>
  genre !== undefined && calledIn(text, readGenre(genre)).some(({ team }) => team.endsWith(` ${text}`))

/** Which of two texts says best which team both may mean: the one that fewer teams are called. Null if they are of two teams. */
export const bestOfTeam = (one: string, other: string): string | null => {
  const [these, those] = [one, other].map((text) => [
    ...new Set([
      ...[...names.values()].flatMap((some) => (some.has(text) ? text : [])),
      ...calledIn(text, null).map(({ team }) => team),
    ]),
  ])
  if (one.toLowerCase() === other.toLowerCase()) return one
  if (!these?.some((team) => those?.includes(team))) return null
  return these.length < (those?.length ?? 0) ? one : other
}

/** The sports of the teams that a text names, in full or short, in small letters. */
export const sportsOfTeam = (text: string): string[] => [
  ...[...names].flatMap(([genre, some]) => (some.has(text) ? genre : [])),
  ...calledIn(text, null).map(({ genre }) => genre),
]

const isIn =
  (year: number) =>
  ({ since, until }: Listed) =>
    since <= year && year <= until

/** What a team's column says of a card that shows no one team. */
export const isNoTeam = (text: string): boolean => noTeam.test(text)

const noTeam =
  /^(?:(?:free|undrafted free) agents?|fa|various(?: teams?)?|multi(?:ple)?(?:[ -]?teams?)?|no teams?|unknown(?: team)?|tb[ad])$/i
