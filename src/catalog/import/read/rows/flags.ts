import { codeCalled } from '../names/attribute-names.ts'
import { readSerialCell } from './serial-cell.ts'
import { isNothing, readPrintRun, type Texts } from './values.ts'

/** The codes in a cell, and the print run among them: `/25`. */
type Flags = { codes: string[]; serialNumber: string | null }

/**
 * Reads the codes of cells as people write them: `RC, AU`, `RC/AU`, `RC AU`, `Rookie`, `SN99`. A print run that differs from the row's
 * own stays among the codes, where somebody sees it.
 */
export const readFlags = (cells: string[], own: string | null): Flags => {
  const flags = cells.flatMap((cell) => cell.split(/[,;|]/)).flatMap((part) => flagsIn(part.trim()))
  const runs = flags.flatMap(({ run }) => run ?? [])
  const serialNumber = own ?? runs[0] ?? null
  const codes = flags.flatMap(({ code, run }) => (run === serialNumber ? [] : code))
  return { codes: [...new Set(codes)], serialNumber }
}

type Flag = { code: string; run?: string }

const flagsIn = (text: string): Flag[] => {
  if (text === '' || isNothing(text)) return []
  const [, before = '', run] = withRun.exec(text) ?? []
  if (run && flagOf(text) === null && flagOf(before) !== null) return [...flagsIn(before), ...flagsIn(run)]
  return flagOf(text) ?? severalIn(text, / +/) ?? severalIn(text, / ?[/&+] ?/) ?? [{ code: text }]
}

/** `RC/99`, `RC #/99` */
const withRun = /^(.*\p{L}) ?(#?\/ ?\d[\d,]*)$/u

/** A text that is one code or one print run. */
const flagOf = (text: string): Flag[] | null => {
  const run = printRun.test(text) ? readPrintRun(text) : null
  const code = codeCalled(text)
  return run ? [{ code: text, run }] : code ? [{ code }] : null
}

/** A bare number is none, since it may be a grade or a price. */
const printRun = /^(?:SN ?\/?|#?\/|#['\u2019]?d|numbered|\d+ ?\/|1 of 1$|one of one$)/i

/** Several in a text, if all of them are known. */
const severalIn = (text: string, between: RegExp): Flag[] | null => {
  const parts = text.split(between)
  if (parts.length < 2) return null
  const flags = parts.map((part) => flagOf(part) ?? (between.source === ' +' ? severalIn(part, / ?[/&+] ?/) : null))
  return flags.every((some) => some !== null) ? flags.flat() : null
}

/** The print run in a row's columns of print runs and copies. */
export const ownRun = (cellOf: (column: 'print_run' | 'serial') => string | null | undefined): string | null =>
  readSerialCell(cellOf('print_run') ?? null).run ?? readSerialCell(cellOf('serial') ?? null).run

/** A table's cells with their codes apart, and a print run among them in its own column. */
export const withFlags = (cells: Texts): Texts => {
  const text = cells.get('attributes')
  if (text === undefined) return cells
  const own = cells.get('serial_number') ?? ownRun((column) => cells.get(column))
  const { codes, serialNumber } = readFlags([text], own)
  const taken = new Map(cells).set('attributes', codes.join('|'))
  return serialNumber !== null && own === null ? taken.set('print_run', serialNumber) : taken
}
