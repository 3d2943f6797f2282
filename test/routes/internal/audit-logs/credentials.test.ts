import { expect, test } from 'bun:test'
import { runningCommands } from '../../../commands/running.ts'
import { testApp } from '../../../support/app.ts'
import { aPerson, flat } from '../../../support/people.ts'
import { anAddress, signingUp } from '../../../support/signing-up.ts'

const app = await testApp({ environment: { FOUNDING_SLOTS: 'unlimited' } })
const run = runningCommands(app.context)
const { join } = signingUp(app)

const logged = async (agent: string) => {
  const rows = await app.db.sql`select event_type from audit_logs where agent_id = ${agent} order by id`
  return rows.map(({ event_type }) => event_type)
}

test('what a person does to keys, clients and tokens is in the log, and no secret is', async () => {
  const { user, person } = await aPerson(app)
  const secrets: string[] = []
  for (const _ of [1, 2]) secrets.push(String((await person.send('POST', '/v1/user/api-key')).meta.api_key))
  for (const _ of [1, 2]) await person.send('DELETE', '/v1/user/api-key')
  const asked = { name: 'x', scope: 'read:published' }
  const client = (await flat(person, 'POST', '/oauth/clients', asked)).flat
  const token = (await flat(person, 'POST', '/oauth/tokens', asked)).flat
  secrets.push(client.client_secret, token.token)
  for (const _ of [1, 2]) await person.delete(`/oauth/clients/${client.client_id}`)
  await person.delete(`/oauth/tokens/${token.id}`)
  expect(await logged(`user:${user}`)).toEqual([
    ...['api_key.issued', 'api_key.regenerated', 'api_key.revoked'],
    ...['client.created', 'personal_token.created', 'client.deleted', 'personal_token.revoked'],
  ])
  const all = JSON.stringify(await app.db.sql`select * from audit_logs`)
  for (const secret of secrets) expect(all).not.toContain(secret)
})

test('approving a client, withdrawing it and changing its limit are', async () => {
  const { person } = await aPerson(app)
  const id = (await flat(person, 'POST', '/oauth/clients', { name: 'x', scope: 'read:published' })).flat.client_id
  const change = (attributes: object) =>
    app.operator.patch(`/internal/clients/${id}`, { data: { type: 'oauth_clients', id, attributes } })
  for (const internal_approved of [true, true, false]) await change({ internal_approved })
  for (const verb of ['approve', 'approve', 'revoke', 'revoke']) await run('client', verb, id)
  for (const _ of [1, 2]) await change({ rate_limit: { limit: 9000, window_seconds: 3600 }, internal_pool: false })
  for (const _ of [1, 2]) await run('limit', 'set', '--client', id, '--limit', '9001', '--window', '3600')
  const { many } = await app.operator.get(
    `/internal/audit-logs?filter[auditable_type]=client&filter[auditable_id]=${id}`,
  )
  expect(many.map(({ attributes }) => attributes.event_type).toReversed()).toEqual([
    ...[
      'client.created',
      'client.approved',
      'client.approval_withdrawn',
      'client.approved',
      'client.approval_withdrawn',
    ],
    ...['client.limit_changed', 'client.limit_changed'],
  ])
  const agreed = { limit: 9000, window_seconds: 3600 }
  expect(many.map(({ attributes }) => attributes.data).toReversed()[5]).toEqual({
    before: { internal_pool: false, rate_limit: null, next_rate_limit: null },
    after: { internal_pool: false, rate_limit: agreed, next_rate_limit: null },
  })
})

test('what commands make, change and end is, once for each', async () => {
  const { user } = await aPerson(app)
  const scope = ['--scope', 'read:published']
  const made = await run('client', 'create', '--name', 'x', '--user', user, ...scope, '--approve-internal', '--json')
  const { json } = await run('token', 'create', '--user', user, ...scope, '--json')
  for (const _ of [1, 2]) await run('token', 'revoke', String(json.token))
  await run('client', 'delete', String(made.json.client_id))
  for (const _ of [1, 2]) await run('key', 'create', '--user', user)
  await run('limit', 'set', '--user', user, '--limit', '900000', '--window', '60')
  for (const _ of [1, 2]) await run('key', 'revoke', '--user', user)
  const rows = await app.db.sql`
    select l.event_type from audit_logs l join credentials c on c.id = l.auditable_id
    where c.user_id = ${user} and l.agent_id = 'command-line' order by l.id`
  expect(rows.map(({ event_type }) => event_type)).toEqual([
    ...['client.created', 'client.approved', 'personal_token.created', 'personal_token.revoked', 'client.deleted'],
    ...['api_key.issued', 'api_key.regenerated', 'api_key.limit_changed', 'api_key.revoked'],
  ])
})

test('a personal token that a client ends is, with the client', async () => {
  const { user, person } = await aPerson(app)
  const asked = { name: 'x', scope: 'read:published' }
  const { client_id, client_secret } = (await flat(person, 'POST', '/oauth/clients', asked)).flat
  const { token } = (await flat(person, 'POST', '/oauth/tokens', asked)).flat
  const revoke = () => flat(app.stranger(), 'POST', '/oauth/revoke', { client_id, client_secret, token })
  for (const _ of [1, 2]) expect((await revoke()).status).toBe(200)
  expect(await logged(`client:${client_id}`)).toEqual(['personal_token.revoked'])
  expect(await logged(`user:${user}`)).toEqual(['client.created', 'personal_token.created'])
})

test('what ends with an account is, but for its sessions', async () => {
  const { user, person } = await aPerson(app)
  const asked = { name: 'x', scope: 'read:published' }
  await flat(person, 'POST', '/oauth/clients', asked)
  for (const _ of [1, 2]) await flat(person, 'POST', '/oauth/tokens', asked)
  await person.send('POST', '/v1/user/api-key')
  const before = (await logged(`user:${user}`)).length
  const removal = { data: { type: 'users', attributes: { confirm_email: `${user}@example.org` } } }
  const headers = { 'Content-Type': 'application/vnd.api+json' }
  expect((await person.send('DELETE', '/v1/me', { headers, body: JSON.stringify(removal) })).status).toBe(204)
  expect((await logged(`user:${user}`)).slice(before)).toEqual([
    ...['client.deleted', 'personal_token.revoked', 'personal_token.revoked', 'api_key.revoked'],
  ])
})

test('the key and the use of an invite that come with a sign-up are', async () => {
  const { json } = await run('invite', 'create', '--json')
  const id = await join(anAddress(), { invite_code: json.code })
  const entries = await app.db.sql`
    select event_type from audit_logs where agent_id in (select 'user:' || id from users) order by id desc limit 2`
  expect(id).toBeDefined()
  expect(entries.map(({ event_type }) => event_type)).toEqual(['api_key.issued', 'invite.claimed'])
})
