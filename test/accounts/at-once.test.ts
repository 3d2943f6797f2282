import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../support/app.ts'
import { concurrentDatabase } from '../support/database.ts'
import { anAddress, asking, goodPassword, mailsOf, signingUp, tokenIn, withToken } from '../support/signing-up.ts'
import { until } from '../support/until.ts'

const database = await concurrentDatabase('what ends while somebody asks for it')

const claims = (app: TestApp) => {
  const { joinAndSignIn, signIn } = signingUp(app)
  const { db } = app

  /** Sends a request whose work comes to the account while another transaction holds it, which does this before it ends. */
  const meanwhile = async <T>(id: string, change: string, send: () => Promise<T>): Promise<T> => {
    const { promise: isOver, resolve: over } = Promise.withResolvers<void>()
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const other = db.transaction(async (tx) => {
      await tx.sql`select id from users where id = ${id} for update`
      await tx.sql.unsafe(change, [id])
      held()
      await isOver
    })
    await isHeld
    const answer = send()
    await until(async () => {
      const waiting = await db.sql`
        select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
      return waiting.length > 0
    })
    over()
    await other
    return answer
  }
  const endSessions = 'update credentials set revoked_at = now() where user_id = $1::uuid'

  test('no session begins by a password that was changed, or at an address that was left, while it was proven', async () => {
    for (const change of [`password_hash = 'another'`, `email_key = 'left-${anAddress()}'`]) {
      const { email, id } = await joinAndSignIn()
      const before = (await db.sql`select id from credentials where user_id = ${id}`).length
      const answer = await meanwhile(id, `update users set ${change} where id = $1::uuid`, () => signIn(email))
      expect(answer.status).toBe(401)
      expect(await db.sql`select id from credentials where user_id = ${id}`).toHaveLength(before)
    }
  })

  test('a session that is ended meanwhile changes neither address nor password', async () => {
    const { email, id, person } = await joinAndSignIn()
    const wanted = anAddress()
    const ask = () => person.patch('/v1/user/email', asking('email_changes', { email: wanted }))
    expect((await meanwhile(id, endSessions, ask)).status).toBe(401)
    expect(await mailsOf(app, wanted, 'confirm_address')).toEqual([])
    const again = withToken(app, (await signIn(email)).meta.token)
    const change = { current_password: goodPassword, password: 'another password' }
    const reset = () => again.patch('/v1/user/password', asking('passwords', change))
    expect((await meanwhile(id, endSessions, reset)).status).toBe(401)
    expect((await signIn(email)).status).toBe(201)
  })

  test('nor does it delete the account', async () => {
    const { email, id, person } = await joinAndSignIn()
    const remove = () =>
      person.send('DELETE', '/v1/me', {
        body: JSON.stringify(asking('users', { confirm_email: email })),
        headers: { 'Content-Type': 'application/vnd.api+json' },
      })
    expect((await meanwhile(id, endSessions, remove)).status).toBe(401)
    expect((await signIn(email)).status).toBe(201)
  })

  test('a link to undo a change that is opened twice at once works once', async () => {
    const { email, person } = await joinAndSignIn()
    const wanted = anAddress()
    await person.patch('/v1/user/email', asking('email_changes', { email: wanted }))
    const confirm = tokenIn((await mailsOf(app, wanted, 'confirm_address'))[0])
    await app.stranger().post('/v1/user/email/confirm', asking('email_changes', { token: confirm }))
    const token = tokenIn((await mailsOf(app, email, 'address_changed'))[0])
    const undo = () => app.stranger().post('/v1/user/email/undo', asking('email_changes', { token }))
    const answers = await Promise.all([undo(), undo(), undo()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
  })
}

if (database) claims(await testApp({ db: database, environment: { FOUNDING_SLOTS: 'unlimited' } }))
