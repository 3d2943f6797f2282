import { expect, test } from 'bun:test'
import { type TSchema, TypeRegistry } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { routes } from '../../src/app.ts'
import { testApp } from '../support/app.ts'
import { aPerson, bearerOf, flat } from '../support/people.ts'

const app = await testApp()

// TypeBox checks plain JSON Schema only where it is told how; these are the texts with few values.
TypeRegistry.Set('Unsafe', ({ enum: values }: { enum?: unknown[] }, value) => !values || values.includes(value))

/** What is wrong with an answer by the schema of its route, undeclared members among it. */
const faults = (method: string, path: string, status: number, body: unknown) => {
  const route = routes.find((one) => one.method === method && one.path === path)
  const schema = route?.answers[status]?.schema as TSchema
  const strange = Bun.deepEquals(Value.Clean(schema, structuredClone(body)), body) ? [] : ['has undeclared members']
  return [...strange, ...[...Value.Errors(schema, body)].map((error) => `${error.path} ${error.message}`)]
}

test('what these routes answer is what the OpenAPI document says', async () => {
  const { person } = await aPerson(app)
  const reading = { name: 'x', scope: 'read:published' }
  const { flat: client } = await flat(person, 'POST', '/oauth/clients', reading)
  const proof = { client_id: client.client_id, client_secret: client.client_secret }
  const { flat: token } = await flat(app.stranger(), 'POST', '/oauth/token', {
    grant_type: 'client_credentials',
    ...proof,
  })
  const key = bearerOf(app, (await person.send('POST', '/v1/user/api-key')).meta.api_key)
  await key.get('/v1/genres')
  for (const [caller, method, path, body] of [
    [person, 'POST', '/oauth/clients', reading],
    [person, 'POST', '/oauth/clients', {}],
    [person, 'GET', '/oauth/clients'],
    [person, 'POST', '/oauth/tokens', reading],
    [person, 'GET', '/oauth/tokens'],
    [app.stranger(), 'POST', '/oauth/introspect', { ...proof, token: token.access_token }],
    [app.stranger(), 'POST', '/oauth/introspect', { ...proof, token: 'nothing' }],
    [app.stranger(), 'POST', '/oauth/introspect', { token: 'nothing' }],
    [app.stranger(), 'GET', '/.well-known/oauth-authorization-server'],
    [person, 'GET', '/v1/user/api-key'],
    [person, 'POST', '/v1/user/api-key'],
    [(await aPerson(app)).person, 'GET', '/v1/user/api-key'],
    [person, 'GET', '/v1/user/subscription'],
    [(await aPerson(app, { status: 'none' })).person, 'GET', '/v1/user/subscription'],
    [person, 'GET', '/v1/user/usage'],
    [app.operator, 'GET', '/v1/user/usage'],
    [person, 'GET', '/v1/user/usage/daily'],
    [app.operator, 'GET', '/internal/clients'],
  ] as const) {
    const answer = await flat(caller, method, path, body)
    expect([path, answer.status, faults(method, path, answer.status, answer.flat)]).toEqual([path, answer.status, []])
  }
})
