import { unguarded } from '../../../../lib/guarded.ts'
import { plainName } from '../../../../lib/plain-text.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import type { ImportItem } from '../item.ts'
import { fault, note, type Place, type Run } from '../run.ts'
import { type CsvRecord, readCsv } from '../source/csv.ts'
import { type Line, readLines } from '../source/lines.ts'
import { chain, take } from '../source/take.ts'
import { valuelessFormula } from '../source/workbook/cell.ts'
import { withFlags } from './flags.ts'
import { findHeader, type Header, headerMost, isTooWide, nextHeader } from './header.ts'
import { asideOf, isRepeated } from './non-card-rows.ts'
import type { Places } from './place-columns.ts'
import { cellText, isList, isWild, type Row, type RowFile, sourcesOf, spellingOf } from './row.ts'
import { beginRows } from './rows.ts'
import { type Clean, cleanerOf, numberFault, type Spoiled, type Texts, tooLongCell } from './values.ts'

/** Reads a CSV file with a header row, in parts. If no header is understood, the whole file is one fault. */
export async function* readTable(
  run: Run,
  file: RowFile & { isSheet?: boolean },
  text: AsyncIterable<string>,
): AsyncGenerator<Iterable<ImportItem>> {
  const begun = await take(readLines(text), headerMost, ({ text }) => text?.length ?? 0)
  const { first, failure } = begun
  const filled = first.find((line) => line.text?.trim() !== '')
  const place = { file: file.name, line: filled?.number ?? 1 }
  const found = findHeader(first, run.find)
  if (file.isSheet && filled?.text && found?.wrong && found.header.columns.size < 2 && !isTooWide(found.header))
    return yield [note({ ...place, line: 0 }, 'skipped-file', 'no table')]
  run.hasChecklist = true
  if (!found) return yield [fault(place, 'the file is empty')]
  const { header, end, wrong, isNameless } = found
  for (const text of header.unread) yield [note({ ...place, line: header.line }, 'unread-column', text)]
  if (wrong && failure) throw failure.error
  const hint = isNameless ? ` (${run.mapWith} names others)` : ''
  if (wrong) return yield [fault({ ...place, line: header.line }, wrong + hint)]
  const behind = first.filter(({ number }) => number > end)
  yield* readRows(run, file, header, chain({ ...begun, first: behind }))
}

/** How many cards of parallels, and characters of their rows, are held back, so that the cards they are based on come first. */
const heldMost = 1000
const heldCharacters = 4_000_000
const nothingHeld = () => ({ items: [] as ImportItem[], characters: 0 })
/** How many rows show what good values of a table look like, and how many characters of them are looked at. */
const sampleMost = 500
const sampleCharacters = 500_000

async function* readRows(
  run: Run,
  file: RowFile,
  header: Header,
  lines: AsyncIterable<Line>,
): AsyncGenerator<Iterable<ImportItem>> {
  const { delimiter, names } = header
  const records = readCsv(lines, delimiter, run.passOver, names.length)
  const begun = await take(records, sampleMost, charactersOf)
  const sample = begun.first
  const isExport = header.columns.has('type')
  let table = beginTable(run, file, header, sample)
  let held = nothingHeld()
  for await (const record of chain(begun)) {
    const place = { file: file.name, line: record.line }
    if ('reason' in record) {
      yield table.refuse(place, (record.text ?? '').split(delimiter).slice(0, table.names.length), record.reason, false)
      continue
    }
    const cells = record.cells.map(unguarded)
    const wrong = cellFault(cells, table.columns)
    if (wrong) {
      yield table.refuse(place, cells, wrong)
      continue
    }
    if (!cells.some(isFilled) || (!isExport && isRepeated(cells, table.names))) {
      run.passOver()
      continue
    }
    const next = isExport ? null : nextHeader(record.line, cells, delimiter, run.find, header)
    const aside = isExport || next ? null : asideOf(cells, table.columns)
    if (next) table = beginTable(run, file, next, sample, table.rows)
    else if (aside !== null) yield [note(place, 'no-card', aside.slice(0, 100))]
    else yield table.columns.has('parallel') ? holdingBack(table.read(place, cells), held) : table.read(place, cells)
    if (held.items.length < heldMost && held.characters < heldCharacters) continue
    yield held.items
    held = nothingHeld()
  }
  yield held.items
}

const charactersOf = (record: CsvRecord) =>
  'cells' in record ? charactersIn(record.cells) : (record.text?.length ?? 0)
const charactersIn = (cells: string[]) => cells.reduce((sum, { length }) => sum + length, 0)

/** Why a row is refused before anything looks inside its cells. Those that no column reads may be of any length. */
const cellFault = (cells: string[], columns: Places): string | null => {
  for (const [column, places] of columns)
    for (const at of places) {
      if ((cells[at]?.length ?? 0) > sizes.importCell.most) return tooLongCell(column)
      if (cells[at] === valuelessFormula)
        return `${column} is a formula without a stored value: open the workbook in a spreadsheet program and save it`
    }
  return cells.length > sizes.importColumns.most && cells.slice(sizes.importColumns.most).some(isFilled)
    ? `the row has ${sayNumber(cells.length)} cells; the limit is ${sayNumber(sizes.importColumns.most)}`
    : null
}

const isFilled = (cell: string) => cell.trim() !== ''

/** A table under its header; `sample` are rows of the file that show what good values look like. */
const beginTable = (run: Run, file: RowFile, header: Header, sample: CsvRecord[], begun?: Rows) => {
  const { names, columns } = header
  const isExport = columns.has('type')
  const clean = isExport ? asTheyAre : flagsApart(cleanerOf(textsOfSample(columns, sample)))
  const rows = begun ?? beginRows(run, file, isWild(names))
  const nameless = new Set(names.flatMap((name, at) => (isFilled(name) ? [] : [at])))

  /** Notes columns without a heading, each once. */
  function* noteNameless(place: Place, cells: string[]): Generator<ImportItem> {
    for (const at of nameless) {
      const text = cells[at]?.trim()
      if (text && nameless.delete(at))
        yield note(place, 'unread-column', `column ${at + 1}, which has no heading (${text.slice(0, 60)})`)
    }
  }

  /** The items of a row. Cards and refused rows have what the file says, for whoever mends it. */
  function* read(place: Place, cells: string[]): Generator<ImportItem> {
    yield* noteNameless(place, cells)
    const texts = textsOf(columns, cells)
    const isTooLong = cells.slice(names.length).some(isFilled)
    const cleaned = isTooLong ? { wrong: `${cells.length} cells under ${names.length} columns` } : clean(texts)
    const items =
      'wrong' in cleaned
        ? [fault(place, cleaned.wrong)]
        : rows.read(rowOf(place.line, cleaned, header, isExport ? '' : writtenIn(texts, cleaned)))
    for (const item of items) {
      if (item.kind === 'fault') item.number ??= isTooLong ? null : numberIn(texts)
      if (!isExport && (item.kind === 'fault' || item.kind === 'card'))
        item.cells = Object.fromEntries(names.map((name, at) => [name, cells[at] ?? '']))
      if (item.kind === 'card') item.characters = charactersIn(cells)
      yield item
    }
  }

  /** Refuses a row that isn't read, with its cells for whoever mends it, and its number unless that may be another cell. */
  const refuse = (place: Place, cells: string[], reason: string, hasNumber = true): ImportItem[] => {
    const own = isExport ? {} : { cells: Object.fromEntries(names.map((name, at) => [name, cells[at] ?? ''])) }
    const [at] = columns.get('number') ?? []
    const number = at === undefined || !hasNumber ? '' : (cells[at] ?? '').slice(0, 256).trim()
    return [{ ...fault(place, reason), number: numberIn(new Map([['number', number]])), ...own }]
  }

  return { names, columns, rows, read, refuse }
}
type Rows = ReturnType<typeof beginRows>

/** A row's texts by column. Parts of a column are joined with a space. */
const textsOf = (columns: Places, cells: string[]): Texts => {
  const texts: Texts = new Map()
  for (const [column, places] of columns) {
    const text = places.length === 1 ? cells[places[0] ?? 0] : places.map((at) => cells[at] ?? '').join(' ')
    if (text?.trim()) texts.set(column, text.trim())
  }
  return texts
}

/** The texts of the rows that show what good values look like. Very long ones say little more, and would hold everybody up. */
const textsOfSample = (columns: Places, sample: CsvRecord[]): Texts[] => {
  let characters = 0
  return sample.flatMap((record) => {
    if (!('cells' in record) || characters > sampleCharacters || cellFault(record.cells, columns)) return []
    characters += charactersOf(record)
    return [textsOf(columns, record.cells)]
  })
}

/** A row's card number, if it is a valid one. */
const numberIn = (texts: Texts): string | null => {
  const text = plainName(texts.get('number') ?? '').replace(/^#\s*/, '')
  if (texts.get('number') === valuelessFormula) return null
  return text === '' || text.length > 255 || numberFault(text) ? null : text
}

function* holdingBack(items: Iterable<ImportItem>, held: ReturnType<typeof nothingHeld>): Generator<ImportItem> {
  for (const item of items)
    if (item.kind === 'card' && item.parent && 'setKey' in item.parent) {
      held.items.push(item)
      held.characters += item.characters ?? 0
    } else yield item
}

const writtenIn = (texts: Texts, { cells }: Clean) => spellingOf(texts, (column) => cells.get(column) ?? '')

const flagsApart = (clean: (texts: Texts) => Clean | Spoiled) => (texts: Texts) => {
  const cleaned = clean(texts)
  return 'wrong' in cleaned ? cleaned : { ...cleaned, cells: withFlags(cleaned.cells) }
}

/** An export's cells aren't cleaned, because nobody typed them. */
const asTheyAre = (texts: Texts): Clean | Spoiled => ({ cells: texts, mended: [] })

const rowOf = (line: number, { cells, mended }: Clean, { columns, names }: Header, spelling: string): Row => ({
  line,
  spelling,
  mended,
  sources: sourcesOf(columns.keys()),
  has: (column) => columns.has(column),
  heading: (column) => names[columns.get(column)?.[0] ?? -1]?.trim() ?? column,
  values: (column) => {
    const cell = cellText(column, cells.get(column) ?? '').trim()
    if (cell === '') return []
    return isList(column) ? cell.split('|').map((piece) => piece.trim() || null) : [cell]
  },
})
