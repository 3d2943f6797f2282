import { type Plan, planAllowances, sayAllowance, sayWindow } from '../../../limits.ts'
import { get, post } from '../kit/api.ts'
import { sayNumber } from '../kit/format.ts'
import { type Loaded, useLoaded } from '../kit/load.ts'
import { sayDay } from '../kit/moments.ts'
import { Failure, Notice } from '../kit/notice.tsx'
import { useAct } from '../kit/use-action.ts'
import { isEntitled, planNames, type Subscription } from './subscription.ts'

type Price = { amount: string; currency: string; interval: string; interval_count: number }
/** A plan on sale, with its price if that is known. */
export type Offer = { plan: 'starter' | 'pro'; limit: number; window_seconds: number; price: Price | null }

/** Reads the plans on sale. */
export const useOffers = (): Loaded<Offer[]> =>
  useLoaded(async (signal) => (await get<{ plans: Offer[] }>('/pages/v1/billing/plans', { signal })).plans, 'plans')

/** `$9 a month`, `€90 a year`, `$24 every 3 months`. */
export const sayPrice = ({ amount, currency, interval, interval_count: count }: Price) => {
  const money = new Intl.NumberFormat('en', { style: 'currency', currency, trailingZeroDisplay: 'stripIfInteger' })
  return `${money.format(Number(amount))} ${count === 1 ? `a ${interval}` : `every ${count} ${interval}s`}`
}

type OffersProps = { offers: Offer[]; subscription: Subscription }

/** The plans to choose from: what each includes, what it costs, and what the account would lose with it. */
export const Offers = ({ offers, subscription }: OffersProps) => {
  const { act, failure } = useAct()
  return (
    <>
      {failure && <Failure failure={failure} />}
      <div class="panels">
        {offers.map((offer) => (
          <section key={offer.plan} class="panel offer-panel">
            <h3>{planNames[offer.plan]}</h3>
            <p class="figure">{offer.price ? sayPrice(offer.price) : 'See price at Stripe'}</p>
            <Gives {...offer} />
            <Loss {...offer} subscription={subscription} />
            <button
              type="button"
              class="primary"
              onClick={() => act(() => goToStripe('checkout', { plan: offer.plan }))}
            >
              Get {planNames[offer.plan]}
            </button>
          </section>
        ))}
      </div>
      <p class="faint">You pay on Stripe’s page. It shows the taxes, and you can still cancel there.</p>
    </>
  )
}

/** Opens a Stripe page for the account. */
export const goToStripe = async (page: 'checkout' | 'portal', asked: { plan?: Plan }) => {
  const { url } = await post<{ url: string }>(`/v1/billing/${page}`, asked, { flat: true })
  location.assign(url)
}

/** What a plan includes. */
const Gives = ({ limit, window_seconds }: Pick<Offer, 'limit' | 'window_seconds'>) => (
  <ul>
    <li>{sayAllowance({ limit, windowSeconds: window_seconds })} with your key</li>
    <li>the same again for all your clients and tokens together</li>
    <li>the whole catalog, search, bulk files and the change feed</li>
  </ul>
)

/** What the account would lose by buying a plan. */
const Loss = ({ limit, window_seconds, plan, subscription }: Offer & Pick<OffersProps, 'subscription'>) => {
  const now = isEntitled(subscription) && subscription.plan ? planAllowances[subscription.plan] : undefined
  const isLess = now && now.limit / now.windowSeconds > limit / window_seconds
  const isTrial = subscription.status === 'trialing' && subscription.trial_ends_at
  if (!isLess && !isTrial) return null
  return (
    <Notice kind="warning">
      {isLess && now && (
        <p>
          <strong>That’s less than you have now.</strong> Your {sayNumber(now.limit)} requests{' '}
          {sayWindow(now.windowSeconds)} become {sayNumber(limit)}. Beyond that, requests are refused (429).
          {plan === 'starter' && ' With Pro, you keep what you have.'}
        </p>
      )}
      {isTrial && subscription.trial_ends_at && (
        <p>
          You pay starting today. Your free trial, which would last until {sayDay(subscription.trial_ends_at)}, ends
          early.
        </p>
      )}
    </Notice>
  )
}
