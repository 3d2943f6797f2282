import { expect, test } from 'bun:test'
import { type TSchema, TypeRegistry } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { issueInvite } from '../../src/accounts/invites/invite.ts'
import { routes } from '../../src/app.ts'
import { testApp } from '../support/app.ts'
import type { Client } from '../support/callers.ts'
import { anAddress, asking, goodPassword, mailsOf, signingUp, tokenIn } from '../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: '1' } })
const { signUp, lastToken, inSession } = signingUp(app)

// TypeBox checks plain JSON Schema only where it is told how; these are the texts with few values.
TypeRegistry.Set('Unsafe', ({ enum: values }: { enum?: unknown[] }, value) => !values || values.includes(value))

/** What is wrong with an answer by the schema of its route, undeclared members among it. */
const faults = (method: string, path: string, status: number, body: unknown) => {
  const route = routes.find((one) => one.method === method && one.path === path)
  const schema = route?.answers[status]?.schema as TSchema
  const strange = Bun.deepEquals(Value.Clean(schema, structuredClone(body)), body) ? [] : ['has undeclared members']
  return [...strange, ...[...Value.Errors(schema, body)].map((error) => `${error.path} ${error.message}`)]
}

const check = async (caller: Client, method: string, path: string, document?: object) => {
  const body = document && JSON.stringify(document)
  const headers: Record<string, string> = body ? { 'Content-Type': 'application/vnd.api+json' } : {}
  const answer = await caller.send(method, path, { body, headers })
  expect([path, answer.status < 300, faults(method, path, answer.status, answer.document)]).toEqual([path, true, []])
  return answer
}

test('what the routes of accounts answer is what the OpenAPI document says, and no secret of it is logged', async () => {
  const [email, waiting, renamed] = [anAddress(), anAddress(), anAddress()]
  const anybody = app.stranger()
  const credentials = { email, password: goodPassword }
  await signUp(waiting)
  await check(anybody, 'POST', '/v1/signup', asking('signups', { ...credentials, name: 'Ana' }))
  await check(anybody, 'POST', '/v1/signup/resend', asking('verifications', { token: await lastToken(email) }))
  for (const address of [email, waiting])
    await check(anybody, 'POST', '/v1/signup/verify', asking('verifications', { token: await lastToken(address) }))
  await check(anybody, 'POST', '/v1/signup', asking('signups', { ...credentials, email: anAddress() }))
  await check(anybody, 'GET', '/v1/founding-slots/remaining')
  const { code } = await issueInvite(app.db, {}, app.clock.now())
  await check(anybody, 'POST', '/v1/invites/validate', { code })
  await check(anybody, 'POST', '/v1/session', asking('sessions', credentials))
  const person = await inSession(email)
  for (const one of [person, await inSession(waiting), app.operator]) {
    await check(one, 'GET', '/v1/me')
    await check(one, 'GET', '/user')
  }
  await check(person, 'PATCH', '/v1/me', asking('users', { name: null }))
  await check(person, 'PATCH', '/v1/user/email', asking('email_changes', { email: renamed }))
  await check(person, 'GET', '/v1/me')
  const confirm = tokenIn((await mailsOf(app, renamed, 'confirm_address'))[0])
  await check(anybody, 'POST', '/v1/user/email/confirm', asking('email_changes', { token: confirm }))
  const password = 'a better password'
  const change = { current_password: goodPassword, password }
  await check(person, 'PATCH', '/v1/user/password', asking('passwords', change))
  await check(anybody, 'POST', '/v1/user/password/forgot', asking('password_resets', { email: renamed }))
  const token = tokenIn((await mailsOf(app, renamed, 'reset_password'))[0])
  await check(anybody, 'POST', '/v1/user/password/reset', asking('password_resets', { token, password }))
  const undo = tokenIn((await mailsOf(app, email, 'address_changed'))[0])
  await check(anybody, 'POST', '/v1/user/email/undo', asking('email_changes', { token: undo }))
  const said = JSON.stringify(app.lines.filter(({ event }) => event !== 'mail'))
  for (const secret of [goodPassword, password, token, confirm, undo, code, email, renamed])
    expect(said).not.toContain(secret)
})
