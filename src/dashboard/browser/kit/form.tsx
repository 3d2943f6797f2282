import { type ComponentChildren, createContext } from 'preact'
import { useContext, useId, useRef, useState } from 'preact/hooks'
import { asRefused, type Fault, type Refused } from './api.ts'
import { sayName } from './format.ts'
import { Notice, sayFailure } from './notice.tsx'

export type Values = Record<string, string>

/** What the service found wrong: fields show what names them. */
export const Faults = createContext<Fault[]>([])

type FormProps = {
  /** What is done with the fields' values; what it throws is shown beside the fields that it names, or above the button. */
  onSubmit: (values: Values) => Promise<unknown>
  label: string
  /** What stands beside the button. */
  beside?: ComponentChildren
  /** Whether the button does something that cannot be undone. */
  isDangerous?: boolean
  children?: ComponentChildren
}

/** A form with its button. It sends once at a time, and its first faulty field takes the focus. */
export const Form = ({ onSubmit, label, beside, isDangerous, children }: FormProps) => {
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
      setFailure(asRefused(error))
      setTimeout(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
    } finally {
      setSending(false)
    }
  }
  const names = new Set([...(form.current?.elements ?? [])].map((one) => one.getAttribute('name')))
  const homeless = failure && !failure.faults.every((fault) => names.has(fieldOf(fault) ?? ''))
  return (
    <form ref={form} onSubmit={submit} noValidate={false}>
      <Faults.Provider value={failure?.faults ?? []}>{children}</Faults.Provider>
      {homeless && <Notice kind="bad">{sayFailure(failure)}</Notice>}
      <div class="actions">
        <button type="submit" class={isDangerous ? 'dangerous' : 'primary'} aria-disabled={isSending}>
          {label}
        </button>
        {beside}
      </div>
    </form>
  )
}

const fieldOf = ({ source }: Fault) =>
  source?.pointer?.split('/').at(-1) ?? /^(?:filter\[)?(.+?)\]?$/.exec(source?.parameter ?? '')?.[1]

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
  /** What it has: for good, so that `onInput` has to change it. */
  value?: string
  onInput?: (event: { currentTarget: HTMLInputElement }) => void
  placeholder?: string
  min?: string
  max?: string
  /** What may be meant, to choose from; any other text is taken, too. */
  suggestions?: readonly string[]
}

/** A labelled input with its hint and what the service found wrong with it. */
export const Field = ({ name, label, hint, suggestions, ...input }: FieldProps) => {
  const { attributes, notes } = useField(name, hint)
  const list = suggestions && `${attributes.id}-list`
  return (
    <div class="field">
      <label for={attributes.id}>{label}</label>
      <input {...(input as object)} {...attributes} list={list} />
      {suggestions && (
        <datalist id={list}>
          {suggestions.map((value) => (
            <option key={value} value={value} />
          ))}
        </datalist>
      )}
      {notes}
    </div>
  )
}

/** The same for a longer text. */
export const LongField = ({ name, label, hint, ...input }: Omit<FieldProps, 'type' | 'suggestions'>) => {
  const { attributes, notes } = useField(name, hint)
  return (
    <div class="field">
      <label for={attributes.id}>{label}</label>
      <textarea rows={4} {...(input as object)} {...attributes} />
      {notes}
    </div>
  )
}

/** What a field of any kind has: its name and id, and below it the hint and the faults, which describe it. */
const useField = (name: string, hint?: ComponentChildren, given?: string) => {
  const made = useId()
  const id = given ?? made
  const faults = useContext(Faults).filter((fault) => fieldOf(fault) === name)
  const described = [hint ? `${id}-hint` : '', faults.length > 0 ? `${id}-fault` : ''].filter(Boolean).join(' ')
  const notes = (
    <>
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
    </>
  )
  return {
    attributes: { id, name, 'aria-invalid': faults.length > 0, 'aria-describedby': described || undefined },
    notes,
  }
}

export type Option = { value: string; label: string }
type SelectProps = {
  id?: string
  name: string
  label: string
  /** Whether what stands around it says for people who see what it is. */
  isLabelUnseen?: boolean
  options: Option[]
  none?: string
  /** What is chosen: for good, so that `onChange` has to change it, or (`defaultValue`) to begin with and after a reset. */
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  hint?: ComponentChildren
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerDown?: () => void
  onBlur?: () => void
}

/** A labelled choice of a few; `none` is what the choice of nothing is called. */
export const Select = (props: SelectProps) => {
  const { id, name, label, isLabelUnseen, hint, options, none, value, defaultValue, onChange, ...heard } = props
  const { attributes, notes } = useField(name, hint, id)
  const all = none === undefined ? options : [{ value: '', label: none }, ...options]
  return (
    <div class="field">
      <label for={attributes.id} class={isLabelUnseen ? 'unseen' : undefined}>
        {label}
      </label>
      <select
        {...attributes}
        {...heard}
        value={value}
        onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
      >
        {all.map((option) => (
          <option key={option.value} value={option.value} {...byDefault(option.value === (value ?? defaultValue))}>
            {option.label}
          </option>
        ))}
      </select>
      {notes}
    </div>
  )
}

/** A property that Preact sets and its types leave out: `selected` would be lost at a reset of the form. */
const byDefault = (defaultSelected: boolean) => ({ defaultSelected })

type ChoiceProps = { label: string; checked: boolean; onChange: (checked: boolean) => void }

/** A box to tick. */
export const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <label class="choice">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
)

/** Names such as `in_progress` as the options of a choice. */
export const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: sayName(value) }))
