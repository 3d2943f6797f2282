import { expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { runningCommands } from '../commands/running.ts'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { aPerson, flat } from '../support/people.ts'
import { workflows } from '../support/workflows.ts'

const app = await testApp()
const { context, db, clock, operator } = app
const run = runningCommands(context)
const { todo, patch } = workflows(app)

const { user, person } = await aPerson(app)
const email = `${user}@example.org`
const issue = (kind: 'oauth_client' | 'personal_token') =>
  issueCredential(db, kind, user, context.config, clock.now(), { name: 'x', scopes: ['read:published'] })
const [client, token] = [await issue('oauth_client'), await issue('personal_token')]
await person.send('POST', '/v1/user/api-key')
const set = await factories(app).set()
const step = await todo(set, 'fetch')
const invite = (await run('invite', 'create', '--json')).json

/** All that the audit log tells of. */
const kept = () =>
  db.sql`
    select t::text as row from users t union all select t::text from credentials t union all select t::text from invites t
    union all select t::text from set_todos t union all select s.id || s.audience::text from sets s order by 1`

const asked = { name: 'y', scope: 'read:published' }
const inClient = { type: 'oauth_clients', id: client.id }
const requests: Record<string, () => Promise<{ status: number }>> = {
  'a set': () =>
    operator.patch(`/v1/sets/${set.id}`, { data: { type: 'sets', id: set.id, attributes: { status: 'published' } } }),
  'a todo': () => patch(set, step, { status: 'in_progress' }),
  'an invite': () => operator.delete(`/internal/invites/${invite.id}`),
  'an approval': () =>
    operator.patch(`/internal/clients/${client.id}`, {
      data: { ...inClient, attributes: { internal_approved: true } },
    }),
  'a limit': () =>
    operator.patch(`/internal/clients/${client.id}`, {
      data: { ...inClient, attributes: { rate_limit: { limit: 9000, window_seconds: 60 } } },
    }),
  'a new client': () => flat(person, 'POST', '/oauth/clients', asked),
  'a new token': () => flat(person, 'POST', '/oauth/tokens', asked),
  'the end of a client': () => person.delete(`/oauth/clients/${client.id}`),
  'the end of a token by a client': () =>
    flat(app.stranger(), 'POST', '/oauth/revoke', {
      ...{ client_id: client.id, client_secret: client.secret, token: token.secret },
    }),
  'a new key': () => person.send('POST', '/v1/user/api-key'),
  'the end of a key': () => person.send('DELETE', '/v1/user/api-key'),
  'the end of an account': () =>
    person.send('DELETE', '/v1/me', {
      headers: { 'Content-Type': 'application/vnd.api+json' },
      body: JSON.stringify({ data: { type: 'users', attributes: { confirm_email: email } } }),
    }),
}
const scope = ['--scope', 'read:published']
const commands: string[][] = [
  ['client', 'create', '--name', 'y', '--user', email, ...scope],
  ['client', 'approve', client.id],
  ['client', 'delete', client.id],
  ['token', 'create', '--user', email, ...scope],
  ['token', 'revoke', token.id],
  ['key', 'create', '--user', email],
  ['key', 'revoke', '--user', email],
  ['limit', 'set', '--user', email, '--limit', '9000000', '--window', '60'],
  ['invite', 'create'],
  ['invite', 'revoke', String(invite.id)],
]

await db.sql.unsafe(`
  create function refuse_entries() returns trigger language plpgsql as $$
  begin raise exception 'no entry today'; end $$`)
await db.sql.unsafe(
  'create trigger audit_logs_closed before insert on audit_logs for each statement execute function refuse_entries()',
)

test.each(Object.keys(requests))('a request leaves nothing without its entry: %s', async (name) => {
  const before = await kept()
  expect((await requests[name]?.())?.status).toBe(500)
  expect(JSON.stringify(app.lines.splice(0))).toContain('no entry today')
  expect(await kept()).toEqual(before)
})

test.each(commands.map((words) => words.join(' ')))('a command leaves nothing without its entry: %s', async (words) => {
  const before = await kept()
  const { exit, err } = await run(...words.split(' '))
  expect([exit, err.includes('no entry today')]).toEqual([1, true])
  expect(await kept()).toEqual(before)
})
