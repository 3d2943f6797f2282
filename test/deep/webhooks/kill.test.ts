import { expect, test } from 'bun:test'
import { clientWith } from '../../support/callers.ts'
import { aWebhook, privateWebhooks } from '../../support/delivering.ts'
import { factories } from '../../support/factories.ts'
import { aReceiver, bodyOf, isSignedWith } from '../../support/receiver.ts'
import { serviceProcesses } from '../../support/service-process.ts'
import { until } from '../../support/until.ts'

const service = await serviceProcesses(privateWebhooks)

test('a process that is killed in the middle of a delivery leaves it and those behind it to the next one, in order', async () => {
  const receiver = aReceiver()
  let hangs = true
  receiver.answer = () =>
    hangs && receiver.messages.length === 3 ? new Promise<Response>(() => {}) : new Response(null, { status: 204 })
  const { child, address } = await service.serve()
  const client = clientWith(fetch, address, service.operator)
  const webhook = await aWebhook(client, receiver.url, ['set.published'], '/internal/webhooks')
  const { set } = factories({ operator: client })
  const published: string[] = []
  for (let n = 0; n < 6; n++) published.push((await set({ status: 'published' })).id)
  await until(() => receiver.messages.length === 3)
  child.kill('SIGKILL')
  await child.exited
  hangs = false
  const again = await service.serve()
  await until(() => receiver.messages.length === 7)
  const told = receiver.messages.map((message) => bodyOf(message).data.id)
  expect(told).toEqual([...published.slice(0, 3), ...published.slice(2)])
  const [, , cut, repeated] = receiver.messages.map(({ headers }) => headers['webhook-id'])
  expect(repeated).toBe(cut as string)
  expect(receiver.messages.every((message) => isSignedWith(webhook.secret, message))).toBe(true)
  const after = clientWith(fetch, again.address, service.operator)
  const done = async () => {
    const { many } = await after.get(`${webhook.self}/deliveries`)
    return many.length === 6 && many.every(({ attributes }) => attributes.status === 'delivered')
  }
  await until(done)
  again.child.kill('SIGTERM')
  expect(await again.child.exited).toBe(0)
})
