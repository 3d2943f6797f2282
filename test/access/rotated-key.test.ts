import { expect, test } from 'bun:test'
import { issueKey } from '../../src/access/credentials.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aUser } from '../support/callers.ts'
import { concurrentDatabase } from '../support/database.ts'
import { bearerOf } from '../support/people.ts'

const database = await concurrentDatabase('a key that is replaced while its requests are counted')

const claims = (app: TestApp) => {
  const { db, context } = app
  test('requests that are being counted while the key is replaced count on the window of the next one', async () => {
    const user = await aUser(context)
    const key = (secret: string) => bearerOf(app, secret)
    const issue = () => issueKey(db, user, context.config, new Date(), 'starter')
    await key((await issue()).secret).get('/v1/genres')
    const counting = Promise.withResolvers<void>()
    const replaced = Promise.withResolvers<void>()
    const counted = db.transaction(async (tx) => {
      const changed = await tx.sql`update rate_windows set count = count + 500 where count = 1 returning key`
      expect(changed.length).toBe(1)
      counting.resolve()
      await replaced.promise
    })
    await counting.promise
    const { secret } = await issue()
    replaced.resolve()
    await counted
    expect((await key(secret).get('/v1/genres')).headers.get('x-ratelimit-remaining')).toBe('498')
  })
}

if (database) claims(await testApp({ db: database }))
