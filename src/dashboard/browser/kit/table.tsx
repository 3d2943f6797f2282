import type { ComponentChildren } from 'preact'

/** A column's title and cells. Numbers are right-aligned. With `isWhole` (a time, a button), cells don't wrap. */
export type Column<T> = {
  title: string
  cell: (row: T) => ComponentChildren
  isNumber?: boolean
  isWhole?: boolean
}

type TableProps<T> = {
  caption: string
  columns: Column<T>[]
  rows: T[]
  keyOf: (row: T) => string
  isCaptionSeen?: boolean
  /** Whether the columns fit on a narrow screen, too. */
  isCompact?: boolean
}

/** A table, or nothing if it has no rows. On a narrow screen, each row becomes a block of titled cells. */
export const Table = <T,>({ caption, columns, rows, keyOf, isCaptionSeen, isCompact }: TableProps<T>) =>
  rows.length === 0 ? null : (
    <table class={isCompact ? 'table compact' : 'table'}>
      <caption class={isCaptionSeen ? undefined : 'unseen'}>{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            {columns.map(({ title, cell, isNumber, isWhole }) => (
              <td key={title} data-title={title} class={isNumber ? 'number' : isWhole ? 'whole' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
