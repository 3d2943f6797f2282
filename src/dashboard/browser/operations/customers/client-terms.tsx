import { sayNumber } from '../../kit/format.ts'
import { units } from '../../kit/moments.ts'

type Allowance = { limit: number; window_seconds: number }

/** A machine client, as operators see it. */
export type Client = {
  id: string
  attributes: {
    name: string
    scope: string
    user_id: string
    email: string
    internal_approved: boolean
    internal_pool: boolean
    rate_limit: Allowance | null
    next_rate_limit: { limit: number | null; window_seconds: number | null; from: string } | null
    created_at: string
    last_used_at: string | null
  }
}

type Terms = Client['attributes']

/** Changes what operators decide about a client. Throws Refused. */
export type ChangeClient = (
  change: Partial<Pick<Terms, 'internal_approved' | 'internal_pool' | 'rate_limit'>>,
) => Promise<unknown>

/** Whether a client wants the internal scope, and whether it is approved. */
export const InternalBadge = ({ scope, internal_approved }: Terms) => {
  if (internal_approved) return <span class="badge good">approved</span>
  if (scope.split(' ').includes('internal')) return <span class="badge warning">waiting for approval</span>
  return <>–</>
}

/** A client's current rate limit: agreed, that of the internal pool, or the usual one. */
export const sayLimit = ({ rate_limit, internal_pool }: Terms) => {
  if (rate_limit) return sayAllowance(rate_limit)
  return internal_pool ? 'the internal pool’s limit' : 'the usual limit'
}

/** `5,000 requests in 1 hour`. */
export const sayAllowance = ({ limit, window_seconds }: Allowance) =>
  `${sayNumber(limit)} requests in ${sayLength(window_seconds)}`

const sayLength = (seconds: number) => {
  const [name, size] = units.find(([, one]) => seconds % one === 0) ?? (['second', 1] as const)
  return `${sayNumber(seconds / size)} ${name}${seconds === size ? '' : 's'}`
}
