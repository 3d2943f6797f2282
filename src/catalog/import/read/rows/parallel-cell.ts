import { readPrintRun } from './values.ts'

/** A parallel's name, and the print run beside it. `isUnsure`: a number may be a print run, so it stays in the name. */
type ParallelCell = { name: string; serialNumber: string | null; isUnsure: boolean }

/** Reads a parallel's cell: `Gold /50`, `Gold (#/50)`, `Black 1/1`. A number that says nothing else stays, as in `Gold (50)`. */
export const readParallelCell = (cell: string): ParallelCell => {
  const [, name = '', inBrackets, bare] = withRun.exec(cell) ?? []
  const serialNumber = readPrintRun(inBrackets ?? bare ?? '')
  return name && serialNumber
    ? { name, serialNumber, isUnsure: false }
    : { name: cell, serialNumber: null, isUnsure: number.test(cell) }
}

const run =
  "#?\\/ ?\\d[\\d,]*|#['\u2019]?d(?: to)? ?\\/? ?\\d[\\d,]*|(?:\\d{1,6}|x{1,6}) ?\\/ ?\\d[\\d,]*|1 of 1|one of one|SN ?\\d+|(?:serial[- ])?numbered to \\d+"
const withRun = new RegExp(`^(.*?\\p{L}.*?)(?:[,:]| [-\u2013\u2014])? ?(?:[([](${run})[)\\]]|(?<= )(${run}))$`, 'iu')
const number = /\p{L}.* (?:[([]#?\d[\d,]*[)\]]|#\d+)$/u
