import { holdsControl } from '../../../jsonapi/text-faults.ts'
import { sizes } from '../../../limits.ts'
import { personName } from '../../model/person-name.ts'
import type { CardItem, SetItem } from './item.ts'

/** The longest texts that the catalog stores, in characters (decisions.md §3), and how much may be on a card. */
const longestName = sizes.text.most
const longestTitle = sizes.title.most
const longestNotes = sizes.longText.most
const mostOnCard = sizes.onCard.most

/**
 * Why a card can't be stored, as part of a sentence, or null if it can. Names of players with an id aren't checked, because they
 * don't show where the first name ends.
 */
export const cardFault = (card: Omit<CardItem, 'kind' | 'occurrence'>): string | null =>
  lineFault('number', card.number, longestName) ??
  lineFault('title', card.title, longestTitle) ??
  lineFault('serial number', card.serialNumber, longestName) ??
  textFault('notes', card.notes, longestNotes) ??
  countFault('entries', card.entries.length) ??
  countFault('attributes', card.attributes.length) ??
  firstFault(card.attributes, (code) => lineFault('attribute', code, longestName)) ??
  firstFault(
    card.entries,
    ({ player, playerId, team }) => (playerId ? null : playerFault(player)) ?? lineFault('team', team, longestName),
  ) ??
  firstFault(card.identifiers, ({ source, value }) => lineFault(`id:${source}`, value, longestName))

const countFault = (name: string, count: number) =>
  count > mostOnCard ? `${count} ${name} on a card; the limit is ${mostOnCard}` : null

const playerFault = (player: CardItem['entries'][number]['player']) =>
  player &&
  (lineFault('first name', player.firstName, longestName) ??
    lineFault('last name', player.lastName, longestName) ??
    (player.firstName.length + player.lastName.length < longestTitle
      ? null
      : lineFault('player', personName(player), longestTitle)))

/** Why a set can't be stored, or null if it can. */
export const setFault = (set: Omit<SetItem, 'kind'>): string | null =>
  (set.name === '' ? 'a set without a name' : null) ??
  lineFault('set', set.name, longestName) ??
  lineFault('genre', set.genre, longestName) ??
  lineFault('year', set.year, longestName) ??
  lineFault('manufacturer', set.manufacturer, longestName) ??
  lineFault('brand', set.brand, longestName) ??
  textFault('description', set.description, longestNotes) ??
  firstFault(set.aliases?.split('\n'), (alias) => lineFault('alias', alias, longestName))

/** Why a text can't be stored: it's too long or has forbidden characters. `name` is what the message calls it. */
export const textFault = (name: string, text: string | null, longest = longestName): string | null => {
  if (text === null) return null
  if (text.length > longest && [...text].length > longest) return `${name} is longer than ${longest} characters`
  if (text.includes('\0')) return `${name} contains a NUL character`
  if (!text.isWellFormed()) return `${name} contains half of a surrogate pair`
  return text.includes('\ufffd') ? `${name} contains bytes that are not UTF-8` : null
}

/** The same for a single-line text, which can't have control characters either. */
export const lineFault = (name: string, text: string | null, longest = longestName): string | null => {
  if (text === null || (text.length <= longest && usual.test(text))) return null
  return textFault(name, text, longest) ?? (holdsControl(text) ? `${name} contains a control character` : null)
}

/** Nearly all texts match this and need no further checks. */
const usual = /^[ -~\u00a0-\u024f]*$/

const firstFault = <T>(items: T[] | undefined, faultOf: (item: T) => string | null): string | null => {
  for (const item of items ?? []) {
    const fault = faultOf(item)
    if (fault !== null) return fault
  }
  return null
}
