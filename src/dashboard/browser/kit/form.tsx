import type { ComponentChildren } from 'preact'
import { createContext } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { type Fault, Refused } from './api.ts'
import { Notice, sayFailure } from './notice.tsx'

export type Values = Record<string, string>

const FaultsContext = createContext<Fault[]>([])

type FormProps = {
  /** What is done with the fields' values; what it throws is shown beside the fields that it names, or above the button. */
  onSubmit: (values: Values) => Promise<unknown>
  label: string
  /** Whether the button does something that cannot be undone. */
  isDangerous?: boolean
  children?: ComponentChildren
}

/** A form with its button. It sends once at a time, and its first faulty field takes the focus. */
export const Form = ({ onSubmit, label, isDangerous, children }: FormProps) => {
  const [failure, setFailure] = useState<Refused>()
  const [isSending, setSending] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isSending || !form.current) return
    const values = Object.fromEntries(new FormData(form.current)) as Values
    setSending(true)
    setFailure(undefined)
    try {
      await onSubmit(values)
    } catch (error) {
      setFailure(error instanceof Refused ? error : new Refused(0, [{ detail: 'Something went wrong here.' }]))
      if (!(error instanceof Refused)) reportError(error)
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } finally {
      setSending(false)
    }
  }
  const names = new Set([...(form.current?.elements ?? [])].map((one) => one.getAttribute('name')))
  const homeless = failure && !failure.faults.every((fault) => names.has(fieldOf(fault) ?? ''))
  return (
    <form ref={form} onSubmit={submit} noValidate={false}>
      <FaultsContext.Provider value={failure?.faults ?? []}>{children}</FaultsContext.Provider>
      {homeless && <Notice kind="bad">{sayFailure(failure)}</Notice>}
      <button type="submit" class={isDangerous ? 'dangerous' : 'primary'} aria-disabled={isSending}>
        {label}
      </button>
    </form>
  )
}

const fieldOf = ({ source }: Fault) => source?.pointer?.split('/').at(-1)

type FieldProps = {
  name: string
  label: string
  hint?: ComponentChildren
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date'
  autocomplete?: string
  required?: boolean
  minLength?: number
  maxLength?: number
  defaultValue?: string
  placeholder?: string
}

/** A labelled input with its hint and what the service found wrong with it. */
export const Field = ({ name, label, hint, ...input }: FieldProps) => {
  const id = useId()
  const faults = useContext(FaultsContext).filter((fault) => fieldOf(fault) === name)
  const notes = [hint ? `${id}-hint` : '', faults.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        {...(input as object)}
        id={id}
        name={name}
        aria-invalid={faults.length > 0}
        aria-describedby={notes || undefined}
      />
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {faults.length > 0 && (
        <p class="fault" id={`${id}-fault`}>
          {faults.map(({ detail }) => detail).join(' ')}
        </p>
      )}
    </div>
  )
}

type Option = { value: string; label: string }
type SelectProps = {
  name: string
  label: string
  options: Option[]
  value?: string
  onChange?: (value: string) => void
}

/** A labelled choice of a few. */
export const Select = ({ name, label, options, value, onChange }: SelectProps) => {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} name={name} value={value} onChange={({ currentTarget }) => onChange?.(currentTarget.value)}>
        {options.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  )
}
