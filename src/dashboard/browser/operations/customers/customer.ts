/** A customer in the usage report. Credentials and key are only there if the report is about one customer. */
export type Customer = {
  id: string
  email: string
  plan: string | null
  subscription_status: string | null
  request_count: number
  last_request_at: string | null
  requests_by_credential?: CredentialUsage[]
  api_key?: { last_four: string } | null
}

type CredentialUsage = {
  id: string
  kind: string
  name: string | null
  last_four: string
  request_count: number
  last_request_at: string
}

const compare = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const byEmail = (a: Customer, b: Customer) => compare(a.email, b.email)

const orders: Record<string, (a: Customer, b: Customer) => number> = {
  requests: (a, b) => b.request_count - a.request_count || byEmail(a, b),
  last_request: (a, b) => compare(b.last_request_at ?? '', a.last_request_at ?? '') || byEmail(a, b),
  email: byEmail,
}

/** The names of the report's orders. */
export const orderNames = Object.keys(orders)

/** The customers whose e-mail address contains a text, sorted. An unknown order falls back to the first. */
export const findCustomers = (customers: Customer[], { email, sort }: { email: string; sort: string }) => {
  const part = email.trim().toLowerCase()
  const found = part ? customers.filter((one) => one.email.toLowerCase().includes(part)) : customers
  return found.toSorted(orders[sort] ?? orders.requests)
}

/** A credential's name, or else its kind and the end of its secret. */
export const sayCredential = ({ kind, name, last_four }: CredentialUsage) =>
  name ?? `${kinds[kind] ?? kind} …${last_four}`

const kinds: Record<string, string> = { subscriber_key: 'Key', personal_token: 'Token', oauth_client: 'Client' }
