import type { Context } from '../context.ts'
import type { PaymentsPort, Price } from '../payments/payments.ts'
import { orLogged } from './failures.ts'
import { type PaidPlan, paidPlans, priceOf } from './plans.ts'

/** The prices of the plans, and when they were read. A plan that can't be bought is missing. */
export type Prices = { readAt: Date; of: Map<PaidPlan, Price> }

/** How long prices are used before they are read again in the background. After a day without an answer, they are dropped. */
export const freshness = { freshSeconds: 600, keptSeconds: 86_400 }

/** How long to wait for the first answer, and after a failure. */
const patienceMilliseconds = 3000
const pauseSeconds = 30

type Known = { prices?: Prices; reading?: Promise<void>; triedAt?: Date }

const known = new WeakMap<PaymentsPort, Known>()

/** The prices of the plans, from memory if they were read recently. Undefined if billing is off or Stripe doesn't answer. */
export const readPrices = async (context: Context, now: Date): Promise<Prices | undefined> => {
  const { payments } = context
  if (!payments) return undefined
  const memory = known.getOrInsertComputed(payments, (): Known => ({}))
  const age = secondsSince(memory.prices?.readAt, now)
  if (age >= freshness.freshSeconds && secondsSince(memory.triedAt, now) >= pauseSeconds) {
    memory.triedAt = now
    memory.reading = orLogged(context, async () => {
      memory.prices = { readAt: now, of: await askAll(context, payments) }
    }).finally(() => {
      memory.reading = undefined
    })
  }
  if (age >= freshness.keptSeconds && memory.reading)
    await Promise.race([memory.reading, Bun.sleep(patienceMilliseconds)])
  return secondsSince(memory.prices?.readAt, now) < freshness.keptSeconds ? memory.prices : undefined
}

/** How far a time is from now. After the clock was set back, a time in the future is as old as one in the past. */
const secondsSince = (time: Date | undefined, now: Date) =>
  time ? Math.abs(now.getTime() - time.getTime()) / 1000 : Number.POSITIVE_INFINITY

const askAll = async ({ config }: Context, payments: PaymentsPort) => {
  const found = await Promise.all(
    paidPlans.map(async (plan) => {
      const id = priceOf(config, plan)
      return [plan, id ? await payments.findPrice(id) : undefined] as const
    }),
  )
  return new Map(found.flatMap(([plan, price]) => (price ? [[plan, price] as const] : [])))
}
