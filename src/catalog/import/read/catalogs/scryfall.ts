import type { Members } from '../rows/row.ts'

/** A card in Scryfall's bulk files, with the members we read. */
export type ScryfallCard = Record<string, unknown> & { set_name: string }

/** Whether an object is a card of a Scryfall bulk file. */
export const isScryfallCard = (json: object): json is ScryfallCard =>
  'object' in json && json.object === 'card' && 'set_name' in json && 'collector_number' in json

/**
 * The row of a Scryfall card, with the same id. A set released over several years becomes one set per year, because the cards
 * don't have any other year for it.
 */
export const scryfallRow = (card: ScryfallCard): Members => ({
  genre: 'Magic: The Gathering',
  year: typeof card.released_at === 'string' ? card.released_at.slice(0, 4) : null,
  set: card.set_name,
  kind: 'base',
  id: card.id,
  number: card.collector_number,
  ...(typeof card.released_at === 'string' ? { release_date: card.released_at } : {}),
  title: titleOf(card),
  attributes: [...rarityOf(card.rarity), ...new Set(typeLines(card).flatMap(subtypesOf)), ...languageOf(card.lang)],
})

/** `Ice Bear (氷熊)`: the name, and the one that is printed on a card in another language, so that both are found. */
const titleOf = ({ name, printed_name: printed }: ScryfallCard) =>
  typeof printed === 'string' && printed !== '' && printed !== name ? `${name} (${printed})` : name

/** A language other than the catalog's, which is English, is a code. */
const languageOf = (lang: unknown) => (typeof lang === 'string' && lang !== '' && lang !== 'en' ? [lang] : [])

/** `mythic` is the code Mythic. */
const rarityOf = (rarity: unknown) =>
  typeof rarity === 'string' && rarity !== '' ? [rarity.charAt(0).toUpperCase() + rarity.slice(1)] : []

/** Some two-faced cards have types only on their faces. */
const typeLines = ({ type_line: line, card_faces: faces }: ScryfallCard): string[] => {
  if (typeof line === 'string') return line.split('//')
  return Array.isArray(faces)
    ? faces.flatMap((face) => (typeof face?.type_line === 'string' ? [face.type_line] : []))
    : []
}

/** `Legendary Creature — Human Wizard` has two subtypes. A plane has one, and Time Lord is the only other one with two words. */
const subtypesOf = (line: string) => {
  const [types = '', subtypes = ''] = line.split(' — ')
  return /\bPlane\b/.test(types) ? subtypes.trim() || [] : (subtypes.match(/Time Lord|\S+/g) ?? [])
}
