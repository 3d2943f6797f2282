import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { Failure } from '../../kit/notice.tsx'
import { placeOf, type RecordType } from '../../kit/records.tsx'
import { useTyped } from '../../kit/use-debounced.ts'
import { findRecords } from './records.ts'

/** A record found by name. */
export type Found = { id: string; name: string; context?: string | null }

type FindProps = {
  type: RecordType
  label: string
  /** A record to leave out. */
  without?: string
  hasFocus?: boolean
  onFound: (found: Found) => void
}

/** Finds a record by typing. Matches are listed below, and Enter chooses the first. */
export const FindRecord = ({ type, label, without, hasFocus, onFound }: FindProps) => {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const { value: found, failure } = useTyped(typed.trim(), (q, signal) => findRecords(type, q, signal))
  const offers = failure ? undefined : found?.filter((one) => one.id !== without)
  useEffect(() => {
    if (hasFocus) input.current?.focus()
  }, [])
  const take = (event: SubmitEvent) => {
    event.preventDefault()
    const [first] = offers ?? []
    if (first) onFound(first)
  }
  return (
    <form onSubmit={take}>
      <div class="field">
        <label for={id}>{label}</label>
        <input
          ref={input}
          id={id}
          type="search"
          name="record"
          autocomplete="off"
          maxLength={255}
          onInput={({ currentTarget }) => setTyped(currentTarget.value)}
        />
      </div>
      {failure && <Failure failure={failure} />}
      <div role="status">{offers?.length === 0 && <p class="faint">Nothing found.</p>}</div>
      {offers && offers.length > 0 && (
        <ul class="rows">
          {offers.map((one) => (
            <li key={one.id} class="split">
              <span>
                <Name type={type} found={one} /> {one.context && <span class="faint">{one.context}</span>}
              </span>
              <button type="button" onClick={() => onFound(one)}>
                Choose<span class="unseen"> {one.name}</span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </form>
  )
}

/** The record's page opens in a new tab, so that what was typed stays here. */
const Name = ({ type, found }: { type: RecordType; found: Found }) => {
  const href = placeOf(type, found.id)
  return href ? (
    <a href={href} target="_blank" rel="noreferrer">
      {found.name}
    </a>
  ) : (
    found.name
  )
}
