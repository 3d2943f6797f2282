import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../../support/app.ts'
import { concurrentDatabase } from '../../../support/database.ts'
import { aPerson, flat } from '../../../support/people.ts'
import { until } from '../../../support/until.ts'

const database = await concurrentDatabase('changes of one client at the same time')

const claims = ({ db, ...app }: TestApp) => {
  test('a change that waited for another one is logged with what that one left as before', async () => {
    const { person } = await aPerson({ db, ...app })
    const id = (await flat(person, 'POST', '/oauth/clients', { name: 'x', scope: 'read:published' })).flat.client_id
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const { promise: isChanged, resolve: changed } = Promise.withResolvers<void>()
    const other = db.transaction(async (tx) => {
      await tx.sql`update credentials set agreed_limit = 7000, agreed_window_seconds = 3600 where id = ${id}`
      changed()
      await isOver
    })
    await isChanged
    const attributes = { rate_limit: { limit: 9000, window_seconds: 3600 } }
    const answer = app.operator.patch(`/internal/clients/${id}`, { data: { type: 'oauth_clients', id, attributes } })
    await until(async () => {
      const waiting = await db.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    over()
    await other
    expect((await answer).status).toBe(200)
    const [entry] = await db.sql<{ data: { before: object } }[]>`
      select data from audit_logs where auditable_id = ${id} and event_type = 'client.limit_changed'`
    expect(entry?.data.before).toMatchObject({ rate_limit: { limit: 7000, window_seconds: 3600 } })
  })
}

if (database) claims(await testApp({ db: database }))
