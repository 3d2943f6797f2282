import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { runJobs } from '../../../support/jobs.ts'
import { mailsTo } from '../../../support/mail.ts'
import { anAddress, asking, goodPassword, later, mailsOf, signingUp, tokenIn } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const { signUp, join, lastToken, verify } = signingUp(app)

const signUpsFor = (email: string) => app.db.sql`
  select password_hash, user_id from sign_ups where email_key = ${email}`
const usersWith = (email: string) => app.db.sql`
  select password_hash, verified_at, operator, signed_up from users where email_key = ${email}`

describe('POST /v1/signup', () => {
  test('keeps a sign-up that is no account yet and mails its link', async () => {
    const email = anAddress()
    const answer = await signUp(email, { name: 'Ana' })
    expect(answer.status).toBe(202)
    expect(answer.one).toMatchObject({ type: 'signups', attributes: { email } })
    expect(answer.meta).toEqual({ waitlisted: false })
    const [mail] = await mailsOf(app, email, 'verify_address')
    expect(mail?.link).toStartWith(`${app.baseUrl}/verify#token=`)
    expect(tokenIn(mail)).toMatch(/^[0-9A-Za-z]{64}$/)
    expect([...(await usersWith(email))]).toEqual([])
    expect([...(await signUpsFor(email))]).toMatchObject([{ user_id: null }])
  })

  test('stores the password as argon2id, and the token as a hash alone', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    const [kept] = await signUpsFor(email)
    expect(kept?.password_hash).toStartWith('$argon2id$')
    const everything = JSON.stringify([
      ...(await app.db.sql`select v::text from verifications v`),
      ...(await app.db.sql`select u::text from users u`),
      ...(await app.db.sql`select s::text from sign_ups s`),
      ...(await app.db.sql`select j::text from jobs j`),
      ...(await app.db.sql`select w::text from rate_windows w`),
    ])
    expect(everything).not.toContain(token)
    expect(everything).not.toContain(goodPassword)
  })

  test('answers the same whether the address is free, waits for its mail or has an account', async () => {
    const email = anAddress()
    const answers = [await signUp(email), await signUp(email)]
    await verify(await lastToken(email))
    answers.push(await signUp(email), await signUp(email))
    const [first, ...others] = answers.map(({ status, text, headers }) => ({
      status,
      text,
      type: headers.get('content-type'),
    }))
    for (const other of others) expect(other).toEqual(first as typeof other)
  })

  test('of an address with an account changes nothing and sends no mail', async () => {
    const { email } = await join()
    const before = [...(await usersWith(email))]
    await runJobs(app.context)
    const mails = mailsTo(app.context, email).length
    await signUp(email.toUpperCase(), { password: 'another long password', name: 'Eve' })
    await runJobs(app.context)
    expect([...(await usersWith(email))]).toEqual(before)
    expect(mailsTo(app.context, email)).toHaveLength(mails)
  })

  test('again before the mail was read: each link brings the password that it was asked with', async () => {
    const [email, mine, theirs] = [anAddress(), 'the one that I chose', 'the one that Eve chose']
    await signUp(email, { password: mine })
    const token = await lastToken(email)
    await signUp(email, { password: theirs })
    expect(await lastToken(email)).not.toBe(token)
    expect((await verify(token)).status).toBe(200)
    const signIn = (password: string) => Bun.password.verify(password, hash)
    const hash = String((await usersWith(email))[0]?.password_hash)
    expect([await signIn(mine), await signIn(theirs)]).toEqual([true, false])
    expect((await verify(await lastToken(email))).status).toBe(422)
  })

  test('many at once for one address, while its link is opened: one account, and no fault', async () => {
    const email = anAddress()
    await signUp(email)
    const token = await lastToken(email)
    const answers = await Promise.all([...Array.from({ length: 12 }, () => signUp(email)), verify(token)])
    expect(answers.map(({ status }) => status)).toEqual([...Array(12).fill(202), 200])
    await runJobs(app.context)
    expect(await usersWith(email)).toHaveLength(1)
    expect((await verify(token)).status).toBe(422)
  })

  test('does not flood an address, wherever the requests come from', async () => {
    const email = anAddress()
    for (let n = 0; n < 7; n++) expect((await signUp(email)).status).toBe(202)
    expect(await mailsOf(app, email, 'verify_address')).toHaveLength(5)
    await later(app, 3700, async () => {
      await signUp(email)
      expect(await mailsOf(app, email, 'verify_address')).toHaveLength(6)
    })
  })

  test.each([
    [{}, ['/data/attributes/email', '/data/attributes/password']],
    [{ email: 'nobody', password: goodPassword }, ['/data/attributes/email']],
    [{ email: 'a@b.org\r\nBcc: c@d.org', password: goodPassword }, ['/data/attributes/email']],
    [{ email: 'a@example.org', password: 'too short' }, ['/data/attributes/password']],
    [{ email: 'a@example.org', password: 'x'.repeat(129) }, ['/data/attributes/password']],
    [{ email: 'a@example.org', password: 1 }, ['/data/attributes/password']],
    [{ email: 'a@example.org', password: goodPassword, name: ' ' }, ['/data/attributes/name']],
    [{ email: 'a@example.org', password: goodPassword, operator: true }, ['/data/attributes/operator']],
    [{ email: 'a@example.org', password: goodPassword, verified_at: '2026-01-01' }, ['/data/attributes/verified_at']],
  ])('refuses %p with 422 at %p', async (attributes, pointers) => {
    const answer = await app.stranger().post('/v1/signup', asking('signups', attributes))
    expect(answer.status).toBe(422)
    expect(answer.faults).toEqual(pointers.map((pointer) => `VALIDATION-FAILED ${pointer}`))
    expect(answer.text).not.toContain(goodPassword)
  })

  test('counts characters of a password, not bytes', async () => {
    expect((await signUp(anAddress(), { password: '🃏'.repeat(10) })).status).toBe(202)
    expect((await signUp(anAddress(), { password: '🃏'.repeat(128) })).status).toBe(202)
    expect((await signUp(anAddress(), { password: '🃏'.repeat(9) })).status).toBe(422)
  })

  test('ignores an id, and refuses another type and a body that is no document', async () => {
    const caller = app.stranger()
    const good = { email: anAddress(), password: goodPassword }
    const id = crypto.randomUUID()
    expect((await caller.post('/v1/signup', { data: { type: 'signups', id, attributes: good } })).status).toBe(202)
    expect((await caller.post('/v1/signup', asking('users', good))).status).toBe(409)
    expect((await caller.post('/v1/signup', good)).status).toBe(400)
    expect((await caller.send('POST', '/v1/signup', { body: 'email=a@example.org' })).status).toBe(415)
    expect((await caller.post('/v1/signup?invite=1', asking('signups', good))).status).toBe(400)
  })

  test('is limited to 10 an hour and address, on top of the general limit', async () => {
    const caller = app.stranger()
    const ask = () => caller.post('/v1/signup', asking('signups', {}))
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) statuses.push((await ask()).status)
    expect(statuses).toEqual([...Array(10).fill(422), 429])
    const refused = await ask()
    expect(refused.faults).toEqual(['TOO-MANY-REQUESTS'])
    expect(Number(refused.headers.get('retry-after'))).toBeWithin(3000, 3601)
    expect(Number(refused.headers.get('x-ratelimit-limit'))).toBe(100)
    expect((await signUp(anAddress())).status).toBe(202)
    await later(app, 3601, async () => expect((await ask()).status).toBe(422))
  })

  test('leaves no password, token or address in the log', async () => {
    const { email, key } = await join()
    const said = JSON.stringify(app.lines.filter(({ event }) => event !== 'mail'))
    expect(said.length).toBeGreaterThan(100)
    for (const secret of [goodPassword, email, key as string]) expect(said).not.toContain(secret)
  })
})
