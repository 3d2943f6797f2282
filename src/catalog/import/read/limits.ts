import { personName } from '../../person-name.ts'
import type { CardItem, SetItem } from './item.ts'

/** The longest texts that the catalog keeps, in characters (decisions.md §3), and the most entries on a card. */
const NAME = 255
const TITLE = 500
const NOTES = 10_000
const ENTRIES = 100

/**
 * Why a card cannot be stored, as a sentence's part; null where it can. The name of a player who has an id says nothing of
 * where the first name ends.
 */
export const cardFault = (card: Omit<CardItem, 'kind' | 'occurrence'>): string | null =>
  textFault('number', card.number, NAME) ??
  textFault('title', card.title, TITLE) ??
  textFault('serial number', card.serialNumber, NAME) ??
  textFault('notes', card.notes, NOTES) ??
  (card.entries.length > ENTRIES ? `${card.entries.length} entries on a card; ${ENTRIES} is the most` : null) ??
  firstFault(card.attributes.map((code) => textFault('attribute', code, NAME))) ??
  firstFault(
    card.entries.map(
      ({ player, playerId, team }) => (playerId ? null : playerFault(player)) ?? textFault('team', team, NAME),
    ),
  )

const playerFault = (player: CardItem['entries'][number]['player']) =>
  player &&
  (textFault('first name', player.firstName, NAME) ??
    textFault('last name', player.lastName, NAME) ??
    textFault('player', personName(player), TITLE))

/** Why a set cannot be stored; null where it can. */
export const setFault = (set: Omit<SetItem, 'kind'>): string | null =>
  (set.name === '' ? 'a set without a name' : null) ??
  textFault('set', set.name, NAME) ??
  textFault('genre', set.genre, NAME) ??
  textFault('year', set.year, NAME) ??
  textFault('manufacturer', set.manufacturer, NAME) ??
  textFault('brand', set.brand, NAME) ??
  textFault('description', set.description, NOTES)

/** Why a text cannot be stored under a name: too long, or with characters that no text of the catalog has. */
export const textFault = (name: string, text: string | null, longest = NAME): string | null => {
  if (text === null) return null
  if (text.length > longest && [...text].length > longest) return `${name} is longer than ${longest} characters`
  if (text.includes('\0')) return `${name} holds a NUL character`
  if (!text.isWellFormed()) return `${name} holds half of a surrogate pair`
  return text.includes('\ufffd') ? `${name} holds bytes that are not UTF-8` : null
}

const firstFault = (faults: (string | null)[]) => faults.find((fault) => fault !== null) ?? null
