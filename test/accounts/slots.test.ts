import { describe, expect, test } from 'bun:test'
import { issueInvite, readInvites } from '../../src/accounts/invites/invite.ts'
import { accountLifecycle } from '../../src/accounts/lifecycle/job.ts'
import { activatePlan } from '../../src/accounts/subscriptions.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { aUser } from '../support/callers.ts'
import { concurrentDatabase } from '../support/database.ts'
import { runJobs } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { anAddress, asking, day, later, mailsOf, signingUp, tokenIn, withToken } from '../support/signing-up.ts'

const withSlots = async (slots: number | 'unlimited') => {
  const app = await testApp({ environment: { FOUNDING_SLOTS: String(slots) } })
  return { app, ...signingUp(app), remaining: () => remainingIn(app) }
}

const remainingIn = async (app: TestApp) => (await app.stranger().get('/v1/founding-slots/remaining')).document

/** The daily job, and whatever it brings. */
const runDaily = async ({ context, db, clock }: TestApp) => {
  await enqueue(db, accountLifecycle, {}, { now: clock.now() })
  await runJobs(context)
}

const statusOf = async ({ db }: TestApp, email: string) => {
  const [row] = await db.sql`
    select s.status from users u left join subscriptions s on s.user_id = u.id where u.email_key = ${email}`
  return row && (row.status ?? 'none')
}

describe('the founding pool', () => {
  test('counts accounts that signed up and are trialing or active, and no others', async () => {
    const { app, join, signUp, remaining } = await withSlots(3)
    expect(await remaining()).toEqual({ remaining: 3, capacity: 3 } as never)
    await signUp(anAddress())
    expect(await remaining()).toEqual({ remaining: 3, capacity: 3 } as never)
    const { id } = await join()
    await aUser(app.context)
    expect(await remaining()).toEqual({ remaining: 2, capacity: 3 } as never)
    await activatePlan(app.db, id, 'pro', 14, app.clock.now())
    expect(await remaining()).toEqual({ remaining: 2, capacity: 3 } as never)
    for (const status of ['past_due', 'canceled', 'paused']) {
      await app.db.sql`update subscriptions set status = ${status} where user_id = ${id}`
      expect(await remaining()).toEqual({ remaining: 3, capacity: 3 } as never)
    }
  })

  test('that is full keeps the address of a sign-up on the waiting list, and nothing else', async () => {
    const { app, join, signUp } = await withSlots(1)
    const { email: member } = await join()
    const email = anAddress()
    const [free, taken] = [await signUp(email), await signUp(member)]
    expect([free.status, free.meta]).toEqual([202, { waitlisted: true }])
    expect([taken.status, taken.meta]).toEqual([202, { waitlisted: true }])
    expect((await signUp(email)).text).toBe(free.text)
    expect(await statusOf(app, email)).toBeUndefined()
    expect(await mailsOf(app, email, 'verify_address')).toEqual([])
    expect(await app.db.sql`select id from waiting_list where email = ${email}`).toHaveLength(1)
  })

  test('that fills up before the link is opened: the account is verified and waits, without trial and key', async () => {
    const { app, join, signUp, lastToken, verify, resend } = await withSlots(1)
    const email = anAddress()
    await signUp(email)
    await join()
    const token = await lastToken(email)
    const answer = await verify(token)
    expect([answer.status, answer.meta]).toEqual([200, { waitlisted: true }])
    expect(answer.one.attributes).toMatchObject({ trial_ends_at: null, verified_at: expect.any(String) as never })
    expect(await statusOf(app, email)).toBe('none')
    expect(await app.db.sql`select id from credentials where user_id = ${answer.one.id}`).toHaveLength(0)
    expect(await mailsOf(app, email, 'welcome')).toEqual([])
    expect([(await verify(token)).status, (await resend(token)).status]).toEqual([422, 202])
  })

  test('is not opened by an invite', async () => {
    const { app, signUp } = await withSlots(0)
    const { id, code } = await issueInvite(app.db, {}, app.clock.now())
    expect((await signUp(anAddress(), { invite_code: code })).meta).toEqual({ waitlisted: true })
    expect((await readInvites(app.db, { now: app.clock.now(), id }))[0]).toMatchObject({ claims: 0, holds: 0 })
    const { code: pinned } = await issueInvite(app.db, { email: anAddress() }, app.clock.now())
    for (const wrong of ['no such code', pinned])
      expect((await signUp(anAddress(), { invite_code: wrong })).faults).toEqual([
        'invite_invalid /data/attributes/invite_code',
      ])
  })

  test('that is lifted has no numbers, and never makes anybody wait', async () => {
    const { join, remaining } = await withSlots('unlimited')
    expect(await remaining()).toEqual({ remaining: null, capacity: null } as never)
    expect((await join()).key).toBeString()
  })

  test('gives its last slot once, however many verify at once', async () => {
    const { signUp, lastToken, verify, remaining } = await withSlots(1)
    const emails = [anAddress(), anAddress(), anAddress()]
    for (const email of emails) await signUp(email)
    const tokens = []
    for (const email of emails) tokens.push(await lastToken(email))
    const answers = await Promise.all(tokens.map(verify))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(answers.filter(({ meta }) => meta.api_key)).toHaveLength(1)
    expect(answers.filter(({ meta }) => meta.waitlisted)).toHaveLength(2)
    expect(await remaining()).toEqual({ remaining: 0, capacity: 1 } as never)
  })
})

describe('the waiting list', () => {
  test('gives a slot that came free to the oldest account, which starts its trial and gets a mail', async () => {
    const { app, join, signUp, lastToken, verify } = await withSlots(1)
    const [early, late] = [anAddress(), anAddress()]
    for (const email of [early, late]) await signUp(email)
    await join()
    for (const email of [early, late]) expect((await verify(await lastToken(email))).meta.waitlisted).toBe(true)
    await runDaily(app)
    expect([await statusOf(app, early), await statusOf(app, late)]).toEqual(['none', 'none'])
    await later(app, 14 * day + 60, async () => {
      await runDaily(app)
      expect([await statusOf(app, early), await statusOf(app, late)]).toEqual(['trialing', 'none'])
      expect(mailsTo(app.context, early).map(({ kind }) => kind)).toContain('trial_started')
      await runDaily(app)
      expect(mailsTo(app.context, early).filter(({ kind }) => kind === 'trial_started')).toHaveLength(1)
      expect(await statusOf(app, late)).toBe('none')
    })
  })

  test('gives a key that an account made while it waited the limit of the trial', async () => {
    const { app, join, signUp, lastToken, verify, inSession } = await withSlots(1)
    const email = anAddress()
    await signUp(email)
    const { id } = await join()
    await verify(await lastToken(email))
    const { meta } = await (await inSession(email)).send('POST', '/v1/user/api-key')
    const caller = withToken(app, meta.api_key)
    expect((await caller.get('/v1/cards')).status).toBe(402)
    await app.db.sql`delete from users where id = ${id}`
    await runDaily(app)
    const answer = await caller.get('/v1/cards')
    expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '10000'])
  })

  test('is served once a run, though the run was cut and begun again', async () => {
    const { app, join, signUp } = await withSlots(1)
    const { id } = await join()
    const email = anAddress()
    await signUp(email)
    await app.db.sql`delete from users where id = ${id}`
    const again = { id, attempt: 2, now: app.clock.now(), signal: new AbortController().signal, save: async () => {} }
    await accountLifecycle.perform(app.context, {}, { ...again, progress: { isHandedOut: true } })
    await runJobs(app.context)
    expect(mailsTo(app.context, email)).toEqual([])
    await accountLifecycle.perform(app.context, {}, { ...again, progress: undefined })
    await runJobs(app.context)
    expect(mailsTo(app.context, email)).toHaveLength(1)
  })

  test('keeps the place of an account whose address changes, and writes to the new one', async () => {
    const { app, join, signUp, lastToken, verify, inSession } = await withSlots(1)
    const [email, wanted] = [anAddress(), anAddress()]
    await signUp(email)
    const { id } = await join()
    await verify(await lastToken(email))
    await signUp(wanted)
    const person = await inSession(email)
    await person.patch('/v1/user/email', asking('email_changes', { email: wanted }))
    const token = tokenIn((await mailsOf(app, wanted, 'confirm_address'))[0])
    await app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token }))
    await signUp(email)
    await app.db.sql`delete from users where id = ${id}`
    await runDaily(app)
    expect(await statusOf(app, wanted)).toBe('trialing')
    expect(mailsTo(app.context, wanted).map(({ kind }) => kind)).toEqual(['confirm_address', 'trial_started'])
    expect(mailsTo(app.context, email).map(({ kind }) => kind)).toEqual(['verify_address', 'address_changed'])
  })

  test('offers a slot to the oldest address once; signing up with it starts the trial', async () => {
    const { app, join, signUp } = await withSlots(1)
    const { id } = await join()
    const [early, late] = [anAddress(), anAddress()]
    for (const email of [early, late]) await signUp(email)
    await app.db.sql`delete from users where id = ${id}`
    await runDaily(app)
    const [offer] = mailsTo(app.context, early)
    expect([offer?.kind, offer?.link]).toEqual([
      'slot_free',
      `${app.baseUrl}/signup?email=${encodeURIComponent(early)}`,
    ])
    expect(mailsTo(app.context, late)).toEqual([])
    await runDaily(app)
    expect(mailsTo(app.context, early)).toHaveLength(1)
    expect(mailsTo(app.context, late)).toHaveLength(1)
    expect((await join(early)).key).toBeString()
    expect(await app.db.sql`select id from waiting_list where email = ${early}`).toHaveLength(0)
  })

  test('an address that was offered a slot and came too late waits again, in its old place', async () => {
    const { app, join, signUp } = await withSlots(1)
    const first = await join()
    const [early, late] = [anAddress(), anAddress()]
    for (const email of [early, late]) await signUp(email)
    await app.db.sql`delete from users where id = ${first.id}`
    await runDaily(app)
    const second = await join()
    expect((await signUp(early)).meta.waitlisted).toBe(true)
    await app.db.sql`delete from users where id = ${second.id}`
    await runDaily(app)
    expect(mailsTo(app.context, early).map(({ kind }) => kind)).toEqual(['slot_free', 'slot_free'])
    expect(mailsTo(app.context, late)).toEqual([])
  })

  test('forgets whoever has become active meanwhile, and gives the slot to the next', async () => {
    const { app, join, signUp, lastToken, verify } = await withSlots(1)
    const [paying, next] = [anAddress(), anAddress()]
    for (const email of [paying, next]) await signUp(email)
    const { id } = await join()
    const answer = await verify(await lastToken(paying))
    await verify(await lastToken(next))
    await activatePlan(app.db, answer.one.id, 'pro', 14, app.clock.now())
    await app.db.sql`update subscriptions set status = 'canceled' where user_id = any(${[id, answer.one.id]}::uuid[])`
    await runDaily(app)
    expect([await statusOf(app, paying), await statusOf(app, next)]).toEqual(['canceled', 'trialing'])
  })
})

const shared = await concurrentDatabase('verifications of several sessions for the last slot')

test.skipIf(!shared)('many sessions at once never give away more slots than there are', async () => {
  const app = await testApp({ db: shared, environment: { FOUNDING_SLOTS: '3' } })
  const { signUp, lastToken, verify } = signingUp(app)
  const emails = Array.from({ length: 12 }, anAddress)
  for (const email of emails) await signUp(email)
  const tokens = []
  for (const email of emails) tokens.push(await lastToken(email))
  const answers = await Promise.all([...tokens.map(verify), runDaily(app)])
  expect(answers.filter((answer) => answer?.meta.api_key)).toHaveLength(3)
  expect((await remainingIn(app)) as unknown).toEqual({ remaining: 0, capacity: 3 })
})
