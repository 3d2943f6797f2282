import { useState } from 'preact/hooks'
import type { InputAttributes } from '../../kit/labelled.tsx'
import { useTyped } from '../../kit/use-debounced.ts'

/** A suggestion for a text. */
export type Offer = { key: string; text: string; context?: string | null }

type ComboboxProps<O extends Offer> = InputAttributes & {
  name: string
  /** If nothing else labels the input. */
  label?: string
  /** The label of the list of suggestions. */
  listLabel: string
  text: string
  /** The part of the text to find suggestions for. The whole text by default. */
  part?: (text: string) => string
  placeholder?: string
  /** Finds suggestions. The signal cancels the request. */
  find: (asked: string, signal: AbortSignal) => Promise<O[]>
  onText: (text: string) => void
  onTake: (offer: O) => void
}

/**
 * A text input with suggestions. Arrow keys choose one, Enter and Tab accept it, and Escape closes the list. Users can also ignore
 * the list and keep typing.
 */
export const Combobox = <O extends Offer>(props: ComboboxProps<O>) => {
  const { label, listLabel, text, part, find, onText, onTake, ...attributes } = props
  const { id } = attributes
  const [asked, setAsked] = useState('')
  const [chosen, setChosen] = useState(-1)
  // The last suggestions stay until the next ones come. Without an answer, the user just keeps typing.
  const { value: found } = useTyped(asked, find)
  const offers = (asked && found) || []
  const close = () => {
    setAsked('')
    setChosen(-1)
  }
  const take = (offer: O) => {
    onTake(offer)
    close()
  }
  const steer = (event: KeyboardEvent) => {
    const offer = offers[chosen]
    if (event.isComposing || offers.length === 0) return
    // Tab still moves on to the next field.
    if (event.key === 'Tab') return offer && take(offer)
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
        {...{ ...attributes, value: text, maxLength: 255 }}
        autocomplete="off"
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={offers.length > 0}
        aria-controls={`${id}-offers`}
        aria-activedescendant={chosen >= 0 ? `${id}-offer-${chosen}` : undefined}
        onInput={({ currentTarget: { value } }) => {
          setChosen(-1)
          setAsked((part ? part(value) : value).trim())
          onText(value)
        }}
        onKeyDown={steer}
        onBlur={close}
      />
      <span id={`${id}-offers`} class="pick-list" role="listbox" aria-label={listLabel} hidden={offers.length === 0}>
        {offers.map((offer, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input has the focus and handles the keys
          <span
            key={offer.key}
            id={`${id}-offer-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === chosen}
            class="offer"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(offer)}
          >
            {offer.text}
            {offer.context && <span class="faint">{offer.context}</span>}
          </span>
        ))}
      </span>
    </span>
  )
}
