import { expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { revokeAccessToken, sweepRevokedTokens } from '../../src/access/revoked-tokens.ts'
import { testApp } from '../support/app.ts'
import { aUser, clientWith } from '../support/callers.ts'

const app = await testApp()
const { context, db, clock } = app
const { tokens, config } = context

const aMachine = async () => {
  const details = { scopes: ['read:published' as const] }
  const { id } = await issueCredential(db, 'oauth_client', await aUser(context), config, clock.now(), details)
  return async () => {
    const text = await tokens.issue({ id: Bun.randomUUIDv7(), clientId: id, scopes: ['read:published'] }, clock.now())
    const token = await tokens.verify(text, clock.now())
    if (!token) throw new Error('the token is none')
    return { token, caller: clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${text}` }) }
  }
}

test('an access token that was revoked opens nothing with the next request, and others of its client stay', async () => {
  const machine = await aMachine()
  const [one, other] = [await machine(), await machine()]
  expect((await one.caller.get('/v1/genres')).status).toBe(200)
  await revokeAccessToken(db, one.token)
  await revokeAccessToken(db, one.token)
  expect((await one.caller.get('/v1/genres')).status).toBe(401)
  expect((await other.caller.get('/v1/genres')).status).toBe(200)
})

test('a revocation is kept for as long as its token could be used, and then swept', async () => {
  const { token, caller } = await (await aMachine())()
  await revokeAccessToken(db, token)
  clock.offsetSeconds = 86_390
  await sweepRevokedTokens(db, clock)
  expect((await caller.get('/v1/genres')).status).toBe(401)
  clock.offsetSeconds = 86_400 + 3700
  await sweepRevokedTokens(db, clock)
  expect(await db.sql`select 1 from revoked_tokens where token_id = ${token.id}`).toHaveLength(0)
  clock.offsetSeconds = 0
})
