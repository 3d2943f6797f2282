import { expect, test } from 'bun:test'
import { makeContext } from '../../src/context.ts'
import { sweepDeliveries } from '../../src/webhooks/deliveries/delivery.ts'
import { webhookSealer } from '../../src/webhooks/secret.ts'
import { resealSecrets } from '../../src/webhooks/webhook.ts'
import { testApp } from '../support/app.ts'
import { aWebhook } from '../support/delivering.ts'

const app = await testApp()
const { db, visitor, clock, context } = app

test('of the deliveries of a webhook the newest 1,000 are kept, for 30 days, and all that are still to be sent', async () => {
  const [busy, calm] = [
    await aWebhook(visitor, 'https://busy.example.com/', ['set.published']),
    await aWebhook(visitor, 'https://calm.example.com/', ['set.published']),
  ]
  const deliver = (id: string, count: number, status: string, daysAgo: number) => db.sql`
    insert into webhook_deliveries (id, webhook_id, event, body, status, in_order, created_at)
    select n, ${id}, 'set.published', '{}', ${status}, true, now() - make_interval(days => ${daysAgo}::int)
    from unnest(${Array.from({ length: count }, () => Bun.randomUUIDv7())}::uuid[]) n`
  await deliver(busy.id, 1, 'pending', 0)
  await deliver(busy.id, 1010, 'delivered', 0)
  await deliver(calm.id, 5, 'failed', 31)
  await deliver(calm.id, 5, 'delivered', 0)
  await sweepDeliveries(db, clock.now())
  const left = await db.sql<{ id: string; status: string; count: number }[]>`
    select webhook_id as id, status, count(*)::int as count from webhook_deliveries group by 1, 2`
  const countOf = (id: string, status: string) => left.find((row) => row.id === id && row.status === status)?.count ?? 0
  expect([countOf(busy.id, 'delivered'), countOf(busy.id, 'pending')]).toEqual([1000, 1])
  expect([countOf(calm.id, 'delivered'), countOf(calm.id, 'failed')]).toEqual([5, 0])
})

test('once APP_SECRET is replaced, secrets of webhooks are sealed with the new one, and the old one can be forgotten', async () => {
  const { id, secret } = await aWebhook(visitor, 'https://calm.example.com/', ['set.published'])
  await visitor.send('POST', `/v1/user/webhooks/${id}/rotate`)
  const next = 'another secret, which is as long as it has to be'
  const { config, log } = context
  await resealSecrets(makeContext({ config, db, log, clock, secret: [next, context.secret as string] }))
  const [row] = await db.sql<{ secret: string; secret_before: string }[]>`
    select secret, secret_before from webhooks where id = ${id}`
  const { unseal } = webhookSealer({ secret: next })
  expect([unseal(row?.secret ?? '')?.slice(0, 6), unseal(row?.secret_before ?? '')]).toEqual(['whsec_', secret])
})
