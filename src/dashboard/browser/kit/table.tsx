import type { ComponentChildren } from 'preact'

/** A column: what stands above it and in it. Numbers are set right-aligned; what is `isWhole` (a time, a button) is not broken. */
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
  /** Whether the columns have room on a narrow screen, too. */
  isCompact?: boolean
}

/** A table, or nothing where it has no rows; where there is no room for columns each row becomes a block in which the cells have their titles. */
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
