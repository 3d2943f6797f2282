import { useMemo } from 'preact/hooks'
import { get } from '../../kit/api.ts'
import { sayCount, sayDate } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Empty, Show } from '../../kit/notice.tsx'
import { Pager } from '../../kit/pager.tsx'
import { queryOf, useFilters } from '../address.ts'
import { pageOf } from '../listing.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { type Customer, findCustomers } from './customer.ts'
import { UsageFilters, usual } from './usage-filters.tsx'
import { UsageChart, UsageTable } from './usage-report.tsx'

type Meta = { from: string; to: string; oldest_log_at: string | null }
type Answer = { data: { id: string; attributes: Omit<Customer, 'id'> }[]; meta: Meta }

/** The report is one document with every customer, so with many of them, only the fields shown are requested. */
const shownOfMany = 'email,plan,subscription_status,request_count,last_request_at'

/** How much each customer used the service: a chart of the busiest, and a table of all. */
export const Usage = () => {
  const { filters, change, hrefOf } = useFilters('/operations/usage', usual)
  const { from, to, user, paying_only, page } = filters
  const asked = queryOf({ from, to, user, paying_only, 'fields[customer-usage]': user ? '' : shownOfMany })
  const read = useLoaded((signal) => readCustomers(asked, signal), asked)
  const { customers = [], meta } = read.value ?? {}
  const found = useMemo(() => findCustomers(customers, filters), [customers, filters.email, filters.sort])
  const shown = pageOf(found, page, 50)
  // While another report loads, this one stays, so look at the data and not at the filters.
  const isOne = customers[0]?.requests_by_credential !== undefined
  return (
    <OperatorPage title="Usage">
      <UsageFilters
        asked={filters}
        range={{ from: from || (meta?.from ?? ''), to: to || (meta?.to ?? '') }}
        failure={read.failure}
        change={change}
      />
      <Show of={read} lines={16}>
        {({ meta }) => (
          <>
            <Totals customers={found} {...meta} />
            {found.length > 0 ? (
              <>
                <UsageChart customers={found} isOne={isOne} />
                <UsageTable customers={shown.rows} isOne={isOne} hrefOf={(id) => hrefOf({ user: id, email: '' })} />
                <Pager meta={shown.meta} noun="customer" hrefOf={(to) => hrefOf({ page: String(to) })} />
              </>
            ) : (
              <Empty>No customers match.</Empty>
            )}
            {found.length < customers.length || user || paying_only ? (
              <p>
                <a href={hrefOf({ user: '', email: '', paying_only: '' })}>All customers</a>
              </p>
            ) : null}
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

const readCustomers = async (asked: string, signal: AbortSignal) => {
  const { data, meta } = await get<Answer>(`/internal/analytics/customer-usage?${asked}`, { signal })
  return { customers: data.map(({ id, attributes }): Customer => ({ id, ...attributes })), meta }
}

const Totals = ({ customers, from, to, oldest_log_at }: { customers: Customer[] } & Meta) => {
  const used = customers.filter(({ request_count }) => request_count > 0).length
  const requests = customers.reduce((sum, { request_count }) => sum + request_count, 0)
  return (
    <p class="lede">
      {sayCount(requests, 'request')} by {sayCount(used, 'customer')} from {sayDate(from)} to {sayDate(to)} (UTC).{' '}
      {oldest_log_at ? `The log starts on ${sayDate(oldest_log_at)}.` : 'The log is empty.'}
    </p>
  )
}
