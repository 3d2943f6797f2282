import { expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { flat } from '../../support/people.ts'

const app = await testApp()

test('GET /.well-known/oauth-authorization-server tells of endpoints that are there, for whoever asks', async () => {
  const { status, headers, flat: told } = await flat(app.anonymous, 'GET', '/.well-known/oauth-authorization-server')
  expect([status, headers.get('content-type')]).toEqual([200, 'application/json'])
  expect(headers.get('x-ratelimit-limit')).toBeNull()
  expect(told).toMatchObject({
    issuer: app.baseUrl,
    grant_types_supported: ['client_credentials'],
    response_types_supported: [],
    scopes_supported: ['read:published', 'read:draft', 'read:all-status', 'write', 'delete', 'internal'],
  })
  for (const name of ['token', 'revocation', 'introspection']) {
    const path = String(told[`${name}_endpoint`]).slice(app.baseUrl.length)
    expect((await flat(app.stranger(), 'POST', path, {})).status).toBeOneOf([400, 401])
    expect(told[`${name}_endpoint_auth_methods_supported`]).toEqual(['client_secret_basic', 'client_secret_post'])
  }
  expect(told).not.toHaveProperty('authorization_endpoint')
})
