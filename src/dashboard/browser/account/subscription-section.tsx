import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso/router'
import { type Plan, planAllowances, sayAllowance } from '../../../limits.ts'
import { get, post, Refused } from '../kit/api.ts'
import { sayDay, sayDistance } from '../kit/format.ts'
import { type Loaded, useAgain, useLoaded } from '../kit/load.ts'
import { Failure, Notice, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { settings } from '../kit/settings.ts'

type Subscription = {
  plan: Plan | null
  status: 'trialing' | 'active' | 'past_due' | 'canceled' | 'paused' | null
  trial_ends_at: string | null
  current_period_end: string | null
  cancel_at_period_end: boolean
}

const names = { trial: 'Trial', starter: 'Starter', pro: 'Pro' }
const offers = ['starter', 'pro'] as const satisfies Plan[]

/** Reads the subscription. */
export const useSubscription = (): Loaded<Subscription> =>
  useLoaded(
    async (signal) =>
      (await get<{ data: { attributes: Subscription } }>('/v1/user/subscription', { signal })).data.attributes,
    'subscription',
  )

/** The plan and its dates, and the ways to buy one and to manage it. After a checkout it asks until the plan is there. */
export const SubscriptionSection = ({ read }: { read: Loaded<Subscription> }) => {
  const { checkout } = useLocation().query
  const isPaid = read.value?.status === 'active' && read.value.plan !== 'trial'
  const isAwaited = checkout === 'success' && !isPaid
  useAgain(read, 3000, isAwaited)
  return (
    <Section title="Subscription">
      {isAwaited && <Notice>Thank you! The payment is being confirmed; this page shows the plan once it is.</Notice>}
      {checkout === 'cancelled' && <Notice>You bought nothing.</Notice>}
      <Show of={read} lines={3}>
        {(subscription) => (
          <>
            <Standing {...subscription} />
            <Ways {...subscription} />
          </>
        )}
      </Show>
    </Section>
  )
}

const Standing = ({ plan, status, trial_ends_at, current_period_end, cancel_at_period_end }: Subscription) => {
  if (!plan) return <p>You have no plan.</p>
  return (
    <dl class="facts">
      <dt>Plan</dt>
      <dd>{names[plan]}</dd>
      <dt>Status</dt>
      <dd>
        <span class={`badge ${status === 'active' || status === 'trialing' ? 'good' : 'bad'}`}>
          {status?.replace('_', ' ')}
        </span>
      </dd>
      {status === 'trialing' && trial_ends_at && (
        <>
          <dt>Trial ends</dt>
          <dd>
            <strong>{sayDistance(trial_ends_at)}</strong>, on {sayDay(trial_ends_at)}
          </dd>
        </>
      )}
      {current_period_end && (
        <>
          <dt>{cancel_at_period_end ? 'Ends' : 'Renews'}</dt>
          <dd>{sayDay(current_period_end)}</dd>
        </>
      )}
    </dl>
  )
}

/** What may be done about the plan; Stripe’s pages do it. */
const Ways = ({ plan, status }: Subscription) => {
  const [failure, setFailure] = useState<Refused>()
  const goTo = async (path: string, body: object) => {
    setFailure(undefined)
    try {
      const { url } = await post<{ url: string }>(path, body, { flat: true })
      location.assign(url)
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      setFailure(error)
    }
  }
  if (!settings.canBuy) return <p class="faint">This service has no billing, so you cannot buy a plan here.</p>
  const hasPaid = plan !== null && plan !== 'trial' && status !== 'canceled'
  return (
    <>
      {failure && <Failure failure={failure} />}
      <div class="actions">
        {!hasPaid &&
          offers.map((plan) => (
            <button key={plan} type="button" class="primary" onClick={() => goTo('/v1/billing/checkout', { plan })}>
              Get {names[plan]}: {sayAllowance(planAllowances[plan])}
            </button>
          ))}
        <button type="button" onClick={() => goTo('/v1/billing/portal', {})}>
          Manage billing
        </button>
      </div>
    </>
  )
}
