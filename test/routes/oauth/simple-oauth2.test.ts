import { afterAll, expect, test } from 'bun:test'
import { ClientCredentials } from 'simple-oauth2'
import { issueCredential } from '../../../src/access/credentials.ts'
import { testApp } from '../../support/app.ts'
import { aUser } from '../../support/callers.ts'
import { bearerOf } from '../../support/people.ts'

const app = await testApp()
const { context, db, clock } = app
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: app.fetch })
afterAll(() => server.stop(true))

const auth = { tokenHost: server.url.origin, tokenPath: '/oauth/token', revokePath: '/oauth/revoke' }
const aClient = async () => {
  const scopes = { scopes: ['read:draft' as const] }
  return issueCredential(db, 'oauth_client', await aUser(context), context.config, clock.now(), scopes)
}

for (const authorizationMethod of ['header', 'body'] as const)
  test(`simple-oauth2 gets a token and revokes it, with the client's proof in the ${authorizationMethod}`, async () => {
    const client = new ClientCredentials({ client: await aClient(), auth, options: { authorizationMethod } })
    const issued = await client.getToken({ scope: ['read:published'] })
    expect([issued.token.token_type, issued.token.scope, issued.expired()]).toEqual(['Bearer', 'read:published', false])
    const caller = bearerOf(app, issued.token.access_token)
    expect((await caller.get('/v1/genres')).status).toBe(200)
    await issued.revoke('access_token')
    expect((await caller.get('/v1/genres')).status).toBe(401)
  })

test('simple-oauth2 tells what the service refuses, with its error', async () => {
  const { id } = await aClient()
  const client = new ClientCredentials({ client: { id, secret: 'another' }, auth })
  const refusal = await client.getToken({ scope: 'read:published' }).then(
    () => 'a token',
    ({ output, data }) => [output.statusCode, data.payload.error],
  )
  expect(refusal).toEqual([401, 'invalid_client'])
})
