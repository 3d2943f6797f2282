import type { Plan } from '../../../limits.ts'
import { get } from '../kit/api.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'

/** The plans as people call them. */
export const planNames: Record<Plan, string> = { trial: 'Trial', starter: 'Starter', pro: 'Pro' }

/** What the API tells of a subscription. */
export type Subscription = {
  plan: Plan | null
  status: 'trialing' | 'active' | 'past_due' | 'canceled' | 'paused' | null
  trial_ends_at: string | null
  current_period_end: string | null
  cancel_at_period_end: boolean
}

/** Reads the subscription. */
export const useSubscription = (): Loaded<Subscription> =>
  useLoaded(
    async (signal) =>
      (await get<{ data: { attributes: Subscription } }>('/v1/user/subscription', { signal })).data.attributes,
    'subscription',
  )

/** Whether the plan is good for requests now. */
export const isEntitled = ({ status }: Subscription) => status === 'trialing' || status === 'active'

/** Whether something is paid for, or was and waits for money. */
export const hasPaid = ({ plan, status }: Subscription) => plan !== null && plan !== 'trial' && status !== 'canceled'
