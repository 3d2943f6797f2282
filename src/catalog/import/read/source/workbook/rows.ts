import { turnsFor } from '../../../../../lib/turn.ts'
import { longestLine } from '../lines.ts'
import { BadWorkbook } from './bad-workbook.ts'
import { type Book, type Cell, textOf } from './cell.ts'
import { createText } from './texts.ts'
import { attributesOf, createXml, type Token } from './xml.ts'

/** A row of a sheet that has something in it, numbered from 1. */
export type Row = { number: number; cells: string[] }

/**
 * Reads the rows of a sheet, one at a time. The cells of a row that is longer than a line may be are left out behind that.
 * Throws BadWorkbook.
 */
export async function* readRows(pieces: AsyncIterable<string>, book: Book): AsyncGenerator<Row> {
  const xml = createXml()
  const sheet = beginSheet(book)
  const giveTurn = turnsFor()
  for await (const piece of pieces) {
    xml.write(piece)
    for (let token = xml.next(); token; token = xml.next()) {
      if (token.kind === 'close' && token.text === 'sheetData') return
      const row = sheet.take(token)
      if (!row) continue
      yield row
      await giveTurn()
    }
  }
  throw new BadWorkbook()
}

const beginSheet = (book: Book) => {
  const inline = createText()
  let row = beginRow(0)
  let before = 0
  let cell: Cell | undefined
  let isValue = false

  const endRow = (): Row | undefined => {
    const number = row.number || before + 1
    if (!Number.isInteger(number) || number <= before) throw new BadWorkbook('its rows are not in order')
    if (number > mostCells) throw tooLarge()
    before = number
    return row.cells.length > 0 ? { number, cells: row.cells } : undefined
  }

  const beginCell = (attributes: string): Cell => {
    const { r, t = 'n', s } = attributesOf(attributes)
    const { column, line } = r === undefined ? { column: row.column + 1, line: row.number } : placeOf(r)
    if (column <= row.column) throw new BadWorkbook('its cells are not in order')
    if (column > lastColumn) throw tooLarge()
    row.column = column
    row.number ||= line
    return { place: r ?? '', type: t, style: s, value: '', inline: '' }
  }

  const endCell = (ended: Cell) => {
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
      row = beginRow(Number(attributesOf(attributes).r ?? 0))
    } else if (text === 'c') {
      if (cell) endCell(cell)
      cell = kind === 'open' ? beginCell(attributes) : undefined
    } else if (text === 'v') isValue = kind === 'open'
    else if (cell) inline.take(kind, text)
    return undefined
  }

  return { take }
}

/** A row being read. `number` is 0 until it's known, and `length` is that of its texts. */
const beginRow = (number: number) => ({ number, cells: [] as string[], column: 0, length: 0 })

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

/** The last column that has a name: ZZZ. */
const lastColumn = 18_278

const tooLarge = () => new BadWorkbook(`a sheet spans more than ${mostCells.toLocaleString('en-US')} cells`)

/** How far a sheet goes, and whether anything in it is more than signs. */
export type Span = { lines: number; columns: number; isFilled: boolean }

/** Reads all of a sheet to see how far it goes. Throws BadWorkbook if that's too far, or if anything in the sheet can't be read. */
export const measure = async (rows: AsyncIterable<Row>): Promise<Span> => {
  const span: Span = { lines: 0, columns: 0, isFilled: false }
  for await (const { number, cells } of rows) {
    span.lines = number
    span.columns = Math.max(span.columns, cells.length)
    span.isFilled ||= cells.some((cell) => /[^",\s]/.test(cell))
    if (span.lines * span.columns > mostCells) throw tooLarge()
  }
  return span
}
