import type { Plan } from '../../../limits.ts'
import { get } from '../kit/api.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'

/** The plans' display names. */
export const planNames: Record<Plan, string> = { trial: 'Trial', starter: 'Starter', pro: 'Pro' }

/** A subscription, as far as the API shows it. */
export type Subscription = {
  plan: Plan | null
  status: 'trialing' | 'active' | 'past_due' | 'canceled' | 'paused' | null
  trial_ends_at: string | null
  current_period_end: string | null
  cancel_at: string | null
  cancel_at_period_end: boolean
}

/** Reads the subscription. */
export const useSubscription = (): Loaded<Subscription> =>
  useLoaded(
    async (signal) =>
      (await get<{ data: { attributes: Subscription } }>('/v1/user/subscription', { signal })).data.attributes,
    'subscription',
  )

/** Whether the plan allows requests now. */
export const isEntitled = ({ status }: Subscription) => status === 'trialing' || status === 'active'

/** Whether there is a paid plan, including one that is past due or paused. */
export const hasPaid = ({ plan, status }: Subscription) => plan !== null && plan !== 'trial' && status !== 'canceled'
