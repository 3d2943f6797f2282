import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Refused } from '../kit/api.ts'
import type { Values } from '../kit/form.tsx'
import { Faults } from '../kit/labelled.tsx'

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
