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
}
