import type { Members } from '../rows/json-rows.ts'

/** A card as Scryfall's bulk files hold it, as far as it is read. */
type ScryfallCard = Record<string, unknown> & { set_name: string }

/** Whether an object is a card of a Scryfall bulk file. */
export const isScryfallCard = (json: object): json is ScryfallCard =>
  'object' in json && json.object === 'card' && 'set_name' in json && 'collector_number' in json

/**
 * The row of a card of Scryfall's. Its id is the card's. A set that came out over several years is a set for each year, as
 * the cards tell no other year of their set.
 */
export const scryfallRow = (card: ScryfallCard): Members => ({
  genre: 'Magic: The Gathering',
  year: typeof card.released_at === 'string' ? card.released_at.slice(0, 4) : null,
  set: card.set_name,
  kind: 'base',
  id: card.id,
  number: card.collector_number,
  title: card.name,
  attributes: [...rarityOf(card.rarity), ...new Set(typeLines(card).flatMap(subtypesOf))],
})

/** `mythic` is the code Mythic. */
const rarityOf = (rarity: unknown) =>
  typeof rarity === 'string' && rarity !== '' ? [rarity.charAt(0).toUpperCase() + rarity.slice(1)] : []

/** Some cards with two faces have their types on the faces alone. */
const typeLines = ({ type_line: line, card_faces: faces }: ScryfallCard): string[] => {
  if (typeof line === 'string') return line.split('//')
  return Array.isArray(faces)
    ? faces.flatMap((face) => (typeof face?.type_line === 'string' ? [face.type_line] : []))
    : []
}

/** `Legendary Creature — Human Wizard` has two. A plane's is one, and Time Lord the only other one of two words. */
const subtypesOf = (line: string) => {
  const [types = '', subtypes = ''] = line.split(' — ')
  return /\bPlane\b/.test(types) ? subtypes.trim() || [] : (subtypes.match(/Time Lord|\S+/g) ?? [])
}
