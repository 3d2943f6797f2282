import type { ComponentChildren } from 'preact'
import type { PageMeta } from '../catalog/content.ts'
import { useAnswer } from '../kit/answer.ts'
import type { Loaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { metaOf } from '../kit/page-meta.ts'
import { Pager } from '../kit/pager.tsx'
import { type Column, Table } from '../kit/table.tsx'

/** A page of a list. */
type Listed<T> = { data: T[]; meta: PageMeta }

/** Reads the page of a list at a path. */
export const useListed = <T,>(path: string) => useAnswer<Listed<T>>(path)

export type ListingProps<T> = {
  of: Loaded<Listed<T>>
  caption: string
  columns: Column<T>[]
  /** Shown instead of an empty list. */
  empty: ComponentChildren
  noun: string
  nouns?: string
  hrefOf: (change: { page: string }) => string
  lines?: number
}

/** A list as a table, with links to its other pages. */
export const Listing = <T extends { id: string }>(props: ListingProps<T>) => {
  const { of, caption, columns, empty, noun, nouns, hrefOf, lines } = props
  return (
    <Show of={of} lines={lines}>
      {({ data, meta }) => (
        <>
          {meta.total === 0 && <Empty>{empty}</Empty>}
          <Table caption={caption} rows={data} keyOf={({ id }) => id} columns={columns} />
          <Pager meta={meta} noun={noun} nouns={nouns} hrefOf={(page) => hrefOf({ page: String(page) })} />
        </>
      )}
    </Show>
  )
}

/** A page of rows that are already loaded, and its place among them. For a page that doesn't exist, the nearest one. */
export const pageOf = <T,>(all: T[], page: string, perPage: number): { rows: T[]; meta: PageMeta } => {
  const last = Math.max(1, Math.ceil(all.length / perPage))
  const current = Math.min(last, Math.max(1, Math.trunc(Number(page)) || 1))
  const rows = all.slice((current - 1) * perPage, current * perPage)
  return { rows, meta: metaOf(current, perPage, rows.length, all.length) }
}
