import { type Option, Select } from '../kit/form.tsx'

/** `none` is what the choice of nothing is called. */
type Choice = { label: string; none?: string; options: Option[] }

type FiltersProps<T> = {
  filters: T
  change: (change: Partial<T>) => void
  /** By the names of the filters. */
  choices: Partial<Record<keyof T, Choice>>
}

/** Filters that are chosen: each takes effect at once. Those that are typed are a FilterForm. */
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
