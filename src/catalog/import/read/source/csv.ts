import type { Line } from './lines.ts'

/** A record of a CSV file, with the line where it begins. If it can't be read, it has a reason instead of cells. */
export type CsvRecord = { line: number; cells: string[] } | { line: number; reason: string }

/** After this many characters, an open quote counts as never closed. */
const longestRecord = 1 << 16

/** The delimiter of a header line: whichever of comma, semicolon, tab and | it has most of. */
export const findDelimiter = (header: string) => {
  const bare = header.replace(/"[^"]*"/g, '')
  const counted = [',', ';', '\t', '|'].map((each) => ({ each, count: bare.split(each).length }))
  return counted.reduce((best, next) => (next.count > best.count ? next : best)).each
}

/**
 * Reads records according to RFC 4180, leniently: a quote in the middle of a bare cell is just a quote, and text after a closing
 * quote belongs to the cell. If a quote is never closed, only its own line is lost. Blank lines are left out, each after a call of `passOver`.
 */
export async function* readCsv(
  lines: AsyncIterable<Line>,
  delimiter: string,
  passOver: () => void,
): AsyncGenerator<CsvRecord> {
  let open: { line: number; texts: string[]; length: number } | null = null
  for await (const { number, text } of lines) {
    if (text === null) {
      if (open) yield* giveUp(open, delimiter)
      open = null
      yield { line: number, reason: 'the line is too long' }
      continue
    }
    if (!open && !text.includes('"')) {
      if (text.trim() === '') passOver()
      else yield { line: number, cells: text.split(delimiter) }
      continue
    }
    open ??= { line: number, texts: [], length: 0 }
    open.texts.push(text)
    open.length += text.length + 1
    if (open.texts.length === 1 || text.includes('"')) {
      const cells = splitRecord(open.texts.join('\n'), delimiter)
      if (cells) {
        yield { line: open.line, cells }
        open = null
      }
    }
    if (open && open.length > longestRecord) {
      const kept: typeof open = open
      open = null
      yield* giveUp(kept, delimiter)
    }
  }
  if (open) yield* giveUp(open, delimiter)
}

/** Gives up on the first line because of its open quote. The lines after it are read on their own where possible. */
function* giveUp({ line, texts }: { line: number; texts: string[] }, delimiter: string): Generator<CsvRecord> {
  let at = 0
  while (at < texts.length) {
    let count = 1
    let cells = splitRecord(texts[at] ?? '', delimiter)
    while (!cells && at > 0 && at + count < texts.length && count < 100) {
      count += 1
      cells = splitRecord(texts.slice(at, at + count).join('\n'), delimiter)
    }
    if (cells && cells.join('') !== '') yield { line: line + at, cells }
    if (!cells) yield { line: line + at, reason: 'a quote is never closed' }
    at += cells ? count : 1
  }
}

/** The cells of a record, or null if a quote is still open at its end. */
export const splitRecord = (text: string, delimiter: string): string[] | null => {
  const cells: string[] = []
  let at = 0
  for (;;) {
    let cell = ''
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1)
      if (!quoted) return null
      cell = quoted.text
      at = quoted.end
    }
    const end = text.indexOf(delimiter, at)
    cells.push(cell + text.slice(at, end < 0 ? undefined : end))
    if (end < 0) return cells
    at = end + 1
  }
}

const readQuoted = (text: string, start: number) => {
  let end = text.indexOf('"', start)
  while (end >= 0 && text[end + 1] === '"') end = text.indexOf('"', end + 2)
  return end < 0 ? null : { text: text.slice(start, end).replaceAll('""', '"'), end: end + 1 }
}
