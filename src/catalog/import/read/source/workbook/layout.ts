import { BadWorkbook } from './bad-workbook.ts'
import { attributesOf } from './xml.ts'

/** A block of cells that are merged into one, by its first and last rows and columns. */
type Merge = { top: number; bottom: number; left: number; right: number }

/** What a sheet says beside its rows: merged cells by their first row, hidden columns, and which rows and columns of them hold something. */
export type Layout = ReturnType<typeof createLayout>

/** The most merged cells, because all of them are kept. */
const mostMerges = 500_000

/** A layout to which the tags around a sheet's rows are added. With `showsAll`, nothing is hidden. */
export const createLayout = (showsAll: boolean) => {
  const merges = new Map<number, Merge[]>()
  const hidden = new Uint8Array(lastColumn + 2)
  const hiddenRows: Range[] = []
  const hiddenHeadings = new Map<number, string>()
  let count = 0
  return {
    merges,
    hiddenRows,
    hiddenHeadings,
    hidesRow: (isHidden: boolean) => isHidden && !showsAll,
    /** Notes a hidden row that has something in it. */
    addRow: (row: number) => {
      const range = hiddenRows.at(-1)
      if (range && range.last + 1 === row) range.last = row
      else if (hiddenRows.length <= mostNamed) hiddenRows.push({ first: row, last: row })
    },
    addColumns: (attributes: string) => {
      const { min, max, hidden: flag } = attributesOf(attributes)
      if (!showsAll && isOn(flag)) hidden.fill(1, Number(min), Math.min(Number(max), lastColumn) + 1)
    },
    /** Empties the cells of hidden columns. Their first texts are their headings in the report. */
    hideCells: (cells: string[]) => {
      for (
        let column = hidden.indexOf(1);
        column > 0 && column <= cells.length;
        column = hidden.indexOf(1, column + 1)
      ) {
        const text = cells[column - 1] ?? ''
        if (text !== '' && !hiddenHeadings.has(column) && hiddenHeadings.size <= mostNamed)
          hiddenHeadings.set(column, text)
        cells[column - 1] = ''
      }
    },
    addMerge: (attributes: string) => {
      const [, left, top, right, bottom] =
        /^\$?([A-Z]{1,3})\$?(\d{1,7}):\$?([A-Z]{1,3})\$?(\d{1,7})$/.exec(attributesOf(attributes).ref ?? '') ?? []
      if (!left || !top || !right || !bottom) return
      if (++count > mostMerges) throw new BadWorkbook('it has more than 500,000 merged cells')
      const merge = { top: Number(top), bottom: Number(bottom), left: columnOf(left), right: columnOf(right) }
      const others = merges.get(merge.top)
      if (others) others.push(merge)
      else merges.set(merge.top, [merge])
    },
  }
}

type Range = { first: number; last: number }

/** The last column that has a name: ZZZ. */
export const lastColumn = 18_278

/** How many ranges of hidden rows, and hidden columns, are named. */
const mostNamed = 30

const isOn = (flag = '') => flag === '1' || flag === 'true'

/** `B` is 2. */
const columnOf = (letters: string) => [...letters].reduce((sum, letter) => 26 * sum + letter.charCodeAt(0) - 64, 0)

/** `2` is B. */
const lettersOf = (column: number): string =>
  column > 26
    ? lettersOf(Math.floor((column - 1) / 26)) + lettersOf(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column)

/**
 * Gives all cells of a merged one its value, row by row. `count` gets the number of cells, and may throw. A row gets none if it
 * has nothing of its own, and none is wider than `columns`. A heading over three columns or more, or over a whole row, stays in its first.
 */
export const createMerging = ({ merges }: Layout, columns: number, count: (cells: number) => void) => {
  let open: (Merge & { text: string })[] = []
  let last = 0
  return (row: number, cells: string[]): void => {
    for (; last < row && merges.size > 0; last++)
      for (const merge of merges.get(last + 1)?.filter(({ left }) => left <= columns) ?? [])
        open.push({ ...merge, text: last + 1 === row ? (cells[merge.left - 1] ?? '') : '' })
    if (open.length === 0) return
    open = open.filter(({ bottom }) => bottom >= row)
    const first = cells.findIndex((cell) => cell !== '') + 1
    const filled = cells.filter((cell) => cell !== '').length
    for (const { top, bottom, left, right, text } of open) {
      const isHeading = top === bottom && left === first && (right - left > 1 || filled === 1)
      const end = isHeading ? left : Math.min(right, columns)
      count(end - left + 1)
      for (let column = cells.length; column < left - 1; column++) cells.push('')
      for (let column = left; column <= end; column++) cells[column - 1] = text
    }
  }
}

/** What is hidden in a sheet and wasn't read, as sentences for the report. */
export const hiddenIn = ({ hiddenRows, hiddenHeadings }: Layout): string[] => {
  const columns = [...hiddenHeadings]
    .toSorted(([one], [other]) => one - other)
    .map(([column, heading]) => `${lettersOf(column)} (${heading.trim().slice(0, 60)})`)
  return [
    ...(hiddenRows.length > 0 ? [`hidden rows ${rangesOf(hiddenRows)}`] : []),
    ...(columns.length > 0 ? [`hidden columns ${columns.slice(0, mostNamed).join(', ')}${more(columns.length)}`] : []),
  ]
}

const more = (count: number) => (count > mostNamed ? ' and more' : '')

/** `3, 5–7`. */
const rangesOf = (ranges: Range[]): string => {
  const named = ranges.slice(0, mostNamed).map(({ first, last }) => (first === last ? `${first}` : `${first}–${last}`))
  return named.join(', ') + more(ranges.length)
}
