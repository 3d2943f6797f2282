/** @jsxImportSource preact */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { at } from '../kit/settings.ts'
import type { Ref } from './content.ts'

/** How long typing must pause before the text filters the list. */
const restMilliseconds = 300

/**
 * A form whose fields filter a list through its URL. A choice applies at once, and a text when typing pauses. Without
 * JavaScript, its button applies them.
 */
export const Narrow = ({ action, children }: { action: string; children: ComponentChildren }) => {
  const { route, url } = useLocation()
  const form = useRef<HTMLFormElement>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const apply = () => {
    clearTimeout(timer.current)
    if (!form.current) return
    const given = [...new FormData(form.current)].filter(([, value]) => value) as [string, string][]
    const to = `${at(action)}${given.length > 0 ? `?${new URLSearchParams(given)}` : ''}`
    if (to !== url) route(to, true)
  }
  return (
    <form
      ref={form}
      class="inline filters"
      action={at(action)}
      onSubmit={(event) => {
        event.preventDefault()
        apply()
      }}
      onChange={apply}
      onInput={({ target }) => {
        if (!(target instanceof HTMLInputElement) || target.type === 'checkbox') return
        clearTimeout(timer.current)
        timer.current = setTimeout(apply, restMilliseconds)
      }}
    >
      {children}
      <button type="submit" class="without-script">
        Apply
      </button>
    </form>
  )
}

type ChoiceProps = { name: string; label: string; value?: string; none?: string; options: Ref[] }

/** A drop-down of a filter form. `none` is the label for no filter. */
export const Choice = ({ name, label, value = '', none, options }: ChoiceProps) => (
  <div class="field">
    <label for={`narrow-${name}`}>{label}</label>
    <select id={`narrow-${name}`} name={name}>
      {none !== undefined && (
        <option value="" selected={value === ''}>
          {none}
        </option>
      )}
      {options.map((option) => (
        <option key={option.id} value={option.id} selected={option.id === value}>
          {option.name}
        </option>
      ))}
    </select>
  </div>
)
