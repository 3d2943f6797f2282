import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'

/** Where a search is typed in; it leads to an address of its own. */
export const SearchForm = () => {
  const { query, path, route } = useLocation()
  const words = path === at('/search') ? (query.q ?? '') : ''
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget as HTMLFormElement).get('q') ?? '').trim()
    if (q) route(`${at('/search')}?${new URLSearchParams({ q })}`)
  }
  return (
    <search>
      <form class="inline" action={at('/search')} onSubmit={submit}>
        <div class="field">
          <label for="q">Search sets, players and teams</label>
          <input id="q" key={words} name="q" type="search" defaultValue={words} autocomplete="off" required />
        </div>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
    </search>
  )
}
