import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { anOperator } from '../../support/callers.ts'
import { concurrentDatabase } from '../../support/database.ts'
import { countDeadlocks } from '../../support/deadlocks.ts'
import { storm } from '../../support/storm-of-writers.ts'

const database = await concurrentDatabase('a storm of 32 writers')

const seed = Number(process.env.STORM_SEED ?? Date.now() % 1_000_000)
const seconds = Number(process.env.STORM_SECONDS ?? 8)

if (database) {
  const app = await testApp({ db: database })
  test(`32 writers over 50 records get no 5xx and meet no deadlock (STORM_SEED=${seed})`, async () => {
    const write = await storm(app.operator)
    const writers = await Promise.all(Array.from({ length: 32 }, () => anOperator(app.context, app.fetch, app.baseUrl)))
    const until = performance.now() + seconds * 1000
    const goesOn = () => performance.now() < until
    const blows = (await Promise.all(writers.map((each, n) => write(each, seed + n * 7919, goesOn)))).flat()
    expect(blows.filter(({ status }) => status >= 500).map(({ status, text }) => `${status} ${text}`)).toEqual([])
    expect(blows.filter(({ status }) => status < 300).length).toBeGreaterThan(32)
    expect(await countDeadlocks(database)).toBe(0)
    expect([...(await app.db.sql`select what, place, stored, truth from drift limit 20`)]).toEqual([])
  })
} else test.skip('a storm of 32 writers needs TEST_DATABASE_URL', () => {})
