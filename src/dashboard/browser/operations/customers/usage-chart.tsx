import { useMemo } from 'preact/hooks'
import { Chart } from '../../kit/chart.tsx'
import { sayCount } from '../../kit/format.ts'
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
