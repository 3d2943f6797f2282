import type { Cells, FaultItem } from '../../catalog/import/read/item.ts'
import { columnKey, type HeadingMap } from '../../catalog/import/read/rows/row.ts'
import { csvCell } from '../../lib/guarded.ts'

/**
 * All refused rows as CSV (RFC 4180) with the mark that Excel needs, guarded against formulas. The headings are those of their
 * files, or the columns that `map` gave them, so that the rows are read without it. A row without cells, such as a release's, has
 * only its place and the reason.
 */
export const csvOf = (faults: FaultItem[], map: HeadingMap = {}): string => {
  const rows = faults.map(({ cells, reason, file, line }) =>
    cells
      ? { ...renamed(cells, map), [because]: reason }
      : { [because]: `${file}${line ? `, line ${line}` : ''}: ${reason}` },
  )
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name !== because))), because]
  const lines = rows.map((row: Cells) => names.map((name) => cellOf(row[name])))
  return `\ufeff${[names, ...lines].map((cells) => `${cells.map(csvCell).join(',')}\r\n`).join('')}`
}

/** The heading of a column that imports ignore. */
const because = 'refused_because'

/** A row under the columns that the caller of its import gave to headings. Of two with one column, the first has it. */
const renamed = (cells: Cells, map: HeadingMap): Cells => {
  if (Object.keys(map).length === 0) return cells
  const row: Cells = {}
  for (const [heading, value] of Object.entries(cells)) {
    const key = columnKey(heading)
    const name = key in map ? map[key] : heading
    if (name && !(name in row)) row[name] = value
  }
  return row
}

const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.map((one) => one ?? '').join('|')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)
