import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { asRefused, type Refused } from './api.ts'
import { sayName } from './format.ts'
import { Faults, fieldOf, Labelled, type LabelledProps } from './labelled.tsx'
import { Notice, sayFailure } from './notice.tsx'

export type Values = Record<string, string>

export type FormProps = {
  /** Gets the fields' values. Errors it throws are shown next to the fields they name, or above the button. */
  onSubmit: (values: Values) => Promise<unknown>
  label: string
  /** What comes next to the button. */
  beside?: ComponentChildren
  /** Whether the button does something that can't be undone. */
  isDangerous?: boolean
  children?: ComponentChildren
}

/** A form with its button. It sends one request at a time. If that is refused, the first bad field gets the focus. */
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

type FieldProps = Pick<LabelledProps, 'name' | 'label' | 'hint'> & {
  type?: 'text' | 'email' | 'password' | 'search' | 'number' | 'date'
  autocomplete?: string
  required?: boolean
  minLength?: number
  maxLength?: number
  defaultValue?: string
  /** Its value. It only changes through `onInput`. */
  value?: string
  onInput?: (event: { currentTarget: HTMLInputElement }) => void
  placeholder?: string
  min?: string
  max?: string
  /** Texts to choose from. Any other text is accepted, too. */
  suggestions?: readonly string[]
}

/** A labeled input with its hint and its errors. */
export const Field = ({ name, label, hint, suggestions, ...input }: FieldProps) => (
  <Labelled
    {...{ name, label, hint }}
    input={(attributes) => (
      <>
        <input {...(input as object)} {...attributes} list={suggestions && `${attributes.id}-list`} />
        {suggestions && (
          <datalist id={`${attributes.id}-list`}>
            {suggestions.map((value) => (
              <option key={value} value={value} />
            ))}
          </datalist>
        )}
      </>
    )}
  />
)

type LongFieldProps = Omit<FieldProps, 'type' | 'suggestions' | 'onInput'> & {
  rows?: number
  onInput?: (event: { currentTarget: HTMLTextAreaElement }) => void
}

/** Like `Field`, for longer texts. */
export const LongField = ({ name, label, hint, rows = 4, ...input }: LongFieldProps) => (
  <Labelled
    {...{ name, label, hint }}
    input={(attributes) => <textarea rows={rows} {...(input as object)} {...attributes} />}
  />
)

export type Option = { value: string; label: string }
type SelectProps = Omit<LabelledProps, 'input'> & {
  options: Option[]
  none?: string
  /** What is chosen. `value` only changes through `onChange`. `defaultValue` is the choice at first and after a reset. */
  value?: string
  defaultValue?: string
  onChange?: (value: string) => void
  onKeyDown?: (event: KeyboardEvent) => void
  onPointerDown?: () => void
  onBlur?: () => void
}

/** A labeled drop-down. `none` is the label for choosing nothing. */
export const Select = ({ options, none, value, defaultValue, onChange, ...props }: SelectProps) => {
  const { id, name, label, isLabelUnseen, hint, ...heard } = props
  const all = none === undefined ? options : [{ value: '', label: none }, ...options]
  return (
    <Labelled
      {...{ id, name, label, isLabelUnseen, hint }}
      input={(attributes) => (
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
      )}
    />
  )
}

/** A property that Preact sets but its types leave out. With `selected`, a form reset would lose the choice. */
const byDefault = (defaultSelected: boolean) => ({ defaultSelected })

type ChoiceProps = { label: ComponentChildren; checked: boolean; onChange: (checked: boolean) => void }

/** A checkbox. */
export const Choice = ({ label, checked, onChange }: ChoiceProps) => (
  <label class="choice">
    <input type="checkbox" checked={checked} onChange={({ currentTarget }) => onChange(currentTarget.checked)} />
    {label}
  </label>
)

/** Names such as `in_progress` as options of a drop-down. */
export const optionsOf = (names: readonly string[]) => names.map((value) => ({ value, label: sayName(value) }))
