import { beforeEach, describe, expect, test } from 'bun:test'
import { issueCredential, issueKey } from '../../src/access/credentials.ts'
import { type Scope, scopes } from '../../src/lib/scopes.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { aToken, aUser, type Client } from '../support/callers.ts'
import { aDocument, factories, setStatus } from '../support/factories.ts'
import { bearerOf } from '../support/people.ts'

const app = await testApp()
const { context, db, clock, operator } = app
const { config } = context
const run = runningCommands(context)
const { set: aSet } = factories(app)

/** An operator with everything that one can have. */
const anEquippedOperator = async () => {
  const user = await aUser(context, { operator: true })
  const now = clock.now()
  const client = async (granted: Scope[]) => {
    const details = { scopes: granted, internalApproved: granted.includes('internal') }
    const { id, secret } = await issueCredential(db, 'oauth_client', user, config, now, details)
    const token = await context.tokens.issue({ id: Bun.randomUUIDv7(), clientId: id, scopes: granted }, now)
    return { id, secret, caller: bearerOf(app, token) }
  }
  const session = async () => bearerOf(app, (await issueCredential(db, 'session', user, config, now)).secret)
  return {
    user,
    email: `${user}@example.org`,
    sessions: [await session(), await session()] as const,
    token: bearerOf(app, (await aToken(context, user, [...scopes])).secret),
    key: bearerOf(app, (await issueKey(db, user, config, now, 'pro')).secret),
    client: await client([...scopes]),
    writer: await client(['write', 'internal']),
  }
}

const auditOf = async (user: string) =>
  await db.sql<{ event_type: string; agent_id: string; data: Record<string, unknown> }[]>`
    select event_type, agent_id, data from audit_logs where auditable_id = ${user} order by id`

/** What a caller gets for what only operators do, for a draft, and for what is published. */
const reachOf = async (caller: Client, draft: string, published: string) => [
  (await caller.get('/internal/clients')).status,
  (await caller.post('/v1/genres', aDocument('genres', { name: crypto.randomUUID() }))).status,
  (await caller.delete(`/v1/sets/${published}`)).status,
  (await caller.get(`/v1/sets/${draft}`)).status,
  (await caller.get(`/v1/sets/${published}`)).status,
]

const ways = {
  'the command': (verb: string, { email }: { email: string }) =>
    run('user', verb, email).then(({ exit }) => exit === 0),
  'the route': async (verb: string, { user }: { user: string }) => {
    const { status } = await operator.send('POST', `/internal/users/${user}/${verb}`)
    return status === 200 || status === 204
  },
}

describe.each(Object.entries(ways))('with %s', (_, act) => {
  test('a demoted operator has lost operators’ rights, writes and drafts with everything at the next request', async () => {
    const person = await anEquippedOperator()
    const [draft, published] = [await aSet(), await aSet()]
    await setStatus(app, published, 'published')
    const reach = (caller: Client) => reachOf(caller, draft.id, published.id)
    for (const caller of [person.sessions[0], person.token, person.client.caller]) {
      expect((await caller.get('/internal/clients')).status).toBe(caller === person.token ? 403 : 200)
      expect((await caller.get(`/v1/sets/${draft.id}`)).status).toBe(200)
    }
    expect(await act('demote', person)).toBe(true)
    for (const caller of [...person.sessions, person.token, person.client.caller])
      expect(await reach(caller)).toEqual([403, 403, 403, 404, 200])
    expect((await reach(person.writer.caller)).slice(0, 3)).toEqual([401, 401, 401])
    const granted = async ({ id, secret }: { id: string; secret: string }, scope?: string) => {
      const body = {
        grant_type: 'client_credentials',
        client_id: id,
        client_secret: secret,
        ...(scope ? { scope } : {}),
      }
      const sent = { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
      const { error, scope: given } = JSON.parse((await app.anonymous.send('POST', '/oauth/token', sent)).text)
      return error ?? given
    }
    expect(await granted(person.client)).toBe('read:published')
    for (const scope of ['internal', 'write', 'read:draft'])
      expect(await granted(person.client, scope)).toBe('invalid_scope')
    expect(await granted(person.writer)).toBe('invalid_scope')
    const [{ event_type, data } = {}] = await auditOf(person.user)
    expect([event_type, data]).toEqual([
      'user.demoted',
      { narrowed: [expect.any(String), expect.any(String), expect.any(String)] },
    ])
    expect(await act('demote', person)).toBe(true)
    expect((await auditOf(person.user)).length).toBe(1)
  })

  test('somebody who is promoted is an operator, and what they had lost stays lost', async () => {
    const person = await anEquippedOperator()
    await act('demote', person)
    expect(await act('promote', person)).toBe(true)
    expect((await person.sessions[0].get('/internal/clients')).status).toBe(200)
    for (const caller of [person.token, person.client.caller])
      expect((await caller.get('/internal/clients')).status).toBe(403)
    expect((await auditOf(person.user)).map((one) => one.event_type)).toEqual(['user.demoted', 'user.promoted'])
  })

  test('signing somebody out ends all their sessions, and nothing else', async () => {
    const person = await anEquippedOperator()
    expect(await act('sign-out', person)).toBe(true)
    for (const session of person.sessions) expect((await session.get('/v1/me')).status).toBe(401)
    for (const caller of [person.client.caller, person.writer.caller])
      expect((await caller.get('/internal/clients')).status).toBe(200)
    for (const caller of [person.token, person.key]) expect((await caller.get('/v1/genres')).status).toBe(200)
    const [{ event_type, data } = {}] = await auditOf(person.user)
    expect([event_type, data]).toEqual(['user.signed_out', { sessions: 2 }])
  })

  test('a closed account is deleted with everything that it had', async () => {
    const person = await anEquippedOperator()
    expect(await act('close', person)).toBe(true)
    for (const caller of [...person.sessions, person.token, person.key, person.client.caller])
      expect((await caller.get('/v1/genres')).status).toBe(401)
    expect((await operator.get(`/internal/users/${person.user}`)).status).toBe(404)
    expect((await auditOf(person.user)).map((one) => one.event_type)).toEqual(['user.closed'])
    expect(await act('close', person)).toBe(false)
  })
})

test('accounts are listed and shown, and an unknown one is refused', async () => {
  const person = await anEquippedOperator()
  const { json } = await run('user', 'show', person.email, '--json')
  const shown = {
    email: person.email,
    operator: true,
    plan: 'pro',
    status: 'active',
    sessions: 2,
    tokens: 1,
    clients: 2,
  }
  expect(json).toMatchObject({ id: person.user, ...shown })
  expect((await operator.get(`/internal/users/${person.user}`)).one.attributes).toMatchObject(shown)
  const found = await operator.get(`/internal/users?filter[email]=${person.email.toUpperCase()}`)
  expect(found.many.map(({ id }) => id)).toEqual([person.user])
  const operators = (await run('user', 'list', '--operators', '--json')).json.users as {
    id: string
    operator: boolean
  }[]
  expect(operators.map(({ id }) => id)).toContain(person.user)
  expect(operators.every((one) => one.operator)).toBe(true)
  const all = await operator.get('/internal/users?filter[operator]=false&page[size]=100')
  expect(all.many.length).toBeGreaterThan(0)
  expect(all.many.every(({ attributes }) => attributes.operator === false)).toBe(true)
  for (const verb of ['show', 'demote', 'promote', 'close', 'sign-out']) {
    expect((await run('user', verb, 'nobody@example.org')).err).toBe('There is no user nobody@example.org.\n')
    if (verb !== 'show')
      expect((await operator.send('POST', `/internal/users/${crypto.randomUUID()}/${verb}`)).status).toBe(404)
  }
})

describe('the last operator', () => {
  beforeEach(async () => void (await db.sql`update users set operator = false`))

  test('can be neither demoted nor closed, by anybody', async () => {
    const user = await aUser(context, { operator: true })
    const session = bearerOf(app, (await issueCredential(db, 'session', user, config, clock.now())).secret)
    for (const verb of ['demote', 'close']) {
      expect((await session.send('POST', `/internal/users/${user}/${verb}`)).status).toBe(409)
      expect(await run('user', verb, `${user}@example.org`)).toMatchObject({
        ...{ exit: 1, err: 'This is the last operator. Make somebody else an operator first.\n' },
      })
    }
    const removal = aDocument('users', { confirm_email: `${user}@example.org` })
    expect(
      (
        await session.send('DELETE', '/v1/me', {
          body: JSON.stringify(removal),
          headers: { 'Content-Type': 'application/vnd.api+json' },
        })
      ).status,
    ).toBe(409)
    await aUser(context, { operator: true })
    expect((await session.send('POST', `/internal/users/${user}/demote`)).status).toBe(200)
  })

  test('is left, if two end each other at the same time', async () => {
    for (const verbs of [
      ['demote', 'demote'],
      ['close', 'demote'],
      ['close', 'close'],
    ]) {
      const users = [await aUser(context, { operator: true }), await aUser(context, { operator: true })]
      const done = await Promise.all(users.map((user, at) => run('user', verbs[at] as string, user)))
      expect(done.map(({ exit }) => exit).sort()).toEqual([0, 1])
      expect((await db.sql`select 1 from users where operator`).length).toBe(1)
      await db.sql`update users set operator = false`
    }
  })
})
