import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { aWebhook, delivering, privateWebhooks } from '../../support/delivering.ts'
import { factories } from '../../support/factories.ts'
import { aReceiver } from '../../support/receiver.ts'
import { until } from '../../support/until.ts'

const app = await testApp({ environment: privateWebhooks })
const { db, visitor } = app

/** As many webhooks like one that go to another address. */
const alike = (id: string, url: string, count: number) => db.sql`
  insert into webhooks (id, user_id, target_url, events, secret, changes_from, events_from, created_at, updated_at)
  select gen_random_uuid(), user_id, ${url}, events, secret, changes_from, events_from, created_at, updated_at
  from webhooks, generate_series(1, ${count}::int) where id = ${id}`

test('100 receivers that never answer don’t keep 900 others waiting', async () => {
  const [hanging, quick] = [aReceiver(() => new Promise<Response>(() => {})), aReceiver()]
  const { id, self } = await aWebhook(visitor, quick.url, ['set.published'])
  await alike(id, hanging.url, 100)
  await alike(id, quick.url, 900)
  await visitor.delete(self)
  // Those that hang come first.
  await db.sql`update webhooks set tried_at = now() where target_url = ${quick.url}`
  delivering(app)
  await factories(app).set({ status: 'published' })
  await until(() => quick.messages.length > 0)
  const ended = await db.sql`select 1 from webhook_deliveries where error is not null`
  expect([ended.length, hanging.messages.length]).toEqual([0, 100])
  for (const enough of [100, 300, 600, 900]) await until(() => quick.messages.length >= enough)
  expect(new Set(quick.messages.map(({ headers }) => headers['webhook-id'])).size).toBe(900)
})
