import { expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { makeApp, routes } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import { openLog } from '../../src/lib/log.ts'
import { testApp } from '../support/app.ts'
import { type Client, clientWith, type Sent } from '../support/callers.ts'
import { testDatabase } from '../support/database.ts'
import { aPerson, flat } from '../support/people.ts'

const app = await testApp()
const { context, db, clock } = app

/** Every route under /oauth, and addresses there that none has. */
const served = routes.filter(({ path }) => path.startsWith('/oauth/'))
const pathOf = (path: string) => path.replace(/:\w+/, crypto.randomUUID())
const json = { 'Content-Type': 'application/json' }

/** A refusal in OAuth's own form: `application/json` with `error` and `error_description`, and nothing else. */
const refused = async (caller: Client, method: string, path: string, sent: Sent = {}) => {
  const { status, headers, text } = await caller.send(method, path, sent)
  expect([method, path, headers.get('content-type')]).toEqual([method, path, 'application/json'])
  const body = JSON.parse(text)
  expect([method, path, ...Object.keys(body)]).toEqual([method, path, 'error', 'error_description'])
  expect([typeof body.error, body.error_description.length > 0]).toEqual(['string', true])
  expect(headers.get('x-request-id')).toBeString()
  return { status, headers, error: body.error as string, says: body.error_description as string }
}

/** Somebody who passes the gate, with a fresh window of changes, and a proof of a client of theirs. */
const someone = async () => {
  const { user, person } = await aPerson(app)
  const client = await issueCredential(db, 'oauth_client', user, context.config, clock.now(), {
    scopes: ['read:published'],
  })
  return { person, proof: { client_id: client.id, client_secret: client.secret } }
}

test('an unknown parameter is a 400 that names it, on every route', async () => {
  for (const { method, path, body } of served) {
    const { person, proof } = await someone()
    const sent = body ? { headers: json, body: JSON.stringify({ ...proof, name: 'x', scope: 'read:published' }) } : {}
    const answer = await refused(person, method, `${pathOf(path)}?x=1`, sent)
    expect([path, answer.status, answer.error]).toEqual([path, 400, 'invalid_request'])
    expect(answer.says).toStartWith('x: ')
  }
})

test('a body of another media type is a 415, one that is too long a 413', async () => {
  for (const { method, path, body } of served) {
    if (!body) continue
    const { person } = await someone()
    const csv = { body: 'a,b', headers: { 'Content-Type': 'text/csv' } }
    const long = { body: 'x'.repeat(20_000), headers: json }
    expect((await refused(person, method, path, csv)).status).toBe(415)
    expect((await refused(person, method, path, long)).status).toBe(413)
  }
})

test('a method that a path does not take is a 405 with those it takes, a path that nothing has a 404, in a browser, too', async () => {
  const html = { headers: { Accept: 'text/html,application/xhtml+xml' } }
  for (const caller of [app.stranger(), app.operator]) {
    for (const path of new Set(served.map((route) => route.path))) {
      const { status, headers } = await refused(caller, 'PUT', pathOf(path), { body: '{}', headers: json })
      expect([path, status, headers.get('allow') !== null]).toEqual([path, 405, true])
    }
    for (const path of ['/oauth', '/oauth/nowhere', '/oauth/token/x', '/oauth/clients/x/y'])
      for (const sent of [{}, html]) {
        const { status, error } = await refused(caller, 'GET', path, sent)
        expect([path, status, error]).toEqual([path, 404, 'not_found'])
      }
  }
})

test('a missing or wrong credential is a 401 invalid_token, one that may not a 403', async () => {
  for (const { method, path, access } of served) {
    if (access !== 'session') continue
    const nobody = await refused(app.stranger(), method, pathOf(path))
    expect([nobody.status, nobody.error, nobody.headers.get('www-authenticate')]).toEqual([
      401,
      'invalid_token',
      'Bearer',
    ])
    const key = await refused(app.subscriber, method, pathOf(path))
    expect([key.status, key.error]).toEqual([403, 'FORBIDDEN_NOT_INTERACTIVE_SESSION'])
  }
})

test('a window that is used up is a 429 with Retry-After', async () => {
  const { person, proof } = await someone()
  const body = { grant_type: 'client_credentials', ...proof }
  for (let n = 0; n < 10; n++) await flat(app.stranger(), 'POST', '/oauth/token', body)
  for (let n = 0; n < 5; n++) await flat(person, 'POST', '/oauth/clients', {})
  const sent = { headers: json, body: JSON.stringify(body) }
  for (const [caller, path] of [
    [app.stranger(), '/oauth/token'],
    [person, '/oauth/clients'],
  ] as const) {
    const { status, error, headers } = await refused(caller, 'POST', path, sent)
    expect([status, error, Number(headers.get('retry-after')) > 0]).toEqual([429, 'too_many_requests', true])
  }
})

test('a database that is away is a 503 with Retry-After', async () => {
  const gone = await testDatabase()
  await gone.close()
  const service = makeApp(makeContext({ ...context, db: gone, log: openLog('silent') }))
  const { proof } = await someone()
  for (const { method, path, body } of served) {
    const sent = body ? { headers: json, body: JSON.stringify({ ...proof, token: 'x' }) } : {}
    const client = clientWith(async (request) => service.handle(request), app.baseUrl, app.headers.operator)
    const { status, error, headers } = await refused(client, method, pathOf(path), sent)
    expect([path, status, error]).toEqual([path, 503, 'temporarily_unavailable'])
    expect(headers.get('retry-after')).toBeString()
  }
})

test('the OpenAPI document says so of every refusal under /oauth', async () => {
  const { paths } = JSON.parse((await app.stranger().get('/openapi.json')).text)
  for (const [path, methods] of Object.entries(paths) as [string, Record<string, { responses: object }>][]) {
    if (!path.startsWith('/oauth/')) continue
    // What Bun's own parser refuses has no body.
    for (const { responses } of Object.values(methods))
      for (const [status, answer] of Object.entries(responses) as [string, { content?: object }][])
        if (Number(status) >= 400 && status !== '431')
          expect([path, status, ...Object.keys(answer.content ?? {})]).toEqual([path, status, 'application/json'])
  }
})
