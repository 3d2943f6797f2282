import { describe, expect, test } from 'bun:test'
import { issueCredential } from '../../src/access/credentials.ts'
import { testApp } from '../support/app.ts'
import { aUser, type Client, clientWith } from '../support/callers.ts'
import { aWebhook, change, delivering, privateWebhooks } from '../support/delivering.ts'
import { factories, setStatus } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { mailsTo } from '../support/mail.ts'
import { merging } from '../support/merges.ts'
import { aReceiver, bodyOf, isSignedWith, type Message } from '../support/receiver.ts'
import { until } from '../support/until.ts'

const app = await testApp({ environment: privateWebhooks })
const { context, db, clock, visitor, operator, reader } = app
const make = factories(app)
delivering(app)

const internal = '/internal/webhooks'
const failing = () => new Response('out of order', { status: 500 })
const fine = () => new Response(null, { status: 204 })

/** The address of a path that a link in a message leads to. */
const pathOf = (link: string) => link.slice(app.baseUrl.length)

const deliveriesOf = async (client: Client, { self }: { self: string }) =>
  (await client.get(`${self}/deliveries`)).many.map(({ id, attributes }) => ({ id, ...attributes }) as Delivery)

type Delivery = {
  id: string
  event: string
  status: string
  attempts: number
  error: string | null
  response_status: number | null
  response_body: string | null
  next_attempt_at: string | null
}

/** Has a webhook try again what it would try later. */
const hurry = async ({ id }: { id: string }) => {
  await db.sql`update webhooks set due_at = null where id = ${id}`
  await db.notify('webhooks')
}

/** An account with a session, and its address. */
const aPerson = async (options?: { operator: boolean }) => {
  const userId = await aUser(context, { status: 'active', ...options })
  const { secret } = await issueCredential(db, 'session', userId, context.config, clock.now())
  return { userId, client: clientWith(app.fetch, app.baseUrl, { Authorization: `Bearer ${secret}` }) }
}

describe('catalog.changed', () => {
  test('is signed as Standard Webhooks say, and its link leads to what changed and to nothing before', async () => {
    await make.brand()
    // Whoever reads the feed has what was committed before numbered.
    await operator.get('/v2/changes')
    const receiver = aReceiver()
    const webhook = await aWebhook(operator, receiver.url, ['catalog.changed'], internal)
    const brand = await make.brand()
    await until(() => receiver.messages.length > 0)
    const [message] = receiver.messages as [Message]
    expect(isSignedWith(webhook.secret, message)).toBe(true)
    expect(isSignedWith(webhook.secret, { ...message, text: `${message.text} ` })).toBe(false)
    const { type, timestamp, data } = bodyOf(message)
    expect([type, message.headers['content-type']]).toEqual(['catalog.changed', 'application/json'])
    expect(Math.abs(Date.parse(timestamp) - Date.now())).toBeLessThan(60_000)
    const page = await operator.get(pathOf(data.links.changes))
    const told = page.many.map(({ relationships }) => relationships.resource?.data)
    expect(told[0]).toEqual({ type: 'brands', id: brand.id })
    expect((await operator.get(`/v2/changes?page[after]=${data.cursor}`)).many).toHaveLength(page.many.length)
    await operator.delete(webhook.self)
  })
  test('comes at most once a second, and between them they leave no change out', async () => {
    const receiver = aReceiver()
    const webhook = await aWebhook(operator, receiver.url, ['catalog.changed'], internal)
    const made = new Set<string>()
    for (let n = 0; n < 40; n++) made.add((await make.brand()).id)
    const told = new Set<string>()
    const readAll = async () => {
      for (const message of receiver.messages.splice(0)) {
        const page = await operator.get(`/v2/changes?page[size]=1000&page[after]=${bodyOf(message).data.cursor}`)
        for (const { relationships } of page.many)
          told.add((relationships.resource as { data: { id: string } }).data.id)
      }
      return [...made].every((id) => told.has(id))
    }
    await until(readAll)
    const deliveries = await deliveriesOf(operator, webhook)
    const times = (
      await db.sql<{ at: string }[]>`
      select created_at as at from webhook_deliveries where webhook_id = ${webhook.id} order by id`
    ).map(({ at }) => Date.parse(at))
    expect(deliveries.length).toBe(times.length)
    for (const [at, time] of times.entries())
      if (at > 0) expect(time - (times[at - 1] as number)).toBeGreaterThanOrEqual(1000)
    await operator.delete(webhook.self)
  })
  test('tells drafts to operators alone', async () => {
    const [forAll, forOperators] = [aReceiver(), aReceiver()]
    const set = await make.set({ status: 'draft' })
    const webhook = await aWebhook(visitor, forAll.url, ['catalog.changed', 'set.published'])
    const theirs = await aWebhook(operator, forOperators.url, ['catalog.changed'], internal)
    await make.card({ set, number: '1' })
    await until(() => forOperators.messages.length > 0)
    const placeOf = async () => {
      const [row] = await db.sql<{ is: boolean }[]>`
        select w.changes_from > f.last as is from webhooks w, feed f where w.id = ${webhook.id}`
      return row?.is ?? false
    }
    await until(placeOf)
    expect([forAll.messages, await deliveriesOf(visitor, webhook)]).toEqual([[], []])
    await setStatus(app, set, 'published')
    await until(() => forAll.messages.length >= 2)
    expect(forAll.types().toSorted()).toEqual(['catalog.changed', 'set.published'])
    await visitor.delete(webhook.self)
    await operator.delete(theirs.self)
  })
})

test('set.published names each set that readers see from now on, in the order in which they were published', async () => {
  const receiver = aReceiver()
  const webhook = await aWebhook(visitor, receiver.url, ['set.published'])
  const sets = [
    await make.set({ status: 'draft' }),
    await make.set({ status: 'draft' }),
    await make.set({ status: 'draft' }),
  ]
  for (const set of sets.toReversed()) await setStatus(app, set, 'published')
  await operator.patch(`/v1/sets/${sets[0]?.id}`, {
    data: { type: 'sets', id: sets[0]?.id, attributes: { name: 'New' } },
  })
  const born = await make.set({ status: 'published' })
  await until(() => receiver.messages.length === 4)
  const told = receiver.messages.map((message) => bodyOf(message).data)
  expect(told.map(({ id }) => id)).toEqual([...sets.toReversed(), born].map(({ id }) => id))
  expect(told[0]?.links.self).toBe(`${app.baseUrl}/v2/sets/${sets[2]?.id}`)
  expect((await reader.get(`/v2/sets/${told[0]?.id}`)).status).toBe(200)
  await visitor.delete(webhook.self)
})

describe('operators', () => {
  test('are told of merges and imports, between the changes that they made', async () => {
    const receiver = aReceiver()
    const all = ['set.published', 'import.finished', 'merge.made']
    const webhook = await aWebhook(operator, receiver.url, all, internal)
    const merge = await merging(app).merge([await make.brand()], await make.brand())
    const sent = await operator.send('POST', '/internal/imports?publish=true', {
      ...{ body: 'Set,Number,Player\n1991 Told,1,Ann Told\n', headers: { 'Content-Type': 'text/csv' } },
    })
    expect(sent.status).toBe(202)
    await runJobs(context)
    await until(() => receiver.messages.length >= 3)
    expect(receiver.types()).toEqual(['merge.made', 'set.published', 'import.finished'])
    const [made, , finished] = receiver.messages.map((message) => bodyOf(message).data)
    expect([made?.id, made?.links.self]).toEqual([merge.id, `${app.baseUrl}/internal/merges/${merge.id}`])
    expect((await operator.get(pathOf(finished?.links.self ?? ''))).status).toBe(200)
    await operator.delete(webhook.self)
  })
  test('who are demoted are no longer told what is for operators', async () => {
    const receiver = aReceiver()
    const { userId, client } = await aPerson({ operator: true })
    const webhook = await aWebhook(client, receiver.url, ['merge.made', 'set.published'], internal)
    await db.sql`update users set operator = false where id = ${userId}`
    await merging(app).merge([await make.brand()], await make.brand())
    const set = await make.set({ status: 'published' })
    await until(() => receiver.messages.length > 0)
    expect(receiver.messages.map((message) => bodyOf(message).data.id)).toEqual([set.id])
    const { document } = await client.get(`/v1/user/webhooks/${webhook.id}/deliveries`)
    expect((document.data as { attributes: object }[]).map(({ attributes }) => attributes)).toMatchObject([
      { event: 'set.published', status: 'delivered' },
      { event: 'merge.made', status: 'failed', response_status: null },
    ])
  })
})

describe('a delivery that fails', () => {
  test('is sent again under its id, signed anew, and holds back those behind it', async () => {
    const receiver = aReceiver(failing)
    const webhook = await aWebhook(visitor, receiver.url, ['set.published'])
    const [first, second] = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
    await until(() => receiver.messages.length === 1)
    await until(async () => (await deliveriesOf(visitor, webhook))[0]?.attempts === 1)
    expect(await deliveriesOf(visitor, webhook)).toMatchObject([
      { status: 'pending', response_status: 500, response_body: 'out of order', error: 'It answered 500.' },
    ])
    expect((await visitor.get(webhook.self)).one.attributes.failing_since).toBeString()
    clock.offsetSeconds += 3
    await hurry(webhook)
    await until(() => receiver.messages.length === 2)
    receiver.answer = fine
    await hurry(webhook)
    await until(() => receiver.messages.length === 4)
    const ids = receiver.messages.map((message) => bodyOf(message).data.id)
    expect(ids).toEqual([first.id, first.id, first.id, second.id])
    const headersOf = (name: string) => new Set(receiver.messages.slice(0, 3).map(({ headers }) => headers[name]))
    expect(headersOf('webhook-id').size).toBe(1)
    expect(headersOf('webhook-timestamp').size).toBeGreaterThan(1)
    expect(receiver.messages.every((message) => isSignedWith(webhook.secret, message))).toBe(true)
    await until(async () => (await visitor.get(webhook.self)).one.attributes.failing_since === null)
    await visitor.delete(webhook.self)
  })
  test('is retried with growing pauses for three days, then the webhook is paused and its owner told', async () => {
    const began = clock.offsetSeconds
    const receiver = aReceiver(failing)
    const { userId, client } = await aPerson()
    const webhook = await aWebhook(client, receiver.url, ['set.published'])
    const set = await make.set({ status: 'published' })
    const pauses: number[] = []
    for (let attempts = 1; ; attempts++) {
      await until(async () => (await deliveriesOf(client, webhook))[0]?.attempts === attempts)
      expect(receiver.messages).toHaveLength(attempts)
      if ((await client.get(webhook.self)).one.attributes.paused) break
      const [delivery] = await deliveriesOf(client, webhook)
      expect(delivery?.next_attempt_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
      const pause = (Date.parse(String(delivery?.next_attempt_at)) - clock.now().getTime()) / 1000
      pauses.push(pause)
      clock.offsetSeconds += Math.max(0, pause)
      await db.notify('webhooks')
    }
    const elapsed = clock.offsetSeconds - began
    expect(elapsed).toBeGreaterThan(3 * 86_400 - 60)
    expect(elapsed).toBeLessThan(3 * 86_400 + 3600)
    expect(pauses.slice(0, 5).every((pause, at) => at === 0 || pause > (pauses[at - 1] as number) * 1.5)).toBe(true)
    expect(Math.max(...pauses)).toBeLessThan(4.5 * 3600)
    await runJobs(context)
    const mails = mailsTo(context, `${userId}@example.org`)
    expect(mails.map(({ kind }) => kind)).toEqual(['webhook_paused'])
    expect(mails[0]?.text).toContain(new URL(receiver.url).host)
    const audit = await operator.get(`/internal/audit-logs?filter[auditable_id]=${webhook.id}`)
    expect(audit.many[0]?.attributes).toMatchObject({ event_type: 'webhook.paused', agent_id: 'service' })

    const later = await make.set({ status: 'published' })
    receiver.answer = fine
    receiver.messages.length = 0
    await change(client, webhook, { paused: false })
    await until(() => receiver.messages.length === 2)
    expect(receiver.messages.map((message) => bodyOf(message).data.id)).toEqual([set.id, later.id])
    await client.delete(webhook.self)
    clock.offsetSeconds = began
  })
})

test('what happens while a webhook is paused is told once it is resumed', async () => {
  const receiver = aReceiver()
  const webhook = await aWebhook(visitor, receiver.url, ['set.published', 'catalog.changed'])
  await change(visitor, webhook, { paused: true })
  const [first, second] = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
  const witness = aReceiver()
  const other = await aWebhook(visitor, witness.url, ['set.published'])
  await make.set({ status: 'published' })
  await until(() => witness.messages.length > 0)
  expect(receiver.messages).toEqual([])
  await change(visitor, webhook, { paused: false })
  await until(() => receiver.messages.length === 4)
  const told = receiver.messages.map((message) => bodyOf(message))
  expect(told.map(({ type }) => type)).toEqual(['catalog.changed', ...Array(3).fill('set.published')])
  expect(told.slice(1, 3).map(({ data }) => data.id)).toEqual([first.id, second.id])
  const page = await reader.get(`/v2/changes?filter[type]=sets&page[after]=${told[0]?.data.cursor}`)
  expect(page.many[0]?.relationships.resource?.data).toEqual({ type: 'sets', id: first.id })
  for (const { self } of [webhook, other]) await visitor.delete(self)
})

test('for a day after a rotation both secrets sign, then the new one alone; of three, the two newest', async () => {
  const began = clock.offsetSeconds
  const receiver = aReceiver()
  const webhook = await aWebhook(visitor, receiver.url, ['set.published'])
  const rotated = async () => String((await visitor.send('POST', `${webhook.self}/rotate`)).one.attributes.secret)
  const signers = async (secrets: string[]) => {
    receiver.messages.length = 0
    await visitor.send('POST', `${webhook.self}/test`)
    await until(() => receiver.messages.length === 1)
    // The library knows only the machine's time.
    const { headers, text } = receiver.messages[0] as Message
    const now = new Date(Number(headers['webhook-timestamp']) * 1000)
    return secrets.map((secret) => isSignedWith(secret, { headers, text, at: 0 }, now))
  }
  const second = await rotated()
  expect(await signers([webhook.secret, second])).toEqual([true, true])
  const third = await rotated()
  expect(await signers([webhook.secret, second, third])).toEqual([false, true, true])
  clock.offsetSeconds += 24 * 3600 + 60
  expect(await signers([webhook.secret, second, third])).toEqual([false, false, true])
  clock.offsetSeconds = began
  await visitor.delete(webhook.self)
})

describe('a test and a retry', () => {
  test('are sent at once and once, even by a webhook that is paused', async () => {
    const receiver = aReceiver(failing)
    const webhook = await aWebhook(visitor, receiver.url, ['set.published'])
    await change(visitor, webhook, { paused: true })
    const answer = await visitor.send('POST', `${webhook.self}/test`)
    expect([answer.status, answer.headers.get('location')]).toEqual([202, answer.links.self as string])
    expect(answer.one.attributes).toMatchObject({ event: 'webhook.test', status: 'pending', attempts: 0 })
    const at = pathOf(answer.links.self as string)
    await until(async () => (await visitor.get(at)).one.attributes.status === 'failed')
    expect(receiver.types()).toEqual(['webhook.test'])
    receiver.answer = fine
    const retried = await visitor.send('POST', `${at}/retry`)
    expect([retried.status, retried.one.attributes.status]).toEqual([202, 'pending'])
    await until(async () => (await visitor.get(at)).one.attributes.status === 'delivered')
    expect((await visitor.get(at)).one.attributes).toMatchObject({ attempts: 2, response_status: 204, error: null })
    expect(new Set(receiver.messages.map(({ headers }) => headers['webhook-id']))).toEqual(new Set([answer.one.id]))
    expect((await visitor.get(webhook.self)).one.attributes).toMatchObject({ paused: true, failing_since: null })
    await visitor.delete(webhook.self)
  })
  test('of a delivery that others wait for lets these go on', async () => {
    const receiver = aReceiver(failing)
    const webhook = await aWebhook(visitor, receiver.url, ['set.published'])
    const sets = [await make.set({ status: 'published' }), await make.set({ status: 'published' })]
    await until(async () => (await deliveriesOf(visitor, webhook))[0]?.attempts === 1)
    receiver.answer = fine
    const [delivery] = await deliveriesOf(visitor, webhook)
    await visitor.send('POST', `${webhook.self}/deliveries/${delivery?.id}/retry`)
    await until(() => receiver.messages.length === 3)
    expect(receiver.messages.map((message) => bodyOf(message).data.id)).toEqual(
      [sets[0], sets[0], sets[1]].map((set) => set?.id as string),
    )
    await visitor.delete(webhook.self)
  })
})
