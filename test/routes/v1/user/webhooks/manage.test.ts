import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../../../../src/access/credentials.ts'
import { testApp } from '../../../../support/app.ts'
import { aUser, clientWith } from '../../../../support/callers.ts'
import { aWebhook, change } from '../../../../support/delivering.ts'
import { aDocument } from '../../../../support/factories.ts'

const app = await testApp()
const { context, visitor, operator, db } = app
const path = '/v1/user/webhooks'
const target = 'https://shop.example.com/hooks/cards?key=1'

const wanted = (attributes: object) =>
  aDocument('webhooks', { target_url: target, events: ['catalog.changed'], ...attributes })

/** Someone with a session of their own. */
const aPerson = async () => {
  const { secret } = await issueCredential(db, 'session', await aUser(context), context.config, context.clock.now())
  return clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
}

describe('a signed-in user', () => {
  test('creates a webhook, whose secret of 32 bytes is shown once and stored nowhere as it is', async () => {
    const answer = await visitor.post(path, wanted({ description: 'The shop' }))
    expect(answer.status).toBe(201)
    const { id, attributes } = answer.one
    const secret = String(attributes.secret)
    expect([answer.headers.get('cache-control'), answer.headers.get('location')]).toEqual([
      'no-store',
      `${app.baseUrl}${path}/${id}`,
    ])
    expect(secret).toStartWith('whsec_')
    expect(Buffer.from(secret.slice(6), 'base64').toString('base64')).toBe(secret.slice(6))
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
    const read = await visitor.get(`${path}/${id}`)
    expect(read.one.attributes).toEqual({
      ...{ target_url: target, events: ['catalog.changed'], description: 'The shop', paused: false },
      ...{ failing_since: null, created_at: expect.any(String), updated_at: expect.any(String) },
    })
    const everything = await db.sql`select to_jsonb(w)::text as row from webhooks w`
    expect(JSON.stringify(everything)).not.toContain(secret.slice(6))
    expect(read.text + (await visitor.get(path)).text).not.toContain(secret.slice(6))
  })
  test('lists their own alone, changes and deletes them', async () => {
    const [ann, bob] = [await aPerson(), await aPerson()]
    const webhook = await aWebhook(ann, target, ['set.published'])
    expect((await ann.get(path)).many.map(({ id }) => id)).toEqual([webhook.id])
    expect((await bob.get(path)).many).toEqual([])
    for (const other of [bob, operator]) {
      expect((await other.get(webhook.self)).status).toBe(404)
      expect((await change(other, webhook, { paused: true })).status).toBe(404)
      expect((await other.delete(webhook.self)).status).toBe(404)
      expect((await other.post(`${webhook.self}/rotate`, undefined)).status).toBe(404)
      expect((await other.get(`${webhook.self}/deliveries`)).status).toBe(404)
    }
    const changed = await change(ann, webhook, {
      ...{ paused: true, description: null, events: ['catalog.changed', 'set.published', 'set.published'] },
      target_url: 'https://elsewhere.example.com/',
    })
    expect(changed.one.attributes).toMatchObject({
      ...{ paused: true, description: null, events: ['catalog.changed', 'set.published'] },
      target_url: 'https://elsewhere.example.com/',
    })
    expect((await change(ann, webhook, { paused: false })).one.attributes).toMatchObject({ paused: false })
    expect((await ann.delete(webhook.self)).status).toBe(204)
    expect((await ann.get(webhook.self)).status).toBe(404)
  })
  test('has at most 20, however fast they are made', async () => {
    const person = await aPerson()
    const answers = await Promise.all(Array.from({ length: 24 }, () => person.post(path, wanted({}))))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(201), ...Array(4).fill(409)])
    expect((await person.get(path)).meta.total).toBe(20)
  })
  test('creates one webhook with one idempotency key, and is shown its secret again', async () => {
    const person = await aPerson()
    const create = () => person.post(path, wanted({}), { 'Idempotency-Key': 'the-shop' })
    const [first, again] = [await create(), await create()]
    expect([first.status, again.status, again.one]).toEqual([201, 201, first.one])
    expect((await person.get(path)).many).toHaveLength(1)
  })
  test('gets another secret by rotating, shown once', async () => {
    const webhook = await aWebhook(visitor, target, ['catalog.changed'])
    const answer = await visitor.send('POST', `${webhook.self}/rotate`)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(answer.one.attributes.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(answer.one.attributes.secret).not.toBe(webhook.secret)
    expect((await visitor.get(webhook.self)).one.attributes).not.toHaveProperty('secret')
  })
})

describe('what a webhook can’t be is 422 at its field', () => {
  test.each([
    ['an address without TLS', { target_url: 'http://shop.example.com/' }, '/data/attributes/target_url'],
    ['this machine, where that isn’t allowed', { target_url: 'http://localhost/' }, '/data/attributes/target_url'],
    [
      'an address with a password',
      { target_url: 'https://me:secret@shop.example.com/' },
      '/data/attributes/target_url',
    ],
    ['no address', { target_url: 'shop' }, '/data/attributes/target_url'],
    ['another scheme', { target_url: 'ftp://shop.example.com/' }, '/data/attributes/target_url'],
    ['no events', { events: [] }, '/data/attributes/events'],
    ['an event that there isn’t', { events: ['set.published', 'card.sold'] }, '/data/attributes/events/1'],
    ['an event for operators', { events: ['import.finished'] }, '/data/attributes/events'],
    ['another one', { events: ['set.published', 'merge.made'] }, '/data/attributes/events'],
  ])('%s', async (_, attributes, pointer) => {
    const answer = await visitor.post(path, wanted(attributes))
    expect([answer.status, answer.faults]).toEqual([422, [`VALIDATION-FAILED ${pointer}`]])
    const webhook = await aWebhook(visitor, target, ['catalog.changed'])
    const changed = await change(visitor, webhook, attributes)
    expect([changed.status, changed.faults]).toEqual([422, [`VALIDATION-FAILED ${pointer}`]])
    await visitor.delete(webhook.self)
  })
  test('neither is one without address and events', async () => {
    const { status, faults } = await visitor.post(path, aDocument('webhooks', {}))
    expect([status, faults.toSorted()]).toEqual([
      422,
      ['VALIDATION-FAILED /data/attributes/events', 'VALIDATION-FAILED /data/attributes/target_url'],
    ])
  })
})

describe('operators', () => {
  const internal = '/internal/webhooks'
  test('are told of imports and merges, and share their webhooks', async () => {
    const owner = await aUser(context, { operator: true, status: 'none' })
    const { secret } = await issueCredential(db, 'session', owner, context.config, context.clock.now())
    const other = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
    const webhook = await aWebhook(other, target, ['import.finished', 'merge.made'], internal)
    expect((await operator.get(webhook.self)).one.attributes).toMatchObject({
      events: ['import.finished', 'merge.made'],
    })
    expect((await operator.get(internal)).many.map(({ id }) => id)).toContain(webhook.id)
    expect((await change(operator, webhook, { paused: true })).status).toBe(200)
    expect((await other.get(`${path}/${webhook.id}`)).one.attributes).toMatchObject({ paused: true })
    expect((await operator.get(`${path}/${webhook.id}`)).status).toBe(404)
  })
  test('don’t reach those of other accounts', async () => {
    const webhook = await aWebhook(visitor, target, ['catalog.changed'])
    expect((await operator.get(`${internal}/${webhook.id}`)).status).toBe(404)
    expect((await operator.get(internal)).many.map(({ id }) => id)).not.toContain(webhook.id)
    await visitor.delete(webhook.self)
  })
})

test('the audit log says what was done to a webhook, without its address and secret', async () => {
  const webhook = await aWebhook(visitor, target, ['catalog.changed'])
  await change(visitor, webhook, { paused: true })
  await visitor.send('POST', `${webhook.self}/rotate`)
  await visitor.delete(webhook.self)
  const entries = await operator.get(`/internal/audit-logs?filter[auditable_id]=${webhook.id}`)
  expect(entries.many.map(({ attributes }) => attributes.event_type)).toEqual([
    ...['webhook.deleted', 'webhook.rotated', 'webhook.updated', 'webhook.created'],
  ])
  expect(entries.text).not.toMatch(/shop\.example|whsec_/)
})

test('an account that is deleted takes its webhooks along', async () => {
  const userId = await aUser(context)
  const { secret } = await issueCredential(db, 'session', userId, context.config, context.clock.now())
  const person = clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` })
  const { id } = await aWebhook(person, target, ['catalog.changed'])
  const [{ email } = { email: '' }] = await db.sql<{ email: string }[]>`select email from users where id = ${userId}`
  const document = { data: { type: 'users', attributes: { confirm_email: email } } }
  const { status } = await person.send('DELETE', '/v1/me', {
    ...{ body: JSON.stringify(document), headers: { 'Content-Type': 'application/vnd.api+json' } },
  })
  expect(status).toBe(204)
  expect(await db.sql`select 1 from webhooks where id = ${id}`).toHaveLength(0)
})
