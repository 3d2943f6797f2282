import type { ComponentChildren } from 'preact'
import type { PageMeta } from '../catalog/content.ts'
import { useAct } from '../kit/act.ts'
import { get, post } from '../kit/api.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { Empty, Show } from '../kit/notice.tsx'
import { Pager } from '../kit/pager.tsx'
import { type Column, Table } from '../kit/table.tsx'

/** A page of a list. */
type Listed<T> = { data: T[]; meta: PageMeta }

/** Reads the page of a list at a path. */
export const useListed = <T,>(path: string): Loaded<Listed<T>> =>
  useLoaded((signal) => get<Listed<T>>(path, { signal }), path)

type ListingProps<T> = {
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

/** Runs a list's failed jobs again, with all their attempts. `failure` is the last refusal. */
export const useRetry = ({ reload }: Loaded<unknown>) => {
  const { act, failure } = useAct()
  return { failure, retry: (id: string) => act(() => post(`/internal/jobs/${id}/retry`).finally(reload)) }
}
