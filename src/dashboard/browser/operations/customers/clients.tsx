import type { PageMeta } from '../../catalog/content.ts'
import { get } from '../../kit/api.ts'
import { Select } from '../../kit/form.tsx'
import { sayDay, sayMoment } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Empty, Show } from '../../kit/notice.tsx'
import { Pager } from '../../kit/pager.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { queryOf, useFilters } from '../address.ts'
import { OperatorPage } from '../operator-page.tsx'
import { type Client, InternalBadge, sayLimit } from './client-terms.tsx'

type Answer = { data: Client[]; meta: PageMeta }

/** The machine clients of all accounts: whose they are, and which wait for an approval. */
export const Clients = () => {
  const { filters, change, hrefOf } = useFilters('/operations/clients', { internal: '', page: '1' })
  const path = `/internal/clients?${queryOf({ 'filter[internal]': filters.internal, page: filters.page })}`
  const read = useLoaded((signal) => get<Answer>(path, { signal }), path)
  return (
    <OperatorPage title="Clients">
      <div class="inline filters">
        <Select
          name="internal"
          label="Scope “internal”"
          value={filters.internal}
          options={[
            { value: '', label: 'All clients' },
            { value: 'waiting', label: 'Waiting for approval' },
            { value: 'approved', label: 'Approved' },
          ]}
          onChange={(internal) => change({ internal, page: '1' })}
        />
      </div>
      <Show of={read}>
        {({ data, meta }) => (
          <>
            {meta.total === 0 ? (
              <Empty>{filters.internal ? 'No client is like that.' : 'No account has a client.'}</Empty>
            ) : (
              <List clients={data} />
            )}
            <Pager meta={meta} noun="client" hrefOf={(page) => hrefOf({ page: String(page) })} />
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

const List = ({ clients }: { clients: Client[] }) => (
  <Table
    caption="Clients"
    rows={clients}
    keyOf={({ id }) => id}
    columns={[
      {
        title: 'Name',
        cell: ({ id, attributes }) => <a href={at(`/operations/clients/${id}`)}>{attributes.name || id}</a>,
      },
      { title: 'Owner', cell: ({ attributes }) => attributes.email },
      { title: 'Scopes', cell: ({ attributes }) => <code>{attributes.scope}</code> },
      { title: 'Internal', cell: ({ attributes }) => <InternalBadge {...attributes} /> },
      { title: 'Limit', cell: ({ attributes }) => sayLimit(attributes) },
      { title: 'Made', cell: ({ attributes }) => sayDay(attributes.created_at), isWhole: true },
      {
        title: 'Last used',
        cell: ({ attributes: { last_used_at } }) => (last_used_at ? sayMoment(last_used_at) : 'never'),
        isWhole: true,
      },
    ]}
  />
)
