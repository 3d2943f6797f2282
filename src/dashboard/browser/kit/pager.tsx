/** @jsxImportSource preact */
import { useLocation } from 'preact-iso/router'
import type { PageMeta } from '../catalog/content.ts'
import { sayCount, sayNumber } from './format.ts'

type PagerProps = { meta: PageMeta; hrefOf: (page: number) => string; noun: string; nouns?: string }

/**
 * Links to the previous and next page of a list, so that each page has a URL. If there are many, the reader can type a page
 * number. `nouns` is for irregular plurals.
 */
export const Pager = ({ meta, hrefOf, noun, nouns }: PagerProps) => {
  const { current_page: page, last_page: last, from, to, total } = meta
  if (total === 0) return null
  if (from === null || to === null)
    return (
      <p class="pager">
        There’s no page {sayNumber(page)}.{' '}
        <a href={hrefOf(last)}>{last > 1 ? 'Go to the last page' : 'Go to the list'}</a>
      </p>
    )
  if (last <= 1) return <p class="pager">{sayCount(total, noun, nouns)}</p>
  return (
    <nav class="pager" aria-label="Pages">
      {page > 1 && (
        <a href={hrefOf(page - 1)} rel="prev">
          Previous
        </a>
      )}
      <span>
        {sayNumber(from)}–{sayNumber(to)} of {sayCount(total, noun, nouns)}
      </span>
      {page < last && (
        <a href={hrefOf(page + 1)} rel="next">
          Next
        </a>
      )}
      {last > few && <Leap key={page} page={page} last={last} hrefOf={hrefOf} />}
    </nav>
  )
}

/** Up to this many pages, there are only links to the previous and the next one. */
const few = 3

const Leap = ({ page, last, hrefOf }: { page: number; last: number; hrefOf: PagerProps['hrefOf'] }) => {
  const { route } = useLocation()
  const leap = (event: SubmitEvent) => {
    event.preventDefault()
    const wanted = new FormData(event.currentTarget as HTMLFormElement).get('page')
    route(hrefOf(Number(wanted)))
  }
  return (
    <form class="leap" onSubmit={leap}>
      <label>
        Page <input name="page" type="number" min="1" max={last} defaultValue={page} required /> of {sayNumber(last)}
      </label>
      <button type="submit">Go</button>
    </form>
  )
}
