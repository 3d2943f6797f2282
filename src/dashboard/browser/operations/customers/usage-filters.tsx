import type { Refused } from '../../kit/api.ts'
import { Field, optionsOf, Select } from '../../kit/form.tsx'
import { FilterForm } from '../filters.tsx'
import { orderNames } from './customer.ts'

/** The report's parameters in the URL, with their defaults. */
export const usual = { from: '', to: '', user: '', paying_only: '', email: '', sort: 'requests', page: '1' }
type UsageAsked = typeof usual

type UsageFiltersProps = {
  asked: UsageAsked
  /** The days shown, even if the URL names none. */
  range: { from: string; to: string }
  failure?: Refused
  change: (wanted: Partial<UsageAsked>) => void
}

/** Which days and which customers, and in which order. Each report has its own URL. */
export const UsageFilters = ({ asked, range, failure, change }: UsageFiltersProps) => (
  <>
    <FilterForm
      filters={{ ...asked, ...range }}
      failure={failure}
      apply={({ from, to, email = '', paying_only = '' }) => change({ from, to, email: email.trim(), paying_only })}
    >
      <Field name="from" label="From (UTC)" type="date" defaultValue={range.from} />
      <Field name="to" label="To (UTC)" type="date" defaultValue={range.to} />
      <Field name="email" label="E-mail contains" type="search" defaultValue={asked.email} autocomplete="off" />
      <Select
        name="paying_only"
        label="Customers"
        defaultValue={asked.paying_only}
        none="All"
        options={[{ value: 'true', label: 'Paying customers' }]}
      />
      <Select
        name="sort"
        label="Sort by"
        value={asked.sort}
        options={optionsOf(orderNames)}
        onChange={(sort) => change({ sort })}
      />
    </FilterForm>
    <p>
      <button type="button" onClick={() => change(lastDays(31))}>
        Last 31 days
      </button>
    </p>
  </>
)

/** As many days as the report may span and the log keeps (interface.md, Limits), in UTC and including today. */
const lastDays = (days: number) => ({ from: dayOf(Date.now() - (days - 1) * 86_400_000), to: dayOf(Date.now()) })
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)
