import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'
import { useCatalog } from './read.ts'

/** Where a search is typed in, with names that begin so; it leads to an address of its own. */
export const SearchForm = () => {
  const { query, path, route } = useLocation()
  const words = path === at('/search') ? (query.q ?? '') : ''
  const [typed, setTyped] = useState('')
  const names = useNames(typed)
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const q = String(new FormData(event.currentTarget as HTMLFormElement).get('q') ?? '').trim()
    if (q) route(`${at('/search')}?${new URLSearchParams({ q })}`)
  }
  return (
    <search>
      <form class="inline" action={at('/search')} onSubmit={submit}>
        <div class="field">
          <label for="q">Search cards, sets, players and teams</label>
          <input
            id="q"
            key={words}
            name="q"
            type="search"
            defaultValue={words}
            maxLength={255}
            autocomplete="off"
            list="names"
            onInput={(event) => setTyped(event.currentTarget.value)}
            required
          />
          <datalist id="names">
            {names.map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </div>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
    </search>
  )
}

const [least, restMilliseconds] = [2, 250]

/** Names for what is being typed, asked for when the fingers rest; without them the search works all the same. */
const useNames = (typed: string): string[] => {
  const read = useCatalog()
  const [names, setNames] = useState<string[]>([])
  useEffect(() => {
    const q = typed.trim()
    if (!read || q.length < least) return setNames([])
    const controller = new AbortController()
    const ask = () =>
      read<{ data: { name: string }[] }>('/v2/autocomplete', { q }, controller.signal).then(
        ({ data }) => setNames([...new Set(data.map(({ name }) => name))]),
        () => {},
      )
    const timer = setTimeout(ask, restMilliseconds)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [typed, read])
  return names
}
