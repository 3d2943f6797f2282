import { describe, expect, test } from 'bun:test'
import { hashPassword } from '../../src/access/passwords.ts'
import { issueInvite } from '../../src/accounts/invites/invite.ts'
import { sweepAccounts } from '../../src/accounts/lifecycle/sweep.ts'
import { findUser, insertUser } from '../../src/accounts/users.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { testApp } from '../support/app.ts'
import { runJobs } from '../support/jobs.ts'
import { anAddress, asking, day, later, mailsOf, signingUp, standing, tokenIn } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { db, context, clock } = app
const { signUp, lastToken, verify, resend, signIn, joinAndSignIn } = signingUp(app)

const [mine, theirs] = ['the one that I chose', 'what an attacker chose']
const verifyWith = (token: string, password: unknown) =>
  app.stranger().post('/v1/signup/verify', asking('verifications', { token, password }))
/** Two sign-ups for one address, the attacker’s last, and the token of each. */
const contested = async () => {
  const email = anAddress()
  await signUp(email, { password: mine, name: 'Me' })
  const own = await lastToken(email)
  await signUp(email, { password: theirs, name: 'Eve' })
  return { email, own, foreign: await lastToken(email) }
}
const mailCount = async (email: string) => (await mailsOf(app, email, 'verify_address')).length

describe('an address that never was verified belongs to nobody', () => {
  test('each sign-up for it has its own token and its own password', async () => {
    const { email, own } = await contested()
    expect((await verify(own)).one.attributes).toMatchObject({ email, name: 'Me' })
    expect([(await signIn(email, mine)).status, (await signIn(email, theirs)).status]).toEqual([201, 401])
  })

  test('verifying one makes the account with the password of that sign-up and ends the other tokens', async () => {
    const { email, own, foreign } = await contested()
    expect((await verify(own)).status).toBe(200)
    expect((await verify(foreign)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
    const before = await mailCount(email)
    for (const token of [own, foreign]) expect((await resend(token)).status).toBe(202)
    expect(await mailCount(email)).toBe(before)
    expect(await db.sql`select 1 from sign_ups where email = ${email} and password_hash is not null`).toHaveLength(0)
  })

  test('two links opened at once make one account', async () => {
    const { email, own, foreign } = await contested()
    const answers = await Promise.all([verify(own), verify(foreign)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422])
    expect(await db.sql`select 1 from users where email_key = ${email}`).toHaveLength(1)
  })

  test('a password that is not that sign-up’s is a 422, and the token stays good', async () => {
    const { email, own, foreign } = await contested()
    for (const password of [mine, '', 'x', theirs.toUpperCase()])
      expect((await verifyWith(foreign, password)).faults).toEqual(['VALIDATION-FAILED /data/attributes/password'])
    expect((await verifyWith(own, theirs)).faults).toEqual(['VALIDATION-FAILED /data/attributes/password'])
    expect((await verifyWith(own, null)).faults).toEqual(['VALIDATION-FAILED /data/attributes/password'])
    expect((await verifyWith(own, mine)).status).toBe(200)
    expect((await signIn(email, mine)).status).toBe(201)
    expect((await verifyWith(own, theirs)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })

  test('an expired token is a 410 whatever the password, and an unknown one a 422 of the token', async () => {
    const { own } = await contested()
    await later(app, day + 60, async () => expect((await verifyWith(own, mine)).status).toBe(410))
    expect((await verifyWith('0'.repeat(64), mine)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
  })

  test('the command line makes an account of it, another account may change to it, and nothing is found under it', async () => {
    const { email, own } = await contested()
    expect(await findUser(db, email)).toBeUndefined()
    const passwordHash = await hashPassword('what the operator chose')
    await insertUser(db, { email, passwordHash, operator: false }, clock.now())
    expect((await verify(own)).status).toBe(422)
    expect((await resend(own)).status).toBe(202)
    expect((await signIn(email, 'what the operator chose')).status).toBe(201)

    const other = await contested()
    const { person } = await joinAndSignIn()
    const asked = await person.patch('/v1/user/email', asking('email_changes', { email: other.email }))
    expect(asked.status).toBe(200)
    const token = tokenIn((await mailsOf(app, other.email, 'confirm_address')).at(-1))
    const confirmed = await app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token }))
    expect(confirmed.status).toBe(200)
    expect((await verify(other.own)).status).toBe(422)
  })

  test('the password of the last sign-up is the right one of an account that is not verified', async () => {
    const email = anAddress()
    await signUp(email, { password: mine })
    expect((await signIn(email, mine)).faults).toEqual(['EMAIL_NOT_VERIFIED'])
    expect((await signIn(email, theirs)).status).toBe(401)
    await signUp(email, { password: theirs })
    expect((await signIn(email, theirs)).faults).toEqual(['EMAIL_NOT_VERIFIED'])
  })

  test('its mail asks for the password, by the page and by the command', async () => {
    const email = anAddress()
    await signUp(email)
    const [mail] = await mailsOf(app, email, 'verify_address')
    expect(mail?.text).toContain('"password":"the password you chose"')
    expect(mail?.text).toContain('someone else signed up with your address')
  })
})

describe('what was not verified within 7 days', () => {
  const sweep = async () => {
    await enqueue(db, sweepAccounts, {}, { now: clock.now() })
    await runJobs(context)
  }
  const kept = async (email: string) => (await db.sql`select 1 from sign_ups where email_key = ${email}`).length

  test('is removed, together with its holds', () =>
    standing(app, async () => {
      const { id, code } = await issueInvite(db, { maxUses: 9, expiresAt: null }, clock.now())
      const email = anAddress()
      await signUp(email, { invite_code: code, password: mine })
      const token = await lastToken(email)
      const uses = () => db.sql`select 1 from invite_uses where invite_id = ${id}`
      await later(app, 7 * day - 1, async () => {
        await sweep()
        expect([await kept(email), (await uses()).length]).toEqual([1, 1])
        expect((await verify(token)).status).toBe(410)
        expect((await signIn(email, mine)).faults).toEqual(['EMAIL_NOT_VERIFIED'])
      })
      await later(app, 7 * day, async () => {
        expect((await signIn(email, mine)).status).toBe(401)
        expect((await resend(token)).faults).toEqual(['token_unknown /data/attributes/token'])
        expect((await verify(token)).faults).toEqual(['VALIDATION-FAILED /data/attributes/token'])
        await sweep()
        expect([await kept(email), (await uses()).length]).toEqual([0, 0])
      })
      expect(
        await db.sql`select 1 from verifications v where not exists (
        select 1 from sign_ups s where s.id = v.sign_up_id)`,
      ).toHaveLength(0)
    }))

  test('stays as long as a link that was sent on the last of them works', () =>
    standing(app, async () => {
      const email = anAddress()
      await signUp(email)
      const token = await lastToken(email)
      await later(app, 7 * day - 60, async () => expect((await resend(token)).status).toBe(202))
      const fresh = await lastToken(email)
      await later(app, 8 * day - 120, async () => {
        await sweep()
        expect((await verify(fresh)).status).toBe(200)
      })
    }))

  test('of a change of address is removed, too', async () => {
    const { id, person } = await joinAndSignIn()
    const pending = () => db.sql`select 1 from email_changes where user_id = ${id}`
    expect((await person.patch('/v1/user/email', asking('email_changes', { email: anAddress() }))).status).toBe(200)
    await later(app, 6.5 * day, async () => {
      await sweep()
      expect(await pending()).toHaveLength(1)
    })
    await later(app, 7.5 * day, async () => {
      await sweep()
      expect(await pending()).toHaveLength(0)
    })
  })

  test('and what was verified stays', async () => {
    const { email, own } = await contested()
    expect((await verify(own)).status).toBe(200)
    await later(app, 8 * day, async () => {
      await sweep()
      expect(await kept(email)).toBe(2)
      expect((await resend(own)).status).toBe(202)
    })
  })
})
