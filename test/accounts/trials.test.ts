import { describe, expect, test } from 'bun:test'
import { accountLifecycle } from '../../src/accounts/lifecycle/job.ts'
import { activatePlan } from '../../src/accounts/subscriptions.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { tick } from '../../src/jobs/schedule.ts'
import { schedule } from '../../src/worker.ts'
import { testApp } from '../support/app.ts'
import { clientWith } from '../support/callers.ts'
import { runJobs } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { secondsToNoon } from '../support/noon.ts'
import { anAddress, day, later, signingUp } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { db, context, clock } = app
const { join } = signingUp(app)

const runDaily = async () => {
  await enqueue(db, accountLifecycle, {}, { now: clock.now() })
  await runJobs(context)
}
/** The subjects of what an account was told of its trial. */
const told = (email: string) =>
  mailsTo(context, email)
    .filter(({ kind }) => kind.startsWith('trial_'))
    .map(({ subject }) => subject.replace('Your Cardstock trial ', ''))
const statusOf = async (id: string) =>
  (await db.sql`select status from subscriptions where user_id = ${id}`)[0]?.status as string
const onDays = async (days: number[]) => {
  for (const days_ of days) await later(app, days_ * day - 600, runDaily)
}

describe('a trial', () => {
  test('brings a reminder at 7 days, 2 days and the last day, each once, and ends', async () => {
    const { email, id } = await join()
    await onDays([1, 2, 3, 4, 5, 6])
    expect(told(email)).toEqual([])
    await onDays([8, 8, 9, 10, 11, 12])
    expect(told(email)).toEqual(['ends in 7 days'])
    await onDays([13, 13])
    expect(told(email)).toEqual(['ends in 7 days', 'ends in 2 days'])
    await onDays([14, 14])
    expect(told(email)).toEqual(['ends in 7 days', 'ends in 2 days', 'ends within a day'])
    expect(await statusOf(id)).toBe('trialing')
    await onDays([15, 15, 16, 30])
    expect(told(email)).toEqual(['ends in 7 days', 'ends in 2 days', 'ends within a day', 'has ended'])
    expect(await statusOf(id)).toBe('canceled')
  })

  test('answers 402 once it has ended, with the key still good for the account', async () => {
    const { id, key } = await join()
    const caller = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${key}` })
    expect((await caller.get('/v1/cards')).status).toBe(200)
    await later(app, 14 * day + 60, runDaily)
    expect((await caller.get('/v1/cards')).faults).toEqual(['SUBSCRIPTION_REQUIRED'])
    expect((await caller.get('/v1/user/usage')).status).toBe(200)
    await activatePlan(db, id, 'starter', 14, clock.now())
    expect((await caller.get('/v1/cards')).status).toBe(200)
  })

  test('after days without the service brings the reminder that is due, not those that were missed', async () => {
    const { email } = await join()
    await later(app, 12.5 * day, runDaily)
    expect(told(email)).toEqual(['ends in 2 days'])
    await later(app, 13.5 * day, runDaily)
    expect(told(email)).toEqual(['ends in 2 days', 'ends within a day'])
  })

  test('whose whole rest passed without the service ends, and is told so alone', async () => {
    const { email, id } = await join()
    await later(app, 20 * day, runDaily)
    expect([told(email), await statusOf(id)]).toEqual([['has ended'], 'canceled'])
  })

  test('that has become a paid plan is neither reminded nor ended', async () => {
    const { email, id } = await join()
    await activatePlan(db, id, 'pro', 14, clock.now())
    await onDays([8, 13, 14, 15])
    expect([told(email), await statusOf(id)]).toEqual([[], 'active'])
  })

  test('of a subscription that is Stripe’s goes by Stripe', async () => {
    const { email, id } = await join()
    await db.sql`update subscriptions set stripe_subscription_id = 'sub_1' where user_id = ${id}`
    await onDays([8, 15])
    expect([told(email), await statusOf(id)]).toEqual([[], 'trialing'])
  })

  test('that is given again brings its reminders again', async () => {
    const { email, id } = await join()
    await later(app, 12.5 * day, runDaily)
    await later(app, 12.5 * day + 60, async () => {
      await activatePlan(db, id, 'trial', 14, clock.now())
      await later(app, 7.5 * day, runDaily)
    })
    expect(told(email)).toEqual(['ends in 2 days', 'ends in 7 days'])
  })
})

test('a trial that is shorter than a reminder’s time goes without it', async () => {
  const brief = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited', TRIAL_DAYS: '5' } })
  const { email } = await signingUp(brief).join(anAddress())
  const kinds = async (days: number) =>
    later(brief, days * day, async () => {
      await enqueue(brief.db, accountLifecycle, {}, { now: brief.clock.now() })
      await runJobs(brief.context)
      return mailsTo(brief.context, email).filter(({ kind }) => kind === 'trial_reminder').length
    })
  expect([await kinds(0.5), await kinds(3.5), await kinds(4.5)]).toEqual([0, 1, 2])
})

test('the day’s run is done once over all replicas, and made up for after a time without the service', async () => {
  const lifecycle = schedule.filter(({ job }) => job.name === accountLifecycle.name)
  expect(lifecycle).toHaveLength(1)
  const runs = async () => {
    for (let replica = 0; replica < 3; replica++) await tick(context, lifecycle)
    return (await runJobs(context)).filter(({ name }) => name === accountLifecycle.name).length
  }
  const ranAfter = (days: number) => later(app, secondsToNoon() + days * day, runs)
  expect([await ranAfter(0), await ranAfter(0)]).toEqual([1, 0])
  expect([await ranAfter(1), await ranAfter(9)]).toEqual([1, 1])
})
