/** @jsxImportSource preact */
import { useEffect, useRef, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { isPlainKey } from '../kit/plain-key.ts'
import { at } from '../kit/settings.ts'
import { useTyped } from '../kit/use-debounced.ts'
import { type Completion, useCompletions } from './completions.ts'

/**
 * The search box. Each search has its own URL. Records that complete what is typed are offered below and link to their pages.
 * The `/` key focuses the box from anywhere on the page.
 */
export const SearchForm = ({ isSmall }: { isSmall?: boolean }) => {
  const { query, path, route } = useLocation()
  const words = path === at('/search') ? (query.q ?? '') : ''
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(-1)
  const offers = useOffers(typed)
  const input = useRef<HTMLInputElement>(null)
  useSlash(input)
  const close = () => {
    setTyped('')
    setChosen(-1)
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const q = input.current?.value.trim()
    const offer = offers[chosen]
    close()
    if (offer) route(addressOf(offer))
    else if (q) route(`${at('/search')}?${new URLSearchParams({ q })}`)
  }
  const steer = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && offers.length > 0) {
      event.preventDefault()
      close()
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step || offers.length === 0) return
    event.preventDefault()
    // One more place than there are offers: the typed text itself.
    setChosen((now) => ((now + 1 + step + offers.length + 1) % (offers.length + 1)) - 1)
  }
  return (
    <search class={isSmall ? 'search small' : 'search'}>
      <form class="inline" action={at('/search')} onSubmit={submit}>
        <div class="field combo">
          <label for="q" class={isSmall ? 'unseen' : undefined}>
            Search cards, sets, players and teams
          </label>
          <input
            ref={input}
            id="q"
            key={words}
            name="q"
            type="search"
            placeholder={isSmall ? 'Search cards, sets, players' : undefined}
            defaultValue={words}
            maxLength={255}
            autocomplete="off"
            list={undefined}
            // biome-ignore lint/a11y/noRedundantRoles: an input without a list isn't a combobox on its own
            role="combobox"
            aria-autocomplete="list"
            aria-expanded={offers.length > 0}
            aria-controls="offers"
            aria-activedescendant={chosen >= 0 ? `offer-${chosen}` : undefined}
            aria-keyshortcuts="/"
            onInput={(event) => {
              setChosen(-1)
              setTyped(event.currentTarget.value)
            }}
            onKeyDown={steer}
            onBlur={close}
            required
          />
          <div id="offers" role="listbox" aria-label="Suggestions" hidden={offers.length === 0}>
            {offers.map((offer, place) => (
              <OfferLine
                key={`${offer.type} ${offer.id}`}
                offer={offer}
                place={place}
                isChosen={place === chosen}
                onOpen={() => {
                  close()
                  route(addressOf(offer))
                }}
              />
            ))}
          </div>
        </div>
        <button type="submit" class={isSmall ? 'unseen' : 'primary'} tabIndex={isSmall ? -1 : undefined}>
          Search
        </button>
      </form>
    </search>
  )
}

const addressOf = ({ type, id }: Completion) => at(`/${type}/${id}`)

type LineProps = { offer: Completion; place: number; isChosen: boolean; onOpen: () => void }

/** An offer. The input keeps the focus while it is pressed. */
const OfferLine = ({ offer: { type, name, context }, place, isChosen, onOpen }: LineProps) => (
  // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
  <div
    id={`offer-${place}`}
    role="option"
    tabIndex={-1}
    aria-selected={isChosen}
    class="offer"
    onMouseDown={(event) => event.preventDefault()}
    onClick={onOpen}
  >
    {name}
    <span class="faint">{typeof context === 'string' && context ? context : nouns[type]}</span>
  </div>
)

const nouns: Record<string, string> = { players: 'player', teams: 'team', sets: 'set', cards: 'card' }

/** Makes the `/` key focus the search box, unless the user is typing. */
const useSlash = (input: { current: HTMLInputElement | null }) =>
  useEffect(() => {
    const hear = (event: KeyboardEvent) => {
      if (event.key !== '/' || !isPlainKey(event)) return
      event.preventDefault()
      input.current?.focus()
      input.current?.select()
    }
    addEventListener('keydown', hear)
    return () => removeEventListener('keydown', hear)
  }, [])

const least = 2
const restMilliseconds = 200
const most = 10

/** Completions of what is typed, requested when typing pauses. The search works without them, too. */
const useOffers = (typed: string): Completion[] => {
  const read = useCompletions()
  const q = read && typed.trim().length >= least ? typed.trim() : ''
  const found = useTyped(q, async (q, signal) => (await read?.(q, signal))?.data, restMilliseconds)
  return q ? (found.value ?? []).filter(({ type }) => type in nouns).slice(0, most) : []
}
