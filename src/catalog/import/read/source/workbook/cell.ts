import { BadWorkbook } from './bad-workbook.ts'
import type { Format } from './format.ts'
import type { Styles } from './styles.ts'
import { type Texts, unescapeText } from './texts.ts'

/** What cells refer to: shared texts, styles, and the day from which days are counted. */
export type Book = { texts: Texts; styles: Styles; is1904: boolean }

/**
 * A cell as it's written: where, its type and style, its value, and the text that it has of its own. `isValueless`: it has a
 * formula, and nobody has stored its value.
 */
export type Cell = {
  place: string
  type: string
  style: string | undefined
  value: string
  inline: string
  isValueless: boolean
}

/** What is read in place of a formula's value that isn't stored. A column that is read refuses it. */
export const valuelessFormula = '#FORMULA!'

/**
 * The text of a cell, as its format shows it. Dates become 2024-01-12, and errors such as #REF! stay as shown. Throws
 * BadWorkbook.
 */
export const textOf = (cell: Cell, book: Book): string => {
  const text = read(cell, book)
  if (text === undefined) throw new BadWorkbook(`cell ${cell.place.slice(0, 20)} cannot be read`)
  return text
}

const read = (cell: Cell, { texts, styles, is1904 }: Book): string | undefined => {
  const { type, style, value } = cell
  const format = style ? styles(Number(style)) : plain
  if (cell.isValueless) return valuelessFormula
  if (type === 'inlineStr') return shown(cell.inline, format)
  if (value === '') return ''
  if (type === 's') return shown(texts.get(Number(value)), format)
  if (type === 'str') return shown(unescapeText(value), format)
  if (type === 'e') return unescapeText(value)
  if (type === 'b') return booleans[value]
  if (type === 'd') return dateOf(Date.parse(value))
  const number = Number(value)
  if (type !== 'n' || !format || Number.isNaN(number)) return undefined
  if (format.isDate) return dateOf(Math.floor((number - (is1904 ? daysTo1970From1904 : daysTo1970)) * dayMilliseconds))
  return format.show?.(number) ?? `${Number(number.toPrecision(shownDigits))}`
}

const plain: Format = { isDate: false }

const shown = (text: string | undefined, format: Format | undefined) => (text ? (format?.show?.(text) ?? text) : text)

/** How many digits spreadsheets have: 0.1 + 0.2 is 0.3. */
const shownDigits = 15

const booleans: Partial<Record<string, string>> = { 0: 'false', 1: 'true' }

/** Day 1 is January 1, 1900. From March 1 on, days are one too high, because 1900 is taken for a leap year. */
const daysTo1970 = 25_569
const daysTo1970From1904 = 24_107

const dayMilliseconds = 24 * 60 * 60 * 1000

/** The largest time that a date can have, in milliseconds before or after 1970. */
const farthest = 8.64e15

const dateOf = (time: number): string | undefined =>
  Math.abs(time) <= farthest ? new Date(time).toISOString().replace(/T00:00:00\.000Z$/, '') : undefined
