import type { FaultItem } from '../../catalog/import/read/item.ts'

/** Refused rows as CSV (RFC 4180), with all of their files' headings. Rows without cells, such as a release's, are left out. */
export const csvOf = (faults: FaultItem[]): string => {
  const rows = faults.flatMap(({ cells, reason }) => (cells ? [{ ...cells, [because]: reason }] : []))
  const names = [...new Set(rows.flatMap((row) => Object.keys(row).filter((name) => name !== because))), because]
  const lines = rows.map((row: Record<string, unknown>) => names.map((name) => cellOf(row[name])))
  return [names, ...lines].map((cells) => `${cells.map(quote).join(',')}\r\n`).join('')
}

/** The heading of a column that imports ignore. */
const because = 'refused_because'

const cellOf = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : Array.isArray(value)
      ? value.map((one) => one ?? '').join('|')
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value)

const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)
