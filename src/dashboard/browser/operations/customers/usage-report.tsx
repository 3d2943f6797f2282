import { useMemo } from 'preact/hooks'
import { Chart } from '../../kit/chart.tsx'
import { sayCount, sayName, sayNumber } from '../../kit/format.ts'
import { sayMoment } from '../../kit/moments.ts'
import { type Column, Table } from '../../kit/table.tsx'
import { type Customer, sayCredential } from './customer.ts'

/** How many bars fit on a narrow screen. */
const most = 15

/** The busiest customers, or one customer's credentials. */
export const UsageChart = ({ customers, isOne }: { customers: Customer[]; isOne: boolean }) => {
  const points = useMemo(() => (isOne ? credentialsOf(customers) : busiestOf(customers)), [customers, isOne])
  if (points.length === 0) return null
  const title = isOne
    ? `Requests by ${customers[0]?.email}, per credential`
    : `Requests by the busiest ${sayCount(points.length, 'customer')}`
  return <Chart title={title} across={isOne ? 'Credential' : 'Customer'} unit="Requests" points={points} isSlanted />
}

const busiestOf = (customers: Customer[]) =>
  customers
    .filter(({ request_count }) => request_count > 0)
    .sort((a, b) => b.request_count - a.request_count)
    .slice(0, most)
    .map(({ email, request_count }) => ({ label: email, value: request_count }))

const credentialsOf = (customers: Customer[]) =>
  customers
    .flatMap((customer) => customer.requests_by_credential ?? [])
    .slice(0, most)
    .map((credential) => ({ label: sayCredential(credential), value: credential.request_count }))

type UsageTableProps = { customers: Customer[]; isOne: boolean; hrefOf: (userId: string) => string }

/** Customers with their plans and requests. For a single customer, also the key and the credentials used. */
export const UsageTable = ({ customers, isOne, hrefOf }: UsageTableProps) => (
  <Table
    caption="Customers"
    rows={customers}
    keyOf={({ id }) => id}
    columns={[
      { title: 'Customer', cell: ({ id, email }) => (isOne ? email : <a href={hrefOf(id)}>{email}</a>) },
      { title: 'Plan', cell: (customer) => <Plan {...customer} /> },
      { title: 'Requests', cell: ({ request_count }) => sayNumber(request_count), isNumber: true },
      { title: 'Last request', cell: ({ last_request_at }) => sayMoment(last_request_at) },
      ...(isOne ? ofOne : []),
    ]}
  />
)

const ofOne: Column<Customer>[] = [
  { title: 'Key', cell: ({ api_key }) => (api_key ? <code class="whole">…{api_key.last_four}</code> : '–') },
  { title: 'Credentials', cell: (customer) => <Credentials {...customer} /> },
]

const Plan = ({ plan, subscription_status: status }: Customer) => {
  if (!plan || !status) return <>–</>
  const isFine = status === 'active' || status === 'trialing'
  return (
    <span>
      {sayName(plan)} <span class={`badge ${isFine ? 'good' : 'bad'}`}>{status.replace('_', ' ')}</span>
    </span>
  )
}

const Credentials = ({ requests_by_credential: used = [] }: Customer) => {
  if (used.length === 0) return <>–</>
  return (
    <ul class="plain">
      {used.map((credential) => (
        <li key={credential.id}>
          {sayCredential(credential)}: {sayNumber(credential.request_count)},{' '}
          <span class="faint">last {sayMoment(credential.last_request_at)}</span>
        </li>
      ))}
    </ul>
  )
}
