import { expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { aPerson, flat } from '../../../support/people.ts'

const app = await testApp()

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
  await change({ rate_limit: { limit: 9000, window_seconds: 3600 } })
  const { many } = await app.operator.get(
    `/internal/audit-logs?filter[auditable_type]=client&filter[auditable_id]=${id}`,
  )
  expect(many.map(({ attributes }) => attributes.event_type).toReversed()).toEqual([
    ...['client.created', 'client.approved', 'client.approval_withdrawn', 'client.limit_changed'],
  ])
})
