import type { ImportItem } from '../item.ts'
import { fault, note, type Run } from '../run.ts'
import { findDelimiter, readCsv } from '../source/csv.ts'
import { type Line, readLines } from '../source/lines.ts'
import { type Column, cellText, findColumn, isWild, LISTS, type Row } from './row.ts'
import { beginRows, type RowFile } from './rows.ts'

/** Reads a CSV file with a header row, in parts. A file without a header that is understood is one fault. */
export async function* readTable(
  run: Run,
  file: RowFile,
  text: AsyncIterable<string>,
): AsyncGenerator<Iterable<ImportItem>> {
  const lines = readLines(text)
  const first = await firstLine(lines)
  const place = { file: file.name, line: first?.number ?? 1 }
  if (!first?.text) return yield [fault(place, first ? 'the first line is too long' : 'the file is empty')]
  const delimiter = findDelimiter(first.text)
  const header = await readHeader(first, delimiter)
  const columns = new Map<Column, number>()
  for (const [at, name] of header.entries()) {
    const column = findColumn(name)
    if (column && !columns.has(column)) columns.set(column, at)
    else if (name.trim() !== '')
      yield [note(place, 'unread-column', `${name.trim().slice(0, 100)}${column ? `: a second ${column}` : ''}`)]
  }
  const wrong = headerFault(columns)
  if (wrong) return yield [fault(place, wrong)]
  const rows = beginRows(run, file, isWild(header))
  for await (const record of readCsv(lines, delimiter)) {
    const at = { file: file.name, line: record.line }
    if ('reason' in record) yield [fault(at, record.reason)]
    else if (record.cells.slice(header.length).some((cell) => cell.trim() !== ''))
      yield [fault(at, `${record.cells.length} cells under ${header.length} columns`)]
    else if (record.cells.some((cell) => cell.trim() !== '')) yield rows.read(rowOf(record.line, record.cells, columns))
  }
}

const firstLine = async (lines: AsyncGenerator<Line>) => {
  for (;;) {
    const next = await lines.next()
    if (next.done) return null
    if (next.value.text?.trim() !== '') return next.value
  }
}

const readHeader = async (first: Line, delimiter: string) => {
  const one = async function* () {
    yield first
  }
  for await (const record of readCsv(one(), delimiter)) if ('cells' in record) return record.cells
  return []
}

const headerFault = (columns: Map<Column, number>) => {
  if (columns.size === 0) return 'the first row is no header that is known'
  const setKnown =
    columns.has('set') || columns.has('set_id') || (columns.has('brand') && columns.has('year')) || columns.has('type')
  return setKnown ? null : 'the header has no column for the set (set, or year and brand)'
}

const rowOf = (line: number, cells: string[], columns: Map<Column, number>): Row => ({
  line,
  has: (column) => columns.has(column),
  values: (column) => {
    const at = columns.get(column)
    const cell = at === undefined ? '' : cellText(column, cells[at] ?? '').trim()
    if (cell === '') return []
    return LISTS.has(column) ? cell.split('|').map((piece) => piece.trim() || null) : [cell]
  },
})
