import type { ComponentChildren, VNode } from 'preact'
import { oneOf } from '../kit/documents.ts'
import { sayDate } from '../kit/format.ts'
import type { InputAttributes } from '../kit/labelled.tsx'
import { placeOf } from '../kit/records.tsx'
import { Pick } from './naming/pick.tsx'
import { type Listed, type Picked, settle } from './naming/vocabulary.ts'
import type { Changes, Known } from './record.ts'

/** An input's properties: the attributes that label it, its value, and a function to call with a new value. */
export type InputProps<V> = InputAttributes & { value: V; onChange: (value: V) => void }

/** A field of a record: how its value is read, shown, typed and written. */
export type Field<V> = {
  name: string
  label: string
  read: (known: Known) => V
  /** The changes that write a value. Records that are new in it are created first. */
  write: (value: V, before: V) => Promise<Changes>
  /** Falsy if there is no value. */
  show: (value: V) => ComponentChildren
  Input: (props: InputProps<V>) => VNode
}

const textOf = ({ record }: Known, name: string) => {
  const value = record.attributes[name]
  return typeof value === 'string' ? value : ''
}

type TextOptions = { type?: 'text' | 'date'; isRequired?: boolean; show?: (value: string) => ComponentChildren }

/** A line of text, or a date. An empty one becomes null, unless the field is required. */
export const line = (
  name: string,
  label: string,
  { type = 'text', isRequired, show }: TextOptions = {},
): Field<string> => ({
  name,
  label,
  read: (known) => textOf(known, name),
  show: show ?? ((value) => value),
  write: async (value) => ({ attributes: { [name]: value.trim() || (isRequired ? '' : null) } }),
  Input: ({ value, onChange, ...attributes }) => (
    <input
      {...({ ...attributes, type, value, name, autocomplete: 'off' } as object)}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  ),
})

/** A day. */
export const day = (name: string, label: string) =>
  line(name, label, { type: 'date', show: (value) => value && sayDate(value) })

/** A text of several lines. Enter saves, Shift+Enter starts a new line. */
export const text = (name: string, label: string): Field<string> => ({
  ...line(name, label),
  Input: (props) => <LongInput name={name} {...props} />,
})

/** Other names, one per line. */
export const names = (name: string, label: string): Field<string> => ({
  name,
  label,
  show: (value) => value.split('\n').join(', '),
  read: ({ record }) => ((record.attributes[name] ?? []) as string[]).join('\n'),
  write: async (value) => ({
    attributes: { [name]: value.split('\n').flatMap((one) => one.trim() || []) },
  }),
  Input: (props) => <LongInput name={name} hint="One per line." {...props} />,
})

const LongInput = ({ onChange, hint, ...attributes }: InputProps<string> & { name: string; hint?: string }) => (
  <>
    <textarea
      {...attributes}
      rows={3}
      aria-describedby={`${attributes.id}-hint ${attributes['aria-describedby'] ?? ''}`}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
        event.preventDefault()
        event.currentTarget.form?.requestSubmit()
      }}
    />
    <p class="hint" id={`${attributes.id}-hint`}>
      {hint} Enter saves. Shift+Enter starts a new line.
    </p>
  </>
)

/** One of a few values. */
export const choice = (name: string, label: string, options: Record<string, string>): Field<string> => ({
  ...line(name, label),
  show: (value) => options[value] ?? value,
  Input: ({ onChange, ...attributes }) => (
    <select {...{ ...attributes, name }} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
      {Object.entries(options).map(([one, said]) => (
        <option key={one} value={one}>
          {said}
        </option>
      ))}
    </select>
  ),
})

/** A reference to another record. Its name is typed, and a new one is created if needed. */
export const reference = (name: string, label: string, type: Listed): Field<Picked> => ({
  name,
  label,
  read: ({ record, included }) => {
    const found = oneOf(record, name, included)
    return found ? { text: found.attributes.name, id: found.id } : { text: '' }
  },
  write: async (picked) => {
    const id = await settle(type, picked)
    return { relationships: { [name]: { data: id ? { type, id } : null } } }
  },
  show: ({ text, id }) => {
    const href = id && placeOf(type, id)
    return href ? <a href={href}>{text}</a> : text
  },
  Input: (props) => <Pick {...{ type, name }} {...props} />,
})
