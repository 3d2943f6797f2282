import { expect, test } from 'bun:test'
import { issueInvite } from '../../src/accounts/invites/invite.ts'
import { sweepAccounts } from '../../src/accounts/lifecycle/sweep.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { anAddress, asking, day, goodPassword, later, mailsOf, signingUp, tokenIn } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { db, context, clock } = app
const { signUp, lastToken, resend, verify, joinAndSignIn, signIn } = signingUp(app)

const sweep = async () => {
  await enqueue(db, sweepAccounts, {}, { now: clock.now() })
  await runJobs(context)
}
const countOf = async (table: string) => (await db.sql`select 1 from ${db.sql(table)}`).length

test('links and sessions that ended long ago go, and nothing that can still be used', async () => {
  const { code } = await issueInvite(db, { maxUses: 9, expiresAt: null }, clock.now())
  const { email, id, person } = await joinAndSignIn()
  await signIn(email)
  await person.delete('/v1/session')
  await person.patch('/v1/user/email', asking('email_changes', { email: anAddress() }))
  await app.stranger().post('/v1/user/password/forgot', asking('password_resets', { email }))
  await signUp(email, { invite_code: code })
  const waiting = anAddress()
  await signUp(waiting, { invite_code: code })
  await resend(await lastToken(waiting))
  const token = await lastToken(waiting)
  const counts = async () => ({
    verifications: await countOf('verifications'),
    resets: await countOf('password_resets'),
    uses: await countOf('invite_uses'),
    sessions: (await db.sql`select 1 from credentials where kind = 'session' and user_id = ${id}`).length,
  })
  const before = await counts()
  expect(before).toEqual({ verifications: 3, resets: 1, uses: 2, sessions: 2 })
  await sweep()
  expect(await counts()).toEqual(before)
  await later(app, 29 * day, async () => expect((await signIn(email)).status).toBe(201))
  await later(app, 40 * day, async () => {
    await sweep()
    expect(await counts()).toEqual({ verifications: 1, resets: 0, uses: 0, sessions: 2 })
    expect((await resend(token)).status).toBe(422)
    expect((await verify(token)).status).toBe(422)
  })
  await later(app, 95 * day, async () => {
    await sweep()
    expect((await counts()).sessions).toBe(0)
  })
})

test('where somebody signed in from is forgotten after 30 days, unless they did again; and so is a link to undo a change', async () => {
  const { email, person } = await joinAndSignIn()
  const wanted = anAddress()
  await person.patch('/v1/user/email', asking('email_changes', { email: wanted }))
  const confirm = tokenIn((await mailsOf(app, wanted, 'confirm_address'))[0])
  await app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token: confirm }))
  const home = app.stranger()
  const signInAtHome = async () =>
    (await home.post('/v1/session', asking('sessions', { email: wanted, password: goodPassword }))).status
  expect(await signInAtHome()).toBe(201)
  const kept = async () => [
    (
      await db.sql`
        select 1 from sign_in_networks where user_id = (select id from users where email = ${wanted})`
    ).length,
    (await db.sql`select 1 from email_undos where email = ${email}`).length,
  ]
  await later(app, 29 * day, async () => {
    await sweep()
    expect(await kept()).toEqual([2, 1])
    expect(await signInAtHome()).toBe(201)
  })
  await later(app, 34 * day, async () => {
    await sweep()
    expect(await kept()).toEqual([1, 0])
  })
})
