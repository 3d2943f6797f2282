import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { concurrentDatabase } from '../support/database.ts'
import { aWebhook, delivering, privateWebhooks } from '../support/delivering.ts'
import { factories } from '../support/factories.ts'
import { aReceiver, bodyOf } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const db = await concurrentDatabase('webhooks of several processes')
if (db) {
  const app = await testApp({ db, environment: privateWebhooks })

  test('several processes that send to the same webhooks send each message once, and in order', async () => {
    delivering(app)
    delivering(app)
    delivering(app)
    const receivers = Array.from({ length: 6 }, () => aReceiver())
    for (const { url } of receivers) await aWebhook(app.visitor, url, ['set.published'])
    const make = factories(app)
    const sets: string[] = []
    for (let n = 0; n < 10; n++) sets.push((await make.set({ status: 'published' })).id)
    const delivered = async () => {
      const [row] = await db.sql<{ count: number }[]>`
        select count(*)::int as count from webhook_deliveries where status = 'delivered'`
      return row?.count === 60
    }
    await until(delivered)
    for (const { messages } of receivers) expect(messages.map((message) => bodyOf(message).data.id)).toEqual(sets)
  })
  test('an attempt that takes longer than a lease stays with its process', async () => {
    const stops = [delivering(app), delivering(app)]
    const answered = Promise.withResolvers<Response>()
    const receiver = aReceiver(() => answered.promise)
    const webhook = await aWebhook(app.visitor, receiver.url, ['set.published'])
    await factories(app).set({ status: 'published' })
    await until(() => receiver.messages.length === 1)
    const heldUntil = async () => {
      const [row] = await db.sql<{ at: string }[]>`select locked_until as at from webhooks where id = ${webhook.id}`
      return Date.parse(row?.at ?? '')
    }
    const lapses = await heldUntil()
    await until(async () => (await heldUntil()) > lapses + 2000)
    await until(() => Date.now() > lapses + 1000)
    expect(receiver.messages.length).toBe(1)
    answered.resolve(new Response(null, { status: 204 }))
    const status = async () => (await app.visitor.get(`${webhook.self}/deliveries`)).many[0]?.attributes
    await until(async () => (await status())?.status === 'delivered')
    expect([(await status())?.attempts, receiver.messages.length]).toEqual([1, 1])
    for (const stop of stops) await stop()
    await app.visitor.delete(webhook.self)
  })
}
