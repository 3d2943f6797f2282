import { BadWorkbook } from './bad-workbook.ts'
import type { AreDates } from './styles.ts'
import { type Texts, unescapeText } from './texts.ts'

/** What cells refer to: shared texts, styles, and the day from which days are counted. */
export type Book = { texts: Texts; areDates: AreDates; is1904: boolean }

/** A cell as it's written: where, its type and style, its value, and the text that it has of its own. */
export type Cell = { place: string; type: string; style: string | undefined; value: string; inline: string }

/** The text of a cell. Dates become 2024-01-12, and errors such as #REF! stay as shown. Throws BadWorkbook. */
export const textOf = (cell: Cell, book: Book): string => {
  const text = read(cell, book)
  if (text === undefined) throw new BadWorkbook(`cell ${cell.place.slice(0, 20)} cannot be read`)
  return text
}

const read = ({ type, style, value, inline }: Cell, { texts, areDates, is1904 }: Book): string | undefined => {
  if (type === 'inlineStr') return inline
  if (value === '') return ''
  if (type === 's') return texts.get(Number(value))
  if (type === 'str' || type === 'e') return unescapeText(value)
  if (type === 'b') return booleans[value]
  if (type === 'd') return dateOf(Date.parse(value))
  const isDate = style ? areDates(Number(style)) : false
  const number = Number(value)
  if (type !== 'n' || isDate === undefined || Number.isNaN(number)) return undefined
  return isDate
    ? dateOf(Math.floor((number - (is1904 ? daysTo1970From1904 : daysTo1970)) * dayMilliseconds))
    : `${number}`
}

const booleans: Partial<Record<string, string>> = { 0: 'false', 1: 'true' }

/** Day 1 is January 1, 1900. From March 1 on, days are one too high, because 1900 is taken for a leap year. */
const daysTo1970 = 25_569
const daysTo1970From1904 = 24_107

const dayMilliseconds = 24 * 60 * 60 * 1000

/** The largest time that a date can have, in milliseconds before or after 1970. */
const farthest = 8.64e15

const dateOf = (time: number): string | undefined =>
  Math.abs(time) <= farthest ? new Date(time).toISOString().replace(/T00:00:00\.000Z$/, '') : undefined
