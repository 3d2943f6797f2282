import { columnKey } from './row.ts'

/** What a cell with a copy's serial number says: its print run, and all of it if that is more than the card says. */
export type SerialCell = { run: string | null; copy: string | null; unread: string | null }

/**
 * Reads a cleaned cell of print runs or of copies: `12/99` is a copy of the print run `/99`. A text that isn't a print run, such as the number
 * of a certificate or 0, is unread. Under a heading that says so (`isNumbered`), a number alone is a print run, but 1 may mean yes.
 */
export const readSerialCell = (given: string | null, isNumbered = false): SerialCell => {
  const text = isNumbered && given && numberAlone.test(given) ? `/${Number(given)}` : given
  const [, own, run = null] = isNoRun(text) ? [] : (copyOfRun.exec(text ?? '') ?? [])
  return { run, copy: own && run !== '/1' ? text : null, unread: text !== null && run === null ? text : null }
}

const numberAlone = /^(?:[2-9]|[1-9]\d{1,4})(?:\.0)?$/

/** Whether a text is a print run of 0, which nothing has. */
export const isNoRun = (text: string | null): boolean => text !== null && /^\/?0+$/.test(text)

/** The headings of copies under which a number alone is a print run. */
export const saysNumbered = (heading: string): boolean =>
  heading.length < 50 && columnKey(heading) === 'serial_numbered'

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
