import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Refused } from '../kit/api.ts'
import { type Option, Select, type Values } from '../kit/form.tsx'
import { Faults } from '../kit/labelled.tsx'

/** `none` is the label for no filter. */
type Choice = { label: string; none?: string; options: Option[] }

type FiltersProps<T> = {
  filters: T
  change: (change: Partial<T>) => void
  /** By filter name. */
  choices: Partial<Record<keyof T, Choice>>
}

/** Filters to choose. Each applies at once. For filters to type, use FilterForm. */
export const Filters = <T extends Record<string, string>>({ filters, change, choices }: FiltersProps<T>) => (
  <div class="inline filters">
    {Object.entries(choices as Record<string, Choice>).map(([name, choice]) => (
      <Select
        key={name}
        {...choice}
        name={name}
        value={filters[name]}
        onChange={(value) => change({ [name]: value } as Partial<T>)}
      />
    ))}
  </div>
)

type FilterFormProps = {
  /** The filters in the URL. When they change, the fields follow. */
  filters: Values
  apply: (values: Values) => void
  failure?: Refused
  children: ComponentChildren
}

/** Filters to type. They go into the URL together. Errors are shown next to their fields. */
export const FilterForm = ({ filters, apply, failure, children }: FilterFormProps) => {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.reset(), [JSON.stringify(filters)])
  const submit = (event: Event) => {
    event.preventDefault()
    if (form.current) apply(Object.fromEntries(new FormData(form.current)) as Values)
  }
  return (
    <form ref={form} class="inline filters" onSubmit={submit}>
      <Faults.Provider value={failure?.faults ?? []}>{children}</Faults.Provider>
      <button type="submit">Show</button>
    </form>
  )
}
