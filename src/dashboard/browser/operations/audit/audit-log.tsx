import { Field } from '../../kit/form.tsx'
import { sayMoment } from '../../kit/moments.ts'
import { at } from '../../kit/settings.ts'
import type { Column } from '../../kit/table.tsx'
import { queryOf, useFilters } from '../address.ts'
import { FilterForm } from '../filters.tsx'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { knownEvents, knownTypes, pageOf, sayRecord } from './audit-names.ts'

/** An entry, as the API shows it. */
export type Entry = {
  id: string
  attributes: {
    event_type: string
    auditable_type: string | null
    auditable_id: string | null
    agent_id: string | null
    data: Record<string, unknown> | null
    created_at: string
  }
  /** The current names of both. */
  meta: { agent_name: string | null; record_name: string | null }
}

const filterNames = ['event_type', 'auditable_type', 'auditable_id', 'start_date', 'end_date'] as const
const usual = {
  event_type: '',
  auditable_type: '',
  auditable_id: '',
  start_date: '',
  end_date: '',
  page: '1',
  per_page: '50',
}

/** What was done, by whom and to what, newest first. The filters have the same names as in the API. */
export const AuditLog = () => {
  const { filters, change, hrefOf } = useFilters('/operations/audit-log', usual)
  const { page, per_page, ...typed } = filters
  const asked = Object.fromEntries(filterNames.map((name) => [`filter[${name}]`, filters[name]]))
  const read = useListed<Entry>(`/internal/audit-logs?${queryOf({ ...asked, page, per_page })}`)
  const isFiltered = Object.values(typed).some(Boolean)
  return (
    <OperatorPage title="Audit log">
      <FilterForm filters={{ ...typed, per_page }} failure={read.failure} apply={change}>
        <Field name="event_type" label="Event" defaultValue={filters.event_type} suggestions={knownEvents} />
        <Field
          name="auditable_type"
          label="Record type"
          defaultValue={filters.auditable_type}
          suggestions={knownTypes}
        />
        <Field name="auditable_id" label="Record id" defaultValue={filters.auditable_id} />
        <Bound name="start_date" label="From (UTC)" value={filters.start_date} />
        <Bound name="end_date" label="Until (UTC)" value={filters.end_date} />
        <Field
          name="per_page"
          label="Entries per page"
          type="number"
          min="1"
          max="500"
          required
          defaultValue={per_page}
        />
      </FilterForm>
      <p class="actions">
        <span class="faint">{filters.start_date ? '' : 'Shows the last 30 days unless you choose a start date.'}</span>
        {isFiltered && <a href={at('/operations/audit-log')}>Clear filters</a>}
      </p>
      <Listing
        of={read}
        lines={12}
        caption="What was done"
        noun="entry"
        nouns="entries"
        hrefOf={hrefOf}
        empty={isFiltered ? 'No entries match.' : 'Nothing happened in the last 30 days.'}
        columns={columns(hrefOf)}
      />
    </OperatorPage>
  )
}

/** A date field. If the URL has a time instead, a text field. */
const Bound = ({ name, label, value }: { name: string; label: string; value: string }) => (
  <Field name={name} label={label} type={/^(\d{4}-\d{2}-\d{2})?$/.test(value) ? 'date' : 'text'} defaultValue={value} />
)

type HrefOf = (change: Partial<typeof usual>) => string

const columns = (hrefOf: HrefOf): Column<Entry>[] => [
  { title: 'When', cell: ({ attributes }) => sayMoment(attributes.created_at), isWhole: true },
  {
    title: 'Event',
    cell: ({ id, attributes: { event_type } }) => (
      <a href={at(`/operations/audit-log/${id}`)}>
        {event_type}
        <span class="unseen">, entry {id}</span>
      </a>
    ),
  },
  { title: 'Record', cell: (entry) => <Recorded entry={entry} hrefOf={hrefOf} /> },
  { title: 'By', cell: ({ attributes: { agent_id }, meta }) => <Agent id={agent_id} name={meta.agent_name} /> },
]

/** The record of an entry. Its name links to its page, and its id to everything that was done to it. */
const Recorded = ({ entry: { attributes, meta }, hrefOf }: { entry: Entry; hrefOf: HrefOf }) => {
  const { auditable_type, auditable_id } = attributes
  const name = <bdi>{sayRecord(attributes, meta.record_name)}</bdi>
  const page = pageOf(attributes)
  return (
    <span>
      {page ? <a href={at(page)}>{name}</a> : name}{' '}
      {auditable_type && auditable_id && (
        <a href={hrefOf({ auditable_type, auditable_id })}>
          <Short text={auditable_id} />
        </a>
      )}
    </span>
  )
}

/** Who did something: the name, or else the id in the log. */
const Agent = ({ id, name }: { id: string | null; name: string | null }) =>
  name ? <bdi title={id ?? undefined}>{name}</bdi> : <Short text={id ?? '–'} />

/** Shows only the end of an id, which differs even among ids from the same time. The entry's page shows all of it. */
const Short = ({ text }: { text: string }) => (
  <code title={text}>{text.replace(/[0-9a-f]{8}-[0-9a-f-]{15}(?=[0-9a-f]{12}$)/, '…')}</code>
)
