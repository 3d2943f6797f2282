import type { Config } from '../config.ts'
import type { PaymentsPort, Price } from './payments.ts'
import { type Ask, unlessMissing } from './stripe-answers.ts'

type Settings = Config['stripe']

/** The configured prices at Stripe: what each costs, and whether they exist. */
export const prices = (
  ask: Ask,
  { priceStarter, pricePro }: Settings,
): Pick<PaymentsPort, 'findPrice' | 'examine'> => ({
  findPrice: async (id) => {
    const found = await unlessMissing(ask('retrieve price', (stripe) => stripe.prices.retrieve(id)))
    return found && readPrice(found)
  },
  examine: async () => {
    for (const [name, price] of Object.entries({ STRIPE_PRICE_STARTER: priceStarter, STRIPE_PRICE_PRO: pricePro })) {
      const found = await unlessMissing(ask('retrieve price', (stripe) => stripe.prices.retrieve(price ?? '')))
      if (!found) throw new Error(`${name} names no price of this account`)
      if (found.active === false) throw new Error(`${name} names an archived price`)
    }
  },
})

/** Makes a small request to see whether Stripe answers. */
export const probe = async (ask: Ask, { priceStarter, pricePro }: Settings) => {
  const options = { maxNetworkRetries: 0, timeout: 5000 }
  const price = priceStarter ?? pricePro
  if (price) await ask('probe', (stripe) => stripe.prices.retrieve(price, {}, options))
  else await ask('probe', (stripe) => stripe.prices.list({ limit: 1 }, options))
}

type Given = {
  active?: unknown
  unit_amount?: unknown
  currency?: unknown
  recurring?: { interval?: unknown; interval_count?: unknown } | null
}

const intervals: readonly unknown[] = ['day', 'week', 'month', 'year'] satisfies Price['interval'][]

/** Reads a price from Stripe. Amounts are in the smallest unit of the currency. */
const readPrice = (value: unknown): Price | undefined => {
  const { active, unit_amount: amount, currency, recurring } = value as Given
  const { interval, interval_count: count } = recurring ?? {}
  const isFixed = typeof amount === 'number' && Number.isSafeInteger(amount) && amount >= 0
  if (active === false || !isFixed || typeof currency !== 'string' || !/^[a-z]{3}$/.test(currency)) return undefined
  if (!intervals.includes(interval) || !Number.isSafeInteger(count)) return undefined
  const decimals = decimalsOf(currency)
  return {
    amount: (amount / 10 ** decimals).toFixed(decimals),
    currency: currency.toUpperCase(),
    interval: interval as Price['interval'],
    intervalCount: count as number,
  }
}

/** How many decimals Stripe's amounts have (docs.stripe.com/currencies), which isn't always how many people write. */
const decimalsOf = (currency: string) => (whole.has(currency) ? 0 : thousandths.has(currency) ? 3 : 2)

const whole = new Set('bif clp djf gnf jpy kmf krw mga pyg rwf vnd vuv xaf xof xpf'.split(' '))
const thousandths = new Set('bhd jod kwd omr tnd'.split(' '))
