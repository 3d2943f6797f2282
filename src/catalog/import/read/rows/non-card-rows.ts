import type { Places } from './place-columns.ts'
import { columnKey } from './row.ts'

/** Whether a row repeats the header, as printed lists do on each page. */
export const isRepeated = (cells: string[], names: string[]) => {
  const filled = filledOf(cells)
  return filled.length > 1 && filled.every(({ cell, at }) => columnKey(cell) === columnKey(names[at] ?? ''))
}

/** The text of a row that isn't a card: the name of a section in its first cell, or a total. Null for any other row. */
export const asideOf = (cells: string[], columns: Places): string | null => {
  const [first, ...others] = filledOf(cells)
  if (!first) return null
  const isTotal = total.test(first.cell) && others.every(({ cell }) => amount.test(cell))
  const isNumber = columns.get('number')?.includes(first.at) && /\d/.test(first.cell)
  const isNamed = onCards.some((column) => columns.get(column)?.includes(first.at))
  const isHeading = others.length === 0 && first.at === 0 && !isNumber && !isNamed && columns.size > 1
  return isTotal || isHeading ? [first, ...others].map(({ cell }) => cell).join(' ') : null
}

/** A row with only one of these may be a card that lost the rest. */
const onCards = ['player', 'name', 'team', 'title'] as const

const filledOf = (cells: string[]) =>
  cells.flatMap((text, at) => (text.trim() === '' ? [] : [{ cell: text.trim(), at }]))

const total = /^(?:grand |sub-?)?totals?(?: (?:number of )?(?:cards?|sets?|count))?(?: ?[:=])? ?[\d.,]*$/i
const amount = /^[$€£]? ?[\d.,]+ ?%?$/
