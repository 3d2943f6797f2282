import { turnsFor } from '../../../../../lib/yield-to-event-loop.ts'
import { longestLine } from '../lines.ts'
import { BadWorkbook } from './bad-workbook.ts'
import { type Book, type Cell, textOf } from './cell.ts'
import { createLayout, createMerging, type Layout, lastColumn } from './layout.ts'
import { createText } from './texts.ts'
import { attributesOf, createXml, type Token } from './xml.ts'

/** A row of a sheet that has something in it, numbered from 1. */
export type Row = { number: number; cells: string[]; isHidden: boolean }

/**
 * Reads the rows of a sheet, one at a time, and adds to its layout what stands around them: merged cells come behind the rows.
 * The cells of a row that is longer than a line may be are left out behind that. Throws BadWorkbook.
 */
export async function* readRows(pieces: AsyncIterable<string>, book: Book, layout: Layout): AsyncGenerator<Row> {
  const xml = createXml()
  const sheet = beginSheet(book)
  const giveTurn = turnsFor()
  let isOver = false
  for await (const piece of pieces) {
    xml.write(piece)
    for (let token = xml.next(); token; token = xml.next()) {
      if (token.kind === 'close' && token.text === 'sheetData') isOver = true
      if (token.kind === 'open' && token.text === 'col') layout.addColumns(token.attributes)
      if (token.kind === 'open' && token.text === 'mergeCell') layout.addMerge(token.attributes)
      const row = isOver ? undefined : sheet.take(token)
      if (!row) continue
      yield row
      await giveTurn()
    }
  }
  if (!isOver) throw new BadWorkbook()
}

/**
 * The rows of a sheet as a person sees them, once its layout is known: with what merged cells hold, and without hidden rows and
 * columns.
 */
export async function* readShown(
  pieces: AsyncIterable<string>,
  book: Book,
  layout: Layout,
  { columns }: Span,
): AsyncGenerator<Row> {
  let merged = 0
  const merge = createMerging(layout, columns, (cells) => {
    merged += cells
    if (merged > mostCells) throw tooLarge()
  })
  for await (const row of readRows(pieces, book, createLayout(true))) {
    merge(row.number, row.cells)
    if (layout.hidesRow(row.isHidden)) continue
    layout.hideCells(row.cells)
    yield row
  }
}

const beginSheet = (book: Book) => {
  const inline = createText()
  let row = beginRow(0)
  let before = 0
  let cell: Cell | undefined
  let [isValue, hasValue] = [false, false]

  const endRow = (): Row | undefined => {
    const number = row.number || before + 1
    if (!Number.isInteger(number) || number <= before) throw new BadWorkbook('its rows are not in order')
    if (number > mostCells) throw tooLarge()
    before = number
    return row.cells.length > 0 ? { number, cells: row.cells, isHidden: row.isHidden } : undefined
  }

  const beginCell = (attributes: string): Cell => {
    const { r, t = 'n', s } = attributesOf(attributes)
    const { column, line } = r === undefined ? { column: row.column + 1, line: row.number } : placeOf(r)
    if (column <= row.column) throw new BadWorkbook('its cells are not in order')
    if (column > lastColumn) throw tooLarge()
    row.column = column
    row.number ||= line
    hasValue = false
    return { place: r ?? '', type: t, style: s, value: '', inline: '', isValueless: false }
  }

  const endCell = (ended: Cell) => {
    if (ended.isValueless) ended.isValueless = ended.value === '' && !(hasValue && ended.type === 'str')
    const text = row.length > longestLine ? '' : textOf({ ...ended, inline: inline.end() }, book)
    if (text === '') return
    while (row.cells.length < row.column - 1) row.cells.push('')
    row.cells.push(text)
    row.length += text.length
  }

  /** The row that ends with a token, if it has anything in it. */
  const take = ({ kind, text, attributes }: Token): Row | undefined => {
    if (kind === 'text') {
      if (cell && isValue && cell.value.length <= longestLine) cell.value += text
      else if (cell) inline.take(kind, text)
    } else if (text === 'row') {
      if (kind === 'close') return endRow()
      const { r = 0, hidden } = attributesOf(attributes)
      row = beginRow(Number(r), hidden === '1' || hidden === 'true')
    } else if (text === 'c') {
      if (cell) endCell(cell)
      cell = kind === 'open' ? beginCell(attributes) : undefined
    } else if (text === 'v') {
      isValue = kind === 'open'
      hasValue = true
    } else if (text === 'f' && cell) cell.isValueless = true
    else if (cell) inline.take(kind, text)
    return undefined
  }

  return { take }
}

/** A row being read. `number` is 0 until it's known, and `length` is that of its texts. */
const beginRow = (number: number, isHidden = false) => ({
  ...{ number, isHidden, column: 0, length: 0 },
  cells: [] as string[],
})

/** `B7` is column 2 in line 7. */
const placeOf = (place: string) => {
  let [column, letters] = [0, 0]
  for (; column <= lastColumn; letters++) {
    const letter = place.charCodeAt(letters) - 64
    if (!(letter >= 1 && letter <= 26)) break
    column = 26 * column + letter
  }
  const line = Number(place.slice(letters))
  if (letters === 0 || !(line >= 1 && line <= mostCells)) throw tooLarge()
  return { column, line }
}

/** The most cells from the first to the last one of a sheet, empty ones included, because a table has all of them. */
const mostCells = 20_000_000

const tooLarge = () => new BadWorkbook(`a sheet spans more than ${mostCells.toLocaleString('en-US')} cells`)

/** How far a sheet goes, and whether anything in it is more than signs. */
export type Span = { lines: number; columns: number; isFilled: boolean }

/**
 * Reads all of a sheet to see how far it goes, and notes what of it is hidden. Throws BadWorkbook if that's too far, or if
 * anything in the sheet can't be read.
 */
export const measure = async (rows: AsyncIterable<Row>, layout: Layout): Promise<Span> => {
  const span: Span = { lines: 0, columns: 0, isFilled: false }
  for await (const { number, cells, isHidden } of rows) {
    if (layout.hidesRow(isHidden)) {
      layout.addRow(number)
      continue
    }
    layout.hideCells(cells)
    span.lines = number
    span.columns = Math.max(span.columns, cells.length)
    span.isFilled ||= cells.some((cell) => /[^",\s]/.test(cell))
    if (span.lines * span.columns > mostCells) throw tooLarge()
  }
  return span
}
