import type { ParallelCell } from './row.ts'
import { readPrintRun } from './values.ts'

/** Reads a parallel's cell: `Gold /50`, `Gold (#/50)`, `Black 1/1`. A number that says nothing else stays, as in `Gold (50)`. */
export const readParallelCell = (cell: string): ParallelCell => {
  const [end = '', inBrackets, bare] = runAtEnd.exec(cell.slice(-longestRun)) ?? []
  const name = cell.slice(0, cell.length - end.length)
  const serialNumber = /\p{L}/u.test(name) ? readPrintRun(inBrackets ?? bare ?? '') : null
  return serialNumber
    ? { name, serialNumber, isUnsure: false }
    : { name: cell, serialNumber: null, isUnsure: numberAtEnd.test(cell.slice(-longestRun)) && /\p{L}/u.test(cell) }
}

/** A print run has at most so many characters, with what stands before it. A longer text isn't searched. */
const longestRun = 40

const run =
  "#?\\/ ?\\d[\\d,]*|#['\u2019]?d(?: to)? ?\\/? ?\\d[\\d,]*|(?:\\d{1,6}|x{1,6}) ?\\/ ?\\d[\\d,]*|1 of 1|one of one|SN ?\\d+|(?:serial[- ])?numbered to \\d+"
const runAtEnd = new RegExp(`(?:[,:]| [-\u2013\u2014])? ?(?:[([](${run})[)\\]]|(?<= )(${run}))$`, 'iu')
const numberAtEnd = / (?:[([]#?\d[\d,]*[)\]]|#\d+)$/u
