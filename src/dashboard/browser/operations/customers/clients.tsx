import { sayDay, sayMoment } from '../../kit/moments.ts'
import { at } from '../../kit/settings.ts'
import type { Column } from '../../kit/table.tsx'
import { queryOf, useFilters } from '../address.ts'
import { Filters } from '../filters.tsx'
import { Listing, useListed } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { type Client, InternalBadge, sayLimit } from './client-terms.tsx'

const approvals = [
  { value: 'waiting', label: 'Waiting for approval' },
  { value: 'approved', label: 'Approved' },
]

/** The machine clients of all accounts: who owns them, and which ones are waiting for approval. */
export const Clients = () => {
  const { filters, change, hrefOf } = useFilters('/operations/clients', { internal: '', page: '1' })
  const asked = queryOf({ 'filter[internal]': filters.internal, page: filters.page })
  const read = useListed<Client>(`/internal/clients?${asked}`)
  return (
    <OperatorPage title="Clients">
      <Filters
        filters={filters}
        change={change}
        choices={{ internal: { label: 'Internal scope', none: 'All clients', options: approvals } }}
      />
      <Listing
        of={read}
        caption="Clients"
        noun="client"
        hrefOf={hrefOf}
        empty={filters.internal ? 'No clients match.' : 'There are no clients yet.'}
        columns={columns}
      />
    </OperatorPage>
  )
}

const columns: Column<Client>[] = [
  { title: 'Name', cell: ({ id, attributes: { name } }) => <a href={at(`/operations/clients/${id}`)}>{name || id}</a> },
  { title: 'Owner', cell: ({ attributes }) => attributes.email },
  { title: 'Scopes', cell: ({ attributes }) => <code>{attributes.scope}</code> },
  { title: 'Internal', cell: ({ attributes }) => <InternalBadge {...attributes} /> },
  { title: 'Limit', cell: ({ attributes }) => sayLimit(attributes) },
  { title: 'Created', cell: ({ attributes }) => sayDay(attributes.created_at), isWhole: true },
  { title: 'Last used', cell: ({ attributes }) => sayMoment(attributes.last_used_at, 'never'), isWhole: true },
]
