import { expect, test } from 'bun:test'
import { testBilling } from '../support/billing.ts'
import { concurrentDatabase } from '../support/database.ts'
import { moves } from '../support/stripe/moves.ts'
import { until } from '../support/until.ts'

const database = await concurrentDatabase('an event that comes while its account is deleted')

if (database) {
  const { app, stripe, aPayer, deliverNews, heldBy } = await testBilling({}, database)

  test('an event and the deletion of its account take their locks in the same order', async () => {
    const payer = await aPayer()
    const [subscription] = await heldBy(payer.user)
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const deleting = app.db.transaction(async (tx) => {
      await tx.sql`select id from users where id = ${payer.user} for update`
      held()
      await isOver
      await tx.sql`select 1 from billing_accounts where user_id = ${payer.user} for update nowait`
      await tx.sql`delete from users where id = ${payer.user}`
    })
    await isHeld
    if (subscription) moves.end(stripe.world, subscription)
    const statuses = deliverNews()
    await until(async () => {
      const waiting = await app.db.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    over()
    await deleting
    expect(await statuses).toEqual([200])
  })
}
