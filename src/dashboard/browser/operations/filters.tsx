import { type Option, Select } from '../kit/form.tsx'

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
