import { planAllowances, sayAllowance } from '../../../limits.ts'
import { Fact } from '../kit/fact.tsx'
import { sayNumber } from '../kit/format.ts'
import type { Loaded } from '../kit/load.ts'
import { sayDay, sayDistance } from '../kit/moments.ts'
import { Failure, Notice, Show } from '../kit/notice.tsx'
import { Section } from '../kit/page.tsx'
import { settings } from '../kit/settings.ts'
import { useAct } from '../kit/use-action.ts'
import { CheckoutOutcome } from './checkout-outcome.tsx'
import { goToStripe, type Offer, Offers, sayPrice } from './plans.tsx'
import { hasPaid, isEntitled, planNames, type Subscription } from './subscription.ts'

type SectionProps = { read: Loaded<Subscription>; offers: Loaded<Offer[]> }

/** The plan and its dates, and ways to buy or manage one. */
export const SubscriptionSection = ({ read, offers }: SectionProps) => (
  <Section title="Subscription">
    <CheckoutOutcome read={read} />
    <Show of={read} lines={3}>
      {(subscription) => (
        <>
          <Standing subscription={subscription} offers={offers.value ?? []} />
          <Ways subscription={subscription} offers={offers} />
        </>
      )}
    </Show>
  </Section>
)

const Standing = ({ subscription, offers }: { subscription: Subscription; offers: Offer[] }) => {
  const { plan, status, trial_ends_at, current_period_end, cancel_at, cancel_at_period_end } = subscription
  if (!plan) return <p>You have no plan.</p>
  const price = hasPaid(subscription) && offers.find((offer) => offer.plan === plan)?.price
  return (
    <dl class="facts">
      <Fact name="Plan">
        {planNames[plan]}: {sayAllowance(planAllowances[plan])}
        {price && `, ${sayPrice(price)}`}
      </Fact>
      <Fact name="Status">
        <span class={`badge ${isEntitled(subscription) ? 'good' : 'bad'}`}>{status?.replace('_', ' ')}</span>
      </Fact>
      {plan === 'trial' && status === 'trialing' && trial_ends_at && (
        <Fact name="Trial ends">
          <strong>{sayDistance(trial_ends_at)}</strong>, on {sayDay(trial_ends_at)}
        </Fact>
      )}
      {isEntitled(subscription) && (
        <Fact name={cancel_at_period_end ? 'Ends' : 'Renews'}>{current_period_end && sayDay(current_period_end)}</Fact>
      )}
      {isEntitled(subscription) && cancel_at && !cancel_at_period_end && <Fact name="Ends">{sayDay(cancel_at)}</Fact>}
    </dl>
  )
}

type WaysProps = { subscription: Subscription; offers: Loaded<Offer[]> }

/** Ways to change the plan, on Stripe's pages. */
const Ways = ({ subscription, offers }: WaysProps) => {
  const { act, failure } = useAct()
  if (!settings.canBuy) return <p class="faint">Nothing is sold here. This service’s operators assign the plans.</p>
  return (
    <>
      {!hasPaid(subscription) && (
        <Show of={offers} lines={6}>
          {(plans) =>
            plans.length > 0 ? (
              <Offers offers={plans} subscription={subscription} />
            ) : (
              <Notice>No plans are on sale right now.</Notice>
            )
          }
        </Show>
      )}
      {failure && <Failure failure={failure} />}
      <div class="actions">
        <button type="button" onClick={() => act(() => goToStripe('portal', {}))}>
          Manage billing
        </button>
        <span class="faint">
          See invoices, change your payment card or plan, or cancel.
          {subscription.plan === 'pro' && hasPaid(subscription) && downgrade}
        </span>
      </div>
    </>
  )
}

const downgrade = ` If you switch to Starter, you keep ${sayNumber(planAllowances.starter.limit)} of your ${sayAllowance(planAllowances.pro)}.`
