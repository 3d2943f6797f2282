import { holdsControl } from '../../../jsonapi/text-faults.ts'
import { personName } from '../../model/person-name.ts'
import type { CardItem, SetItem } from './item.ts'

/** The longest texts that the catalog keeps, in characters (decisions.md §3), and the most entries on a card. */
const longestName = 255
const longestTitle = 500
const longestNotes = 10_000
const mostEntries = 100

/**
 * Why a card cannot be stored, as a sentence's part; null where it can. The name of a player who has an id says nothing of
 * where the first name ends.
 */
export const cardFault = (card: Omit<CardItem, 'kind' | 'occurrence'>): string | null =>
  lineFault('number', card.number, longestName) ??
  lineFault('title', card.title, longestTitle) ??
  lineFault('serial number', card.serialNumber, longestName) ??
  textFault('notes', card.notes, longestNotes) ??
  (card.entries.length > mostEntries ? `${card.entries.length} entries on a card; ${mostEntries} is the most` : null) ??
  firstFault(card.attributes.map((code) => lineFault('attribute', code, longestName))) ??
  firstFault(
    card.entries.map(
      ({ player, playerId, team }) => (playerId ? null : playerFault(player)) ?? lineFault('team', team, longestName),
    ),
  ) ??
  firstFault((card.identifiers ?? []).map(({ source, value }) => lineFault(`id:${source}`, value, longestName)))

const playerFault = (player: CardItem['entries'][number]['player']) =>
  player &&
  (lineFault('first name', player.firstName, longestName) ??
    lineFault('last name', player.lastName, longestName) ??
    (player.firstName.length + player.lastName.length < longestTitle
      ? null
      : lineFault('player', personName(player), longestTitle)))

/** Why a set cannot be stored; null where it can. */
export const setFault = (set: Omit<SetItem, 'kind'>): string | null =>
  (set.name === '' ? 'a set without a name' : null) ??
  lineFault('set', set.name, longestName) ??
  lineFault('genre', set.genre, longestName) ??
  lineFault('year', set.year, longestName) ??
  lineFault('manufacturer', set.manufacturer, longestName) ??
  lineFault('brand', set.brand, longestName) ??
  textFault('description', set.description, longestNotes) ??
  firstFault((set.aliases?.split('\n') ?? []).map((alias) => lineFault('alias', alias, longestName)))

/** Why a text cannot be stored under a name: too long, or with characters that no text of the catalog has. */
export const textFault = (name: string, text: string | null, longest = longestName): string | null => {
  if (text === null) return null
  if (text.length > longest && [...text].length > longest) return `${name} is longer than ${longest} characters`
  if (text.includes('\0')) return `${name} holds a NUL character`
  if (!text.isWellFormed()) return `${name} holds half of a surrogate pair`
  return text.includes('\ufffd') ? `${name} holds bytes that are not UTF-8` : null
}

/** The same of a text of one line, which has no control characters either. */
export const lineFault = (name: string, text: string | null, longest = longestName): string | null => {
  if (text === null || (text.length <= longest && usual.test(text))) return null
  return textFault(name, text, longest) ?? (holdsControl(text) ? `${name} holds a control character` : null)
}

/** Nearly all texts, in which nothing has to be looked for. */
const usual = /^[ -~\u00a0-\u024f]*$/

const firstFault = (faults: (string | null)[]) => faults.find((fault) => fault !== null) ?? null
