import { describe, expect, test } from 'bun:test'
import { customerOfEvent } from '../../src/billing/event-customer.ts'
import { readSubscription } from '../../src/payments/read-subscription.ts'

const item = (price: string, end?: number) => ({ price: { id: price }, current_period_end: end })
const told = (more: object = {}) => ({
  id: 'sub_1',
  status: 'active',
  customer: 'cus_1',
  created: 1_700_000_000,
  ...more,
})

describe('a subscription of Stripe', () => {
  test('ends its period where its items do, or in older versions of the API itself', () => {
    const end = '2026-12-21T10:04:33.000Z'
    const at = Date.parse(end) / 1000
    const items = { data: [item('price_a', at - 10), item('price_b', at)] }
    expect(readSubscription(told({ items }))?.items).toEqual([
      { priceId: 'price_a', periodEnd: new Date((at - 10) * 1000) },
      { priceId: 'price_b', periodEnd: new Date(end) },
    ])
    const old = told({ items: { data: [item('price_a')] }, current_period_end: at })
    expect(readSubscription(old)?.items).toEqual([{ priceId: 'price_a', periodEnd: new Date(end) }])
    expect(readSubscription(told())?.items).toEqual([])
  })
  test('may show its customer whole, and is none without an id, a status or a customer', () => {
    expect(readSubscription(told({ customer: { id: 'cus_2', object: 'customer' } }))?.customerId).toBe('cus_2')
    for (const none of [
      null,
      undefined,
      'sub_1',
      {},
      told({ id: 1 }),
      told({ status: null }),
      told({ customer: null }),
    ])
      expect(readSubscription(none)).toBeUndefined()
  })
})

describe('an event', () => {
  const about = (type: string, object: Record<string, unknown>) => customerOfEvent({ id: 'evt_1', type, object })
  const one = { customerId: 'cus_1', subscriptionId: 'sub_1' }

  test('of an invoice names the subscription in the form of every version of the API', () => {
    const parent = { subscription_details: { subscription: 'sub_1' } }
    for (const type of ['invoice.paid', 'invoice.payment_failed']) {
      expect(about(type, { customer: 'cus_1', parent })).toEqual(one)
      expect(about(type, { customer: { id: 'cus_1' }, subscription: { id: 'sub_1' } })).toEqual(one)
      expect(about(type, { customer: 'cus_1', parent: null })).toEqual({
        customerId: 'cus_1',
        subscriptionId: undefined,
      })
    }
  })
  test('of a checkout or a subscription names both, whatever happened to it', () => {
    expect(about('checkout.session.completed', { customer: 'cus_1', subscription: 'sub_1' })).toEqual(one)
    for (const what of [
      'created',
      'updated',
      'deleted',
      'paused',
      'resumed',
      'trial_will_end',
      'pending_update_applied',
    ])
      expect(about(`customer.subscription.${what}`, { id: 'sub_1', customer: 'cus_1' })).toEqual(one)
  })
  test('of anything else names nothing', () => {
    for (const type of ['customer.updated', 'invoice.created', 'checkout.session.expired', 'toString', ''])
      expect(about(type, { id: 'sub_1', customer: 'cus_1' })).toBeUndefined()
  })
})
