import { expect, test } from 'bun:test'
import { issueCredential } from '../../../src/access/credentials.ts'
import { agree, aUser, clientWith } from '../../support/callers.ts'
import { aWebhook, privateWebhooks } from '../../support/delivering.ts'
import { aDocument } from '../../support/factories.ts'
import { aReceiver, bodyOf, isSignedWith } from '../../support/receiver.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

const service = await serviceProcesses(privateWebhooks)

/** 10,000 deliveries on a server. The embedded database starts more slowly, and waits for the disk. */
const { accounts, each, sets } = service.isShared
  ? { accounts: 2, each: 20, sets: 250 }
  : { accounts: 1, each: 10, sets: 50 }
const kills = 5

const operators = await service.withContext(async (context) => {
  const { db, config, clock } = context
  const headers: Record<string, string>[] = []
  for (let n = 0; n < accounts; n++) {
    const owner = await aUser(context, { operator: true, status: 'none' })
    const { id, secret } = await issueCredential(db, 'session', owner, config, clock.now())
    await agree(db, id, { limit: 1_000_000, windowSeconds: 3600 }, { now: clock.now(), internalPoolLimit: 0 })
    headers.push({ Authorization: `Bearer ${secret}` })
  }
  return headers
})

test('every delivery arrives, in order for each webhook, over five kills of the service', async () => {
  let served = await service.serve()
  const clients = () => operators.map((headers) => clientWith(fetch, served.address, headers))
  const receivers = await Promise.all(
    clients().flatMap((client) =>
      Array.from({ length: each }, async () => {
        const receiver = aReceiver()
        return { ...(await aWebhook(client, receiver.url, ['set.published'], '/internal/webhooks')), receiver }
      }),
    ),
  )
  const published: string[] = []
  let starting = Promise.resolve()
  const publish = async (n: number) => {
    for (;;) {
      await starting
      const document = aDocument('sets', { name: `Set ${n}`, status: 'published' })
      const sent = clients()[0]?.post('/v1/sets', document, { 'Idempotency-Key': `set-${n}` })
      const answer = await sent?.catch(() => undefined)
      if (answer?.status === 201) return answer.one.id
    }
  }
  const publishing = (async () => {
    for (let n = 0; n < sets; n++) published.push(await publish(n))
  })()
  const all = receivers.length * sets
  const arrived = () => receivers.reduce((sum, { receiver }) => sum + receiver.messages.length, 0)
  const restart = async () => {
    served.child.kill('SIGKILL')
    await served.child.exited
    served = await service.serve()
  }
  for (let killed = 1; killed <= kills; killed++) {
    await until(() => arrived() >= (all * killed) / (kills + 1))
    starting = restart()
    await starting
  }
  await publishing
  const isDone = () => receivers.every(({ receiver }) => idsOf(receiver).at(-1) === published.at(-1))
  await until(isDone)
  for (const { receiver } of receivers) {
    const ids = idsOf(receiver)
    expect(ids.filter((id, at) => id !== ids[at - 1])).toEqual(published)
  }
  for (const { receiver, secret } of receivers)
    for (const message of receiver.messages.slice(-5)) expect(isSignedWith(secret, message)).toBe(true)
  // Whoever was killed in the middle of an attempt repeats it under its id, and nothing else is sent twice.
  const twice = receivers.flatMap(({ receiver }) => receiver.messages).length - all
  expect(twice).toBeLessThanOrEqual(kills * receivers.length)
  const deliveries = new Set(
    receivers.flatMap(({ receiver }) => receiver.messages.map(({ headers }) => headers['webhook-id'])),
  )
  expect(deliveries.size).toBe(all)
  served.child.kill('SIGTERM')
  expect(await served.child.exited).toBe(0)
}, 600_000)

const idsOf = ({ messages }: ReturnType<typeof aReceiver>) => messages.map((message) => bodyOf(message).data.id)
