import { useEffect, useState } from 'preact/hooks'
import { findOptions, type Listed, nouns, type Option, type Picked } from './vocabulary.ts'

type PickProps = {
  id: string
  type: Listed
  name: string
  /** Where nothing else labels the input. */
  label?: string
  value: Picked
  onChange: (value: Picked) => void
  isFaulty?: boolean
  describedBy?: string
}

/**
 * Names a record by typing: those whose names go on from what is typed are offered below, with a new one at their end. Arrows
 * choose, Enter takes what is chosen, Escape closes the list.
 */
export const Pick = ({ id, type, name, label, value, onChange, isFaulty, describedBy }: PickProps) => {
  const [typed, setTyped] = useState('')
  const [chosen, setChosen] = useState(-1)
  const offers = useOffered(type, typed)
  const close = () => {
    setTyped('')
    setChosen(-1)
  }
  const take = (offer: Offer) => {
    onChange(offer.id ? { text: offer.name, id: offer.id } : { text: offer.name, isNew: true })
    close()
  }
  const steer = (event: KeyboardEvent) => {
    const offer = offers[chosen]
    if (event.isComposing || offers.length === 0) return
    if (event.key === 'Escape') close()
    else if (event.key === 'Enter' && offer) take(offer)
    else if (event.key === 'ArrowDown') setChosen((now) => (now + 2 > offers.length ? -1 : now + 1))
    else if (event.key === 'ArrowUp') setChosen((now) => (now < 0 ? offers.length - 1 : now - 1))
    else return
    event.preventDefault()
  }
  return (
    <span class="pick">
      <input
        {...{ id, name, value: value.text, maxLength: 255 }}
        autocomplete="off"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-offers`}
        aria-activedescendant={chosen >= 0 ? `${id}-offer-${chosen}` : undefined}
        aria-invalid={isFaulty}
        aria-describedby={describedBy}
        onInput={({ currentTarget }) => {
          setChosen(-1)
          setTyped(currentTarget.value)
          onChange({ text: currentTarget.value })
        }}
        onKeyDown={steer}
        onBlur={close}
      />
      <span
        id={`${id}-offers`}
        class="pick-list"
        role="listbox"
        aria-label={`A ${nouns[type]}`}
        hidden={offers.length === 0}
      >
        {offers.map((offer, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus, and its keys choose
          <span
            key={offer.id ?? 'new'}
            id={`${id}-offer-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            class="offer"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(offer)}
          >
            {offer.id ? offer.name : `New ${nouns[type]} “${offer.name}”`}
            {offer.context && <span class="faint">{offer.context}</span>}
          </span>
        ))}
      </span>
    </span>
  )
}

type Offer = Omit<Option, 'id'> & { id?: string }

const restMilliseconds = 150

/** What is offered for a text, once the fingers rest; without an answer one types on. */
const useOffered = (type: Listed, typed: string): Offer[] => {
  const [found, setFound] = useState<{ q: string; options: Option[] }>()
  const q = typed.trim()
  useEffect(() => {
    if (!q) return setFound(undefined)
    const controller = new AbortController()
    const timer = setTimeout(
      () =>
        findOptions(type, q, controller.signal).then(
          (options) => setFound({ q, options }),
          () => {},
        ),
      restMilliseconds,
    )
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [type, q])
  if (!q || !found) return []
  return [...found.options, ...(type === 'sets' || found.q !== q ? [] : [{ name: q }])]
}
