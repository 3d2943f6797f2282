import { sayNumber, sizes } from '../../../../limits.ts'
import { type Line, longestLine } from './lines.ts'

/** A record of a CSV file, with the line where it begins. If it can't be read, it has a reason and its text instead of cells. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; reason: string; text?: string }

/** After this many characters, an open quote counts as never closed. */
const longestRecord = 1 << 16

/** The delimiter of a header line: whichever of comma, semicolon, tab and | it has most of. */
export const findDelimiter = (header: string) => {
  const bare = header.replace(/"[^"]*"/g, '')
  const counted = [',', ';', '\t', '|'].map((each) => ({ each, count: bare.split(each).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).each
}

/**
 * Reads records according to RFC 4180: a quote in a cell that doesn't begin with one is just a quote. Text behind a closing quote
 * refuses its row (decisions.md §19). If a quote is never closed, only its own line is lost. Blank lines are left out, each after
 * a call of `passOver`. `columns` is the header's number of them.
 */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  delimiter: string,
  passOver: () => void,
  columns = 0,
): AsyncGenerator<CsvRecord> {
  let open: Open | null = null
  let width = columns
  for await (const { number, text } of lines) {
    if (text === null) {
      if (open) yield* giveUp(open, delimiter, width)
      open = null
      yield { line: number, reason: `the line is longer than ${sayNumber(longestLine)} characters` }
      continue
    }
    if (!open && !text.includes('"')) {
      if (text.trim() === '') passOver()
      else {
        const cells = cutCells(text.split(delimiter))
        width = cells.length
        yield { line: number, cells }
      }
      continue
    }
    open ??= { line: number, texts: [], length: 0 }
    open.texts.push(text)
    open.length += text.length + 1
    if (open.texts.length === 1 || text.includes('"')) {
      const record = splitRecord(open.texts.join('\n'), delimiter)
      if (record && 'cells' in record) width = record.cells.length
      if (record && ('cells' in record || open.texts.length === 1))
        yield 'cells' in record
          ? { line: open.line, cells: cutCells(record.cells) }
          : { line: open.line, text: cutText(text, delimiter), ...record }
      else if (record) yield* giveUp(open, delimiter, width, record.reason)
      if (record) open = null
    }
    if (open && open.length > longestRecord) {
      const kept: Open = open
      open = null
      yield* giveUp(kept, delimiter, width)
    }
  }
  if (open) yield* giveUp(open, delimiter, width)
}

/**
 * The cells of a row, those that are too long to be read cut a little behind their limit and marked with `…`. They're copied then,
 * because a part of a text keeps the whole of it in memory.
 */
const cutCells = (cells: string[]): string[] => {
  const most = sizes.importCell.most + 1
  if (!cells.some(({ length }) => length > most)) return cells
  return cells.map((cell) => copied(cell.length > most ? `${cell.slice(0, most)}…` : cell))
}

const copied = (text: string) => Buffer.from(text, 'utf16le').toString('utf16le')

const cutText = (text: string, delimiter: string) =>
  text.length > sizes.importCell.most ? cutCells(text.split(delimiter)).join(delimiter) : text

/** A record whose quote goes on over lines. */
type Open = { line: number; texts: string[]; length: number }

/**
 * Gives up on the first line because of its quotes. The lines after it are read on their own, and refused, too, unless they're as
 * wide as the row before (`width`): they may be the rest of a cell.
 */
function* giveUp(
  { line, texts }: Open,
  delimiter: string,
  width: number,
  reason = 'a quote is never closed',
): Generator<CsvRecord> {
  let at = 0
  while (at < texts.length) {
    let count = 1
    let record = at === 0 ? null : splitRecord(texts[at] ?? '', delimiter)
    while (!record && at > 0 && at + count < texts.length && count < 100) {
      count += 1
      record = splitRecord(texts.slice(at, at + count).join('\n'), delimiter)
    }
    const isRow = record && 'cells' in record && (width === 0 || record.cells.length >= width)
    if (record && 'cells' in record && isRow) yield { line: line + at, cells: cutCells(record.cells) }
    else if (texts[at]?.trim() !== '') yield { line: line + at, reason, text: cutText(texts[at] ?? '', delimiter) }
    at += isRow ? count : 1
  }
}

/** The cells of a record, why its quotes don't fit CSV, or null if one is still open at its end. */
export const splitRecord = (text: string, delimiter: string): { cells: string[] } | { reason: string } | null => {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    let isQuoted = false
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1)
      if (!quoted || 'reason' in quoted) return quoted
      cell = quoted.text
      at = quoted.end
      isQuoted = true
    }
    const end = text.indexOf(delimiter, at)
    const rest = text.slice(at, end < 0 ? undefined : end)
    if (isQuoted && rest.trim() !== '') return { reason: 'there is text behind a closing quote' }
    cells.push(cell + rest)
    if (end < 0) return { cells }
    at = end + 1
  }
}

/** A quoted text and where it ends. A quote behind a backslash ends nothing in CSV, but was meant to be one of the text. */
const readQuoted = (text: string, start: number): { text: string; end: number } | { reason: string } | null => {
  let end = text.indexOf('"', start)
  for (; end >= 0; end = text.indexOf('"', end + 2)) {
    if (text[end - 1] === '\\' && end > start) return { reason: 'there is a backslash before a quote' }
    if (text[end + 1] !== '"') break
  }
  if (end < 0) return null
  const written = text.slice(start, end)
  // Nothing looks inside a cell that is too long either way.
  const isTooLong = written.length > 2 * sizes.importCell.most
  return { text: isTooLong ? written : written.replaceAll('""', '"'), end: end + 1 }
}
