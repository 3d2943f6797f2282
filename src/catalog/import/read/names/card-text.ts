import { type PersonName, splitFullName } from '../../../model/person-name.ts'
import type { Entry, NameRule } from '../item.ts'
import { alikeKey } from './alike.ts'
import { isPerson, isTeam, leadingTeam, nameSuffix, showsNoPeople } from './people.ts'

/** What a card name in a release says: who is on the card, its title, and its codes. */
export type CardText = { entries: Entry[]; title: string | null; attributes: string[]; rule: NameRule }

/**
 * The context for reading a name: the release's genre, the name of the card's set, whether a word is a code, and whether a name
 * is the full name of another card in the release.
 */
export type NameContext = {
  genre: string | null
  setName: string
  isCode: (word: string) => boolean
  isKnown: (name: string) => boolean
}

/**
 * Reads a card's name as checklists write it. Nothing is lost: anything that isn't an entry becomes the title, word for word,
 * and `undecided` marks names that may contain people. The first matching rule in `rules` decides.
 */
export const readCardText = (name: string, context: NameContext): CardText => {
  const key = `${context.genre}:${name}`
  const known = plainPlayers.get(key)
  if (known && !showsNoPeople(context.setName))
    return { entries: [{ player: known, team: null }], title: null, rule: 'player', attributes: [] }
  const read = readByRules(name, context)
  if (read.rule === 'player' && read.attributes.length === 0 && isPlain(name)) {
    if (plainPlayers.size >= plainPlayersAtMost) plainPlayers.clear()
    plainPlayers.set(key, splitFullName(name))
  }
  return read
}

/**
 * A cache of names that were read as a player. It's valid for all releases of a genre, because the reading of such a name
 * depends only on the genre and the set's name. Most releases have the same players.
 */
const plainPlayers = new Map<string, PersonName>()
const plainPlayersAtMost = 50_000
const isPlain = (name: string) => /^\p{L}[\p{L}.'-]*(?: \p{L}[\p{L}.'-]*)+$/u.test(name) && !/ [A-Z]{2,}$/.test(name)

const readByRules = (name: string, context: NameContext): CardText => {
  const { text, code } = withoutCode(tidyName(name), context)
  for (const rule of rules) {
    const found = rule(text, context)
    if (found) return { ...found, attributes: code ? [code] : [] }
  }
  return { ...titled('undecided', text), attributes: code ? [code] : [] }
}

type Reading = Omit<CardText, 'attributes'>
type Rule = (text: string, context: NameContext) => Reading | null

/** A name with single spaces between words, none at either end, straight apostrophes, and no comma before Jr. or Sr. */
export const tidyName = (name: string) => (isTidy(name) ? name : tidied(name))

/** Nearly all names are tidy already: ASCII words without a comma. */
const isTidy = (name: string) => /^[!-+\--~]+(?: [!-+\--~]+)*$/.test(name)

const tidied = (name: string) =>
  name
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/(?<=\p{L})’(?=\p{L})/gu, "'")
    .replace(suffixComma, '')

const suffixComma = new RegExp(`,(?= ${nameSuffix}(?:$|[\\s/)]))`, 'g')

/** `Al Martin RC` is Al Martin with the code RC, if RC is a known code and the rest is a person, a team or a checklist. */
const withoutCode = (text: string, context: NameContext): { text: string; code?: string } => {
  const [, rest, code] = /^(.+) ([A-Z][A-Z/&]+)$/.exec(text) ?? []
  if (!rest || !code || /^[IVX]+$/.test(code) || !context.isCode(code)) return { text }
  return isChecklist(rest) || entriesOf(rest, context.genre) ? { text: rest, code } : { text }
}

const isChecklist = (text: string) => /\bcheck ?lists?\b|\b(?:Chec|Checkl|Checklis)$/i.test(text)

const titled = (rule: NameRule, title: string, entries: Entry[] = []): Reading => ({ entries, title, rule })
const playerEntry = (name: string, team: string | null = null): Entry => ({ player: splitFullName(name), team })
const teamEntry = (team: string): Entry => ({ player: null, team })

/** Splits `A / B`, and also `A/B` if both sides are words. */
export const partsOf = (text: string) =>
  (text.includes(' / ') || text.includes('/ ')
    ? text.split(/ ?\/ /)
    : /[\p{L}.')]\/[\p{L}'"]/u.test(text)
      ? text.split('/')
      : [text]
  )
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** Two titles of a card in one. A second that the first has is not repeated. */
export const bothTitles = (title: string | null, other: string | null): string | null =>
  title !== null && other !== null && !alikeKey(title).includes(alikeKey(other))
    ? `${title}, ${other}`
    : (title ?? other)

const entryOf = (part: string, genre: string | null) =>
  isTeam(part, genre) ? teamEntry(part) : isPerson(part, genre) ? playerEntry(part) : null

const entriesOf = (text: string, genre: string | null): Entry[] | null => {
  const entries = partsOf(text).map((part) => entryOf(part, genre))
  return entries.every((entry) => entry !== null) ? entries : null
}

const noPeople: Rule = (text, { genre, setName }) =>
  showsNoPeople(setName) && !isTeam(text, genre) ? titled('set-without-people', text) : null

/** `Checklist: 27-130 / Robin Yount`, `Checklist (Rod Carew)`, `Checklist 1 of 6 (Atlanta Braves / …)`. Otherwise, all of it is a title. */
const checklist: Rule = (text, { genre }) => {
  if (!isChecklist(text)) return null
  const [, label, names] = /^([^(]+) \((.+)\)$/.exec(text) ?? /^(checklist:? [\d-]+) \/ (.+)$/i.exec(text) ?? []
  const entries = label && names ? entriesOf(names, genre) : null
  return entries && label ? titled('checklist', label, entries) : titled('checklist', text)
}

/** `Barry Bonds HR #12`, `Babe Ruth 1952 Topps`, `Warren Spahn Puzzle`, `Nolan Ryan: A Final Tribute`. */
const playerAndTitle: Rule = (text, { genre, isKnown }) => {
  const [, name, title] = /^(.+?) (HR #\d+|Game \d+ .+|\d{4} Topps|Puzzle)$/.exec(text) ?? []
  if (name && title && isPerson(name, genre)) return titled('player-and-title', title, [playerEntry(name)])
  const [, before, after] = /^([^:(]+?)(?::|, (?=President$)) ?([^(]+)$/.exec(text) ?? []
  if (!before || !after || !isPerson(before, genre)) return null
  const label = partsOf(after).every((part) => isKnown(part) || isTeam(part, genre))
  const sure = (isKnown(before) && !label) || after === 'President'
  return sure ? titled('player-and-title', after, [playerEntry(before)]) : null
}

/** `Living Legends: Carl Yastrzemski / Johnny Bench`, `AL: Texas Rangers / Boston Red Sox`. */
const labelled: Rule = (text, { genre, isKnown }) => {
  const [, label, names] = /^([^:(]+): (.+)$/.exec(text) ?? []
  const entries = label && names ? entriesOf(names, genre) : null
  const parts = partsOf(names ?? '')
  const sure = entries && (parts.length > 1 || parts.every((part) => isTeam(part, genre) || isKnown(part)))
  return sure && label
    ? titled(entries.some((entry) => entry.player) ? 'title-and-players' : 'team-and-title', label, entries)
    : null
}

/** `X (Y)`: Y is X's team, the people on a card titled X, or the title of a card of X. */
const parenthesis: Rule = (text, context) => {
  const { genre } = context
  const [, before, inside] = /^(.+?) ?\(([^()]+)\)$/.exec(text) ?? []
  if (!before || !inside) return null
  if (partsOf(inside).every((part) => isTeam(part, genre))) return ofTeams(before, partsOf(inside), genre)
  const entries = entriesOf(inside, genre)
  const person = isPerson(before, genre) && (context.isKnown(before) || /^(?:[\d\p{Ll}].*|[\p{L}.]+)$/u.test(inside))
  if (entries && !(person && context.isKnown(before) && !partsOf(inside).every(context.isKnown)))
    return titled('title-and-players', before, entries)
  if (person) return titled('player-and-title', inside, [playerEntry(before)])
  const teamed = leadingTeam(before, genre)
  return teamed
    ? titled('team-and-title', `${teamed.rest} (${inside})`, [teamEntry(teamed.team)])
    : titled('undecided', text)
}

/** A single team is everyone's. If there are as many teams as people, each person has their own. */
const ofTeams = (before: string, teams: string[], genre: string | null): Reading => {
  const parts = partsOf(before)
  const each = teams.length === 1 ? parts.map(() => teams[0]) : teams
  return parts.length === each.length && parts.every((part) => isPerson(part, genre))
    ? { entries: parts.map((part, at) => playerEntry(part, each[at])), title: null, rule: 'player-team' }
    : titled('team-and-title', before, teams.map(teamEntry))
}

/** `A / B`: players, teams, or both. If a part is neither, the whole text is a title. */
const several: Rule = (text, { genre }) => {
  const parts = partsOf(text)
  if (parts.length < 2) return null
  const entries = parts.map((part) => entryOf(part, genre))
  const sure = entries.filter((entry) => entry !== null)
  const players = sure.filter((entry) => entry.player).length
  if (sure.length < parts.length) return titled(players ? 'undecided' : 'phrase', text)
  return {
    entries: sure,
    title: null,
    rule: players === sure.length ? 'players' : players ? 'team-and-players' : 'team',
  }
}

/** `Atlanta Braves`, `2004 Anaheim Angels`, `Atlanta Braves Logo`, `Texas Rangers vs. Boston Red Sox`. */
const team: Rule = (text, { genre }) => {
  if (isTeam(text, genre)) return { entries: [teamEntry(text)], title: null, rule: 'team' }
  const [, year, named] = /^(\d{4}) (.+)$/.exec(text) ?? []
  if (year && named && isTeam(named, genre)) return titled('team-and-title', year, [teamEntry(named)])
  const leading = leadingTeam(text, genre)
  if (!leading) return null
  const [, other] = /^vs\.? (.+)$/.exec(leading.rest) ?? []
  if (!other) return titled('team-and-title', leading.rest.replace(/^[-:]+ ?/, ''), [teamEntry(leading.team)])
  return titled('team-and-title', text, [leading.team, other].filter((each) => isTeam(each, genre)).map(teamEntry))
}

const ofPlayer = (text: string): Reading => ({ entries: [playerEntry(text)], title: null, rule: 'player' })
const player: Rule = (text, { genre }) => (isPerson(text, genre) ? ofPlayer(text) : null)

/** Anything longer than a word that isn't a person is a phrase. A single word could be either. */
const phrase: Rule = (text) => (/\s/.test(text) || /\d/.test(text) ? titled('phrase', text) : null)

const rules: Rule[] = [noPeople, checklist, playerAndTitle, labelled, parenthesis, several, team, player, phrase]
