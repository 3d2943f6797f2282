import { compareBytes } from '../../lib/text-order.ts'

/**
 * A card's display name (decisions.md §4): the number, the names on the card joined by ` / `, the title, attribute codes in code order,
 * and the serial number. Single spaces join them, and empty parts are skipped. The view `card_names` does the same in SQL.
 */
export const cardName = (parts: {
  number: string | null
  entryNames: string[]
  title: string | null
  codes: string[]
  serialNumber: string | null
}) =>
  [
    parts.number,
    parts.entryNames.join(' / '),
    parts.title,
    (parts.codes.length < 2 ? parts.codes : parts.codes.toSorted(compareBytes)).join(' '),
    parts.serialNumber,
  ]
    .filter(Boolean)
    .join(' ')
