import { sayCount, sayNumber } from './format.ts'

/** The place in a list, as the API's `meta` says it. */
export type PageMeta = {
  current_page: number
  last_page: number
  from: number | null
  to: number | null
  total: number
}

/** Steps through the pages of a list by links, so that each page has an address. */
export const Pager = ({ meta, hrefOf, noun }: { meta: PageMeta; hrefOf: (page: number) => string; noun: string }) => {
  const { current_page: page, last_page: last, from, to, total } = meta
  if (last <= 1) return <p class="pager">{sayCount(total, noun)}</p>
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a href={hrefOf(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        {sayNumber(from ?? 0)}–{sayNumber(to ?? 0)} of {sayCount(total, noun)}
      </span>
      {page < last && (
        <a href={hrefOf(page + 1)} rel="next">
          Next
        </a>
      )}
    </nav>
  )
}
