import { columnKey } from './row.ts'

/** What a cell with a copy's serial number says: its print run, and all of it if that is more than the card says. */
export type SerialCell = { run: string | null; copy: string | null; unread: string | null }

/**
 * Reads a cleaned cell of print runs or of copies: `12/99` is a copy of the print run `/99`. A text that isn't a print run, such as the number
 * of a certificate, is unread.
 */
export const readSerialCell = (text: string | null): SerialCell => {
  const [, own, run = null] = copyOfRun.exec(text ?? '') ?? []
  return { run, copy: own && run !== '/1' ? text : null, unread: text !== null && run === null ? text : null }
}

const copyOfRun = /^(\d+)?(\/\d+)$/

/** Whether a text says by itself that it is a print run. A number alone may be anything: a copy, a certificate, a count of rows. */
export const saysPrintRun = (text: string) => /\/|\bof\b|\bto\b|^SN ?\d{1,6}$|^#['’]?d|made|copies|produced/i.test(text)

/** The headings of print runs that may as well count the rows. */
export const isOfSequence = (heading: string) => heading.length < 50 && /^(?:seq|sequence)$/.test(columnKey(heading))

/** Whether the cells of a column count its rows: 1, 2, 3. */
export const countsRows = (cells: string[]): boolean => {
  const numbers = cells.map((cell) => (/^\d{1,9}(?:\.0)?$/.test(cell.trim()) ? Number(cell) : Number.NaN))
  const least = numbers[0] === 1 ? 2 : 3
  return numbers.length >= least && numbers.every((number, at) => number === (numbers[0] ?? 0) + at)
}
