import type { AtHand } from '../at-hand.ts'
import { lineInCell } from '../lines.ts'
import { packingOf } from '../packing.ts'
import { DamagedZip, listZip } from '../zip.ts'
import { BadWorkbook } from './bad-workbook.ts'
import type { Book } from './cell.ts'
import { readContents, readRelations } from './contents.ts'
import { createLayout, hiddenIn } from './layout.ts'
import { readPart } from './parts.ts'
import { measure, type Row, readRows, readShown, type Span } from './rows.ts'
import { readStyles } from './styles.ts'
import { noTexts, readTexts } from './texts.ts'

/**
 * A sheet of a workbook as CSV, with a line for each row. `hidden` says what of it isn't read, because it's hidden. Without CSV, all
 * of it is.
 */
export type Sheet = { name: string; csv?: AsyncIterable<Uint8Array>; hidden: string[] }

/** The most bytes of a workbook. */
export const mostBytes = 32 * 1024 * 1024

/** How long reading a workbook for the first time may take. One can be crafted that has billions of tags. */
const longestSeconds = 300

/**
 * The sheets of an .xlsx, without empty ones. A sheet is read twice, row by row: at first to see how wide it is and that all of it
 * can be read. `count` gets the number of bytes that the workbook unpacks to, and may throw to end it. Throws BadWorkbook.
 */
export const readWorkbook = async (
  zip: AtHand,
  count: (bytes: number) => void,
  { showsHidden = false, mostSeconds = longestSeconds } = {},
): Promise<Sheet[]> => {
  const parts = await listParts(zip)
  const countInTime = endAfter(mostSeconds, count)
  const read = (name: string, counting = countInTime) => {
    const part = parts.get(name)
    if (!part) throw new BadWorkbook()
    return readPart(part.read(), counting)
  }
  const relations = await readRelations(read('xl/_rels/workbook.xml.rels'))
  const { sheets, is1904 } = await readContents(read('xl/workbook.xml'))
  const nameOf = (kind: string) =>
    [...relations.values()].findLast((one) => one.kind === kind)?.part ?? `xl/${kind}.xml`
  const [textsName, stylesName] = [nameOf('sharedStrings'), nameOf('styles')]
  const texts = parts.has(textsName) ? await readTexts(read(textsName)) : noTexts
  const styles = parts.has(stylesName) ? await readStyles(read(stylesName)) : () => undefined
  const book: Book = { texts, styles, is1904 }
  const counted: Book = { ...book, texts: countingTexts(texts, countInTime) }
  const filled: Sheet[] = []
  for (const { name, id, isHidden } of sheets) {
    const { kind, part } = relations.get(id) ?? { kind: 'worksheet', part: '' }
    if (kind !== 'worksheet') continue
    if (!parts.has(part)) throw new BadWorkbook(`its sheet ${name.slice(0, 100)} is missing`)
    if (isHidden && !showsHidden) {
      filled.push({ name, hidden: ['the sheet is hidden'] })
      continue
    }
    const layout = createLayout(showsHidden)
    const span = await measure(readRows(read(part), counted, layout), layout)
    const again = read(part, () => undefined)
    if (span.isFilled)
      filled.push({ name, csv: csvOf(readShown(again, book, layout, span), span), hidden: hiddenIn(layout) })
  }
  return filled
}

/** The parts of a workbook by name. */
const listParts = async (zip: AtHand) => {
  if (zip.length > mostBytes) throw new BadWorkbook(`it is larger than ${mostBytes >> 20} MiB`)
  if ('bytes' in zip && packingOf(zip.bytes) === 'xls')
    throw new BadWorkbook('it is an old Excel workbook, or one with a password')
  const entries = await listZip(zip).catch((error: Error) => {
    throw error instanceof DamagedZip ? new BadWorkbook() : error
  })
  return new Map(entries.map((entry) => [entry.name, entry]))
}

/** Counts, and ends reading after so many seconds. */
const endAfter = (seconds: number, count: (bytes: number) => void) => {
  const endsAt = performance.now() + 1000 * seconds
  return (bytes: number) => {
    count(bytes)
    if (performance.now() >= endsAt) throw new BadWorkbook(`reading it takes more than ${seconds} seconds`)
  }
}

/** Texts that count each time they're in a cell: a sheet of a megabyte can repeat a long one until it has terabytes. */
const countingTexts = ({ get }: Book['texts'], count: (bytes: number) => void): Book['texts'] => ({
  get: (no) => {
    const text = get(no)
    count(text?.length ?? 0)
    return text
  },
})

/** How many characters and lines are passed on at once. */
const mostCharacters = 1 << 16
const mostLines = 100

async function* csvOf(rows: AsyncIterable<Row>, { columns }: Span): AsyncGenerator<Uint8Array> {
  let [csv, lines, next] = ['', 0, 1]
  for await (const { number, cells } of rows)
    for (; next <= number; next++) {
      csv += lineOf(next === number ? cells : [], columns)
      lines++
      if (csv.length < mostCharacters && lines < mostLines) continue
      yield Buffer.from(csv)
      ;[csv, lines] = ['', 0]
    }
  yield Buffer.from(csv)
}

const lineOf = (cells: string[], columns: number) =>
  `${cells.map(cellOf).join(',')}${','.repeat(columns - Math.max(1, cells.length))}\n`

const cellOf = (text: string) => (text === '' ? '' : `"${text.replace(/[\r\n]+/g, lineInCell).replaceAll('"', '""')}"`)
