import { describe, expect, test } from 'bun:test'
import { type Scope, scopes } from '../../src/access/caller.ts'
import { issueCredential } from '../../src/access/credentials.ts'
import { makeApp, routes as served } from '../../src/app.ts'
import { makeContext } from '../../src/context.ts'
import { refusedStatuses } from '../../src/http/openapi/responses.ts'
import { bodyTypesOf, type Route } from '../../src/http/route.ts'
import { jsonApi } from '../../src/jsonapi/negotiate.ts'
import { openLog } from '../../src/lib/log.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, clientWith, type Sent } from '../support/callers.ts'
import { type Audience, contract, routeName as nameOf, type Row } from '../support/contract.ts'
import { testDatabase } from '../support/database.ts'
import { missingSample, type Places, placesOf, refusedSample } from '../support/route-samples.ts'

const app = await testApp({
  environment: {
    ...{
      METRICS_TOKEN: 'the-token-of-metrics',
      STRIPE_WEBHOOK_SECRET: 'whsec_test',
      STRIPE_SECRET_KEY: 'sk_test_nobody',
    },
    ...{ STRIPE_PRICE_STARTER: 'price_1', STRIPE_PRICE_PRO: 'price_2', STRIPE_API_BASE: 'http://127.0.0.1:1' },
  },
})
const { context, db, clock } = app
const { config } = context

/** What the contract knows of a credential: nothing that is valid, or its kind, its owner's standing and its scopes. */
type Standing = { kind?: 'key' | 'token' | 'machine' | 'session'; unpaid?: true; scopes: string }
type Credential = Standing & { headers: Record<string, string> }

const bearer = (secret: string) => ({ Authorization: `Bearer ${secret}` })
const tokenOf = async (owner: string, granted: Scope[]) => bearer((await aToken(context, owner, granted)).secret)
const sessionOf = async (owner: string) =>
  bearer((await issueCredential(db, 'session', owner, config, clock.now())).secret)

const machineOf = async (granted: Scope[], { isApproved = true } = {}) => {
  const owner = await aUser(context)
  const details = { scopes: granted, internalApproved: isApproved }
  const { id: clientId } = await issueCredential(db, 'oauth_client', owner, config, clock.now(), details)
  return bearer(await context.tokens.issue({ id: Bun.randomUUIDv7(), clientId, scopes: granted }, clock.now()))
}

const expired = async () => {
  const { id, secret } = await aToken(context, await aUser(context), ['read:published'])
  await db.sql`update credentials set expires_at = now() - interval '1 second' where id = ${id}`
  return bearer(secret)
}

const { headers } = app
const unpaid = await aUser(context, { status: 'canceled' })
const credentials: Record<string, Credential> = {
  none: { headers: {}, scopes: '' },
  unknown: { headers: bearer('cardstock_live_nobodyHasThisOne'), scopes: '' },
  malformed: { headers: { Authorization: 'Bearer' }, scopes: '' },
  revoked: { headers: headers.revoked, scopes: '' },
  expired: { headers: await expired(), scopes: '' },
  'client withdrawn': { headers: await machineOf([...scopes], { isApproved: false }), scopes: '' },
  key: { kind: 'key', headers: headers.subscriber, scopes: 'read' },
  'key, 402': { kind: 'key', unpaid: true, headers: headers.unpaid, scopes: 'read' },
  'token read:published': { kind: 'token', headers: headers.reader, scopes: 'read' },
  'token read:draft': { kind: 'token', headers: headers.draftReader, scopes: 'read' },
  'token read:all-status': { kind: 'token', headers: headers.allReader, scopes: 'read history' },
  'token write': { kind: 'token', headers: headers.blindWriter, scopes: 'write' },
  'token delete': { kind: 'token', headers: headers.blindDeleter, scopes: 'delete' },
  'token, 402': { kind: 'token', unpaid: true, headers: headers.unpaidWriter, scopes: 'read write delete' },
  'token that claims internal': {
    ...{
      kind: 'token',
      headers: await tokenOf(await aUser(context), [...scopes]),
      scopes: 'read history write delete',
    },
  },
  'client read:published': { kind: 'machine', headers: await machineOf(['read:published']), scopes: 'read' },
  'client write': { kind: 'machine', headers: await machineOf(['write']), scopes: 'write' },
  'client delete': { kind: 'machine', headers: await machineOf(['delete']), scopes: 'delete' },
  'client internal': { kind: 'machine', headers: await machineOf(['internal']), scopes: 'internal' },
  'client internal write': {
    ...{ kind: 'machine', headers: await machineOf(['internal', 'write']), scopes: 'write internal curator' },
  },
  session: { kind: 'session', headers: headers.visitor, scopes: 'read' },
  'session, 402': { kind: 'session', unpaid: true, headers: await sessionOf(unpaid), scopes: 'read' },
  'session of an operator': {
    kind: 'session',
    headers: headers.operator,
    scopes: 'read history write delete internal curator',
  },
}

/** What every route answers that lets a credential through: no route has a parameter of this name. */
const [probe, letThrough] = ['?no-such-parameter=1', '400']

const subscriber = { unauthenticated: '401 UNAUTHENTICATED', unpaid: '402 SUBSCRIPTION_REQUIRED' }
const lacking = '403 INSUFFICIENT_SCOPE'

/** What the contract has a route answer to a credential (interface.md, Authentication and Errors; decisions.md §3, §10). */
const standingAt = (audience: Audience, { kind, unpaid, scopes }: Standing): string => {
  if (audience === 'public') return letThrough
  if (audience === 'page') return '200'
  if (audience === 'token') return subscriber.unauthenticated
  if (audience === 'signature') return '403 FORBIDDEN'
  if (!kind) return subscriber.unauthenticated
  if (audience === 'session' || audience === 'account') {
    if (kind === 'token') return subscriber.unauthenticated
    if (kind === 'session') return letThrough
    if (audience === 'account') return kind === 'key' ? letThrough : '403 FORBIDDEN'
    return '403 FORBIDDEN_NOT_INTERACTIVE_SESSION'
  }
  if (audience !== 'internal' && audience !== 'curator' && unpaid) return subscriber.unpaid
  const sufficient = audience === 'change' ? ['write', 'delete'] : [audience]
  return scopes.split(' ').some((scope) => sufficient.includes(scope)) ? letThrough : lacking
}

/** One without a row is reported once, as missing. */
const routes = served.filter((route) => contract.has(nameOf(route)))
const seen = new Map<string, Set<number>>()
const rowOf = (route: Route): Row => contract.get(nameOf(route)) as Row
const isCounted = ({ path }: Route) => /^\/(v1|v2|internal)\/|^\/user$|^\/mcp$/.test(path)
/** On the window of its caller or address, and not on a limit of its own. */
const isOnGeneral = (route: Route) => isCounted(route) && !route.ownLimit

const places: Places = await placesOf(app)
const existing = ({ path }: Route) => places.existing(path)
const missing = ({ path }: Route) => path.replace(/:\w+/g, 'd0000000-0000-4000-8000-000000000000')

/** Asks a route, from an address of its own; what it answered is kept for the claim at the end. */
const ask = async (route: Route, path: string, own: Record<string, string>, sent: Sent = {}) => {
  const answer = await app.stranger().send(route.method, path, { ...sent, headers: { ...own, ...sent.headers } })
  seen.set(nameOf(route), (seen.get(nameOf(route)) ?? new Set()).add(answer.status))
  return answer
}

const declaredStatuses = (route: Route) => [...refusedStatuses(route), ...Object.keys(route.answers).map(Number)]

const isOpen = (route: Route) => ['public', 'page'].includes(rowOf(route).audience)

/** What a flat route says to the probe: only a page takes any query. */
const whenRead = (route: Route) => (rowOf(route).audience === 'page' ? 200 : 400)

/** A body of the right media type, which nothing is wrong with but what the test sends. Messages need their Accept. */
const bodyOf = (route: Route, body: BodyInit = '{}', mediaType = bodyTypesOf(route)[0] as string): Sent => {
  const accept: Record<string, string> =
    rowOf(route).body === 'message' ? { Accept: 'application/json, text/event-stream' } : {}
  return route.body ? { body, headers: { 'Content-Type': mediaType, ...accept } } : {}
}

test('the contract has a row for every route, and the service a route for every row', () => {
  expect(served.map(nameOf).toSorted()).toEqual([...contract.keys()].toSorted())
})

/** What a refusal under /oauth says, in the words of the error documents. */
const codeOf = (document: object) => {
  const { error } = document as { error?: string }
  return error === 'invalid_token' ? 'UNAUTHENTICATED' : error
}

describe('every credential gets what the contract says', () => {
  test.each(routes.map((route) => [nameOf(route), route] as const))('%s', async (_, route) => {
    const { audience } = rowOf(route)
    const answers = Object.entries(credentials).map(async ([name, credential]) => {
      const { status, headers, document } = await ask(route, existing(route) + probe, credential.headers, bodyOf(route))
      const said = document.errors?.[0]?.code ?? codeOf(document)
      const code = status === 400 || !said ? '' : ` ${said}`
      if (status === 401) expect(headers.get('www-authenticate')).toStartWith('Bearer')
      expect(headers.get('x-request-id')).toBeString()
      expect(headers.has('x-ratelimit-limit')).toBe(isCounted(route))
      return [name, `${status}${code}`] as [string, string]
    })
    const wanted = Object.entries(credentials).map(([name, credential]) => {
      return [name, standingAt(audience, credential)] as [string, string]
    })
    expect(Object.fromEntries(await Promise.all(answers))).toEqual(Object.fromEntries(wanted))
  })
})

/** Whoever passes: the operator who signed in, but where it takes something else. */
const passing = headers.operator
// What opens by something else than a credential has tests of its own beside its route.
const passable = routes.filter((route) => !['token', 'signature'].includes(rowOf(route).audience))

describe('a request that is let through is told what is wrong with it', () => {
  test.each([...new Set(routes.map(({ path }) => path))])(
    '%s takes no other method: 405, with those it takes',
    async (path) => {
      const methods = routes.filter((route) => route.path === path).map(({ method }) => method)
      const taken = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]))
      for (const own of [{}, passing]) {
        const answer = await app.stranger().send('PUT', places.existing(path), { headers: own, body: '{}' })
        const said = path.startsWith('/oauth/') ? JSON.parse(answer.text).error : answer.faults[0]
        expect([answer.status, said]).toEqual([
          405,
          path.startsWith('/oauth/') ? 'invalid_request' : 'METHOD_NOT_ALLOWED',
        ])
        expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual([...taken, 'OPTIONS'].toSorted())
      }
    },
  )
  test('an Accept without JSON:API is 406, but where the answer is flat', async () => {
    for (const route of passable) {
      const sent = bodyOf(route)
      const answer = await ask(route, existing(route) + probe, passing, {
        ...sent,
        headers: { ...sent.headers, Accept: 'text/html' },
      })
      expect([nameOf(route), answer.status]).toEqual([nameOf(route), rowOf(route).isFlat ? whenRead(route) : 406])
    }
  })
  test('a body of another media type, or of none, is 415, and one that is too long 413', async () => {
    for (const route of routes) {
      const { body } = rowOf(route)
      expect([nameOf(route), Boolean(route.body)]).toEqual([nameOf(route), body !== undefined])
      if (!body) continue
      const at = existing(route) + probe
      const wrong = await ask(route, at, passing, { body: '{}', headers: { 'Content-Type': 'text/csv' } })
      const none = await ask(route, at, passing, { body: new Uint8Array([123, 125]) })
      const status = body === 'bytes' ? 400 : 415
      expect([nameOf(route), wrong.status]).toEqual([nameOf(route), status])
      if (body !== 'bytes') expect([nameOf(route), none.status]).toEqual([nameOf(route), status])
      const sent = bodyOf(route)
      const long = await ask(route, at, passing, {
        ...sent,
        headers: { ...sent.headers, 'Content-Length': '9999999999' },
      })
      expect([nameOf(route), long.status]).toEqual([nameOf(route), 413])
    }
  })
  test('a body with a Content-Encoding is 415, unless its bytes are read as a file or checked as they are', async () => {
    for (const route of routes.filter(({ body }) => body)) {
      const sent = bodyOf(route)
      const encoded = (coding: string) =>
        ask(route, existing(route) + probe, passing, {
          ...sent,
          headers: { ...sent.headers, 'Content-Encoding': coding },
        })
      const plain = await encoded('Identity')
      expect([nameOf(route), plain.status]).toEqual([nameOf(route), whenRead(route)])
      const isTaken = route.body?.isStreamed || route.body?.anyMediaType
      for (const coding of ['gzip', 'br', 'identity, gzip']) {
        const { status, headers } = await encoded(coding)
        const expected = isTaken ? [plain.status, null] : [415, 'identity']
        expect([nameOf(route), status, headers.get('accept-encoding')]).toEqual([nameOf(route), ...expected])
      }
    }
  })
  test('a body takes every media type of its form', async () => {
    const taken = {
      document: [jsonApi, 'application/json', 'application/json; charset=utf-8'],
      json: ['application/json', jsonApi],
      operations: [`${jsonApi}; ext="https://jsonapi.org/ext/atomic"`, 'application/json'],
      form: ['application/json', jsonApi, 'application/x-www-form-urlencoded'],
      message: ['application/json'],
      ...{ image: ['image/jpeg', 'image/png', 'image/webp'], bytes: ['application/json', 'text/csv'] },
    }
    for (const route of routes)
      for (const mediaType of taken[rowOf(route).body ?? 'document'])
        if (route.body) {
          const sent = bodyOf(route, '{}', mediaType)
          const Accept = mediaType.startsWith('application/json') ? 'application/json' : '*/*'
          const { status } = await ask(route, existing(route) + probe, passing, {
            ...sent,
            headers: { Accept, ...sent.headers },
          })
          expect([nameOf(route), mediaType, status]).toEqual([nameOf(route), mediaType, 400])
        }
  })
  test('a document that is none is 400', async () => {
    for (const route of passable) {
      const { body } = rowOf(route)
      if (!['document', 'operations', 'json', 'message'].includes(body ?? '')) continue
      const { status } = await ask(route, existing(route), passing, bodyOf(route, '{'))
      expect([nameOf(route), status]).toEqual([nameOf(route), 400])
    }
  })
  test('a client that is unknown, or whose secret is another, is 401', async () => {
    const body = 'grant_type=client_credentials&client_id=nobody&client_secret=nothing&token=none'
    const sent = { body, headers: { 'Content-Type': 'application/x-www-form-urlencoded' } }
    for (const route of routes) {
      if (rowOf(route).body !== 'form') continue
      const { status } = await ask(route, existing(route), {}, sent)
      expect([nameOf(route), status]).toEqual([nameOf(route), 401])
    }
  })
  test('what is not there is 404', async () => {
    for (const route of passable) {
      if (!declaredStatuses(route).includes(404)) continue
      const sent = missingSample(route, missing(route))
      const { status } = await ask(route, missing(route), passing, sent)
      expect([nameOf(route), status]).toEqual([nameOf(route), 404])
    }
  })
  test('what can be read and not be taken is 422, wherever the document says so', async () => {
    for (const route of passable) {
      if (!refusedStatuses(route).includes(422)) continue
      const { query = '', ...sent } = refusedSample(route, existing(route))
      const { status, faults } = await ask(route, `${existing(route)}${query}`, passing, sent)
      expect([nameOf(route), status, faults.length > 0]).toEqual([nameOf(route), 422, true])
    }
  })
})

describe('what a request expects and is not so', () => {
  test('a record that is not the one that If-Match names is 412, before what is wrong with the document', async () => {
    for (const route of passable) {
      if (route.precondition !== 'If-Match') continue
      const sent = refusedSample(route, existing(route))
      const headers = { ...sent.headers, 'If-Match': `"${route.path.slice(1, 3)}-0.0-never"` }
      const { status } = await ask(route, existing(route), passing, { ...sent, headers })
      expect([nameOf(route), status]).toEqual([nameOf(route), 412])
    }
  })
  test('a record that the caller knows is 304, without a body', async () => {
    for (const route of passable) {
      if (route.precondition !== 'If-None-Match') continue
      const { status, text } = await ask(route, existing(route), passing, { headers: { 'If-None-Match': '*' } })
      expect([nameOf(route), status, text]).toEqual([nameOf(route), 304, ''])
    }
  })
  test('a document of another type is 409', async () => {
    for (const route of passable) {
      const hasType = rowOf(route).body === 'document' && refusedStatuses(route).includes(409)
      if (!hasType || route.path.includes('/relationships/')) continue
      const { body, ...sent } = refusedSample(route, existing(route))
      const { data } = JSON.parse(String(body))
      const other = JSON.stringify({ data: { ...data, type: 'others' } })
      const { status } = await ask(route, existing(route), passing, { ...sent, body: other })
      expect([nameOf(route), status]).toEqual([nameOf(route), 409])
    }
  })
})

test('a database that is away is 503 on every route that asks who is calling', async () => {
  const gone = await testDatabase()
  await gone.close()
  const service = makeApp(makeContext({ ...context, db: gone, log: openLog('silent') }))
  const client = clientWith(async (request) => service.handle(request), app.baseUrl, {})
  for (const route of passable) {
    if (isOpen(route)) continue
    const sent = bodyOf(route)
    const { status, faults } = await client.send(route.method, existing(route), {
      ...sent,
      headers: { ...passing, ...sent.headers },
    })
    const isFlat = faults.length === 0
    expect([nameOf(route), status, isFlat || faults]).toEqual([nameOf(route), 503, isFlat || ['SERVICE_UNAVAILABLE']])
  }
})

describe('an exhausted limit is 429, with Retry-After', () => {
  test('for an address, before it is asked for a credential, on every counted route and on no other', async () => {
    const from = { 'X-Forwarded-For': '203.0.113.9' }
    for (let n = 0; n < 100; n++) await app.stranger().get('/v1/nowhere', from)
    for (const route of routes) {
      const { status, headers } = await ask(route, existing(route) + probe, from, bodyOf(route))
      expect([nameOf(route), status === 429]).toEqual([nameOf(route), isOnGeneral(route)])
      expect(headers.has('retry-after')).toBe(status === 429)
    }
  })
  test('for a credential, before its scope is asked for, on every counted route that has no window of its own', async () => {
    const { id, secret } = await aToken(context, await aUser(context), ['read:published'])
    await db.sql`update credentials set agreed_limit = 1, agreed_window_seconds = 3600 where id = ${id}`
    await clientWith(app.fetch, app.baseUrl, bearer(secret)).get('/v1/nowhere')
    for (const route of routes) {
      if (!isOnGeneral(route)) continue
      const isForPeople = ['session', 'account'].includes(rowOf(route).audience)
      const { status } = await ask(route, existing(route) + probe, bearer(secret), bodyOf(route))
      expect([nameOf(route), status]).toEqual([nameOf(route), isForPeople ? 401 : 429])
    }
    const person = await aUser(context)
    const session = await sessionOf(person)
    await db.sql`update credentials set agreed_limit = 1, agreed_window_seconds = 3600 where user_id = ${person}`
    await clientWith(app.fetch, app.baseUrl, session).get('/v1/nowhere')
    for (const route of routes) {
      if (!isOnGeneral(route)) continue
      const { status } = await ask(route, existing(route) + probe, session, bodyOf(route))
      const hasOwn = rowOf(route).audience === 'account'
      expect([nameOf(route), status]).toEqual([nameOf(route), hasOwn ? 400 : 429])
    }
  })
  test('on a limit of its own, where sign-in, verification and mailed links have one', async () => {
    for (const [place, route] of routes.filter(({ ownLimit }) => ownLimit).entries()) {
      const from = { 'X-Forwarded-For': `198.51.100.${place}` }
      const { limit } = context.config.limits[route.ownLimit as 'session']
      for (let n = 0; n < limit; n++) await ask(route, existing(route) + probe, from, bodyOf(route))
      const { status, headers } = await ask(route, existing(route) + probe, from, bodyOf(route))
      expect([nameOf(route), status, headers.has('retry-after')]).toEqual([nameOf(route), 429, true])
    }
  })
  test('on the windows of their own: usage 60 a minute, clients and tokens 5 changes an hour, OAuth 10 a minute', async () => {
    for (const route of routes) {
      const own = ownLimit(route)
      if (!own) continue
      const session = await sessionOf(await aUser(context))
      const from = {
        ...(isOpen(route) ? {} : session),
        'X-Forwarded-For': `203.0.113.${own.place}`,
      }
      for (let n = 0; n < own.limit; n++) await ask(route, existing(route), from, bodyOf(route))
      const { status, headers } = await ask(route, existing(route), from, bodyOf(route))
      expect([nameOf(route), status, headers.has('retry-after')]).toEqual([nameOf(route), 429, true])
    }
  })
})

const ownLimit = (route: Route) => {
  const { method, path } = route
  if (rowOf(route).audience === 'account') return { limit: 60, place: 10 }
  if (/^\/oauth\/(clients|tokens)/.test(path) && method !== 'GET') return { limit: 5, place: 11 }
  const tokenRoutes = ['/oauth/token', '/oauth/revoke', '/oauth/introspect']
  return tokenRoutes.includes(path) ? { limit: 10, place: 20 + tokenRoutes.indexOf(path) } : undefined
}

test('the document of the service names every refusal that was met, and no other of these was left unmet', () => {
  const every = [400, 401, 402, 403, 404, 406, 412, 413, 415, 422, 429]
  for (const route of passable) {
    // What a public route makes of a password that somebody sends is its own.
    const met = every.filter((status) => !isOpen(route) || (status !== 401 && status !== 403))
    const wanted = met.filter((status) => declaredStatuses(route).includes(status))
    const got = met.filter((status) => seen.get(nameOf(route))?.has(status))
    expect([nameOf(route), ...got]).toEqual([nameOf(route), ...wanted])
  }
})
