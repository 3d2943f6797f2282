import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Refused } from '../kit/api.ts'
import type { Values } from '../kit/form.tsx'
import { Faults } from '../kit/labelled.tsx'

type FilterFormProps = {
  /** What the address says: when it changes, the fields show it. */
  filters: Values
  apply: (values: Values) => void
  failure?: Refused
  children: ComponentChildren
}

/** Filters that are typed: they go into the address together. What the service finds wrong with one stands beside it. */
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
