import { startNumbering } from '../../src/catalog/sync/feed/number.ts'
import type { Resolve } from '../../src/webhooks/deliveries/address.ts'
import { startDelivering } from '../../src/webhooks/deliveries/work.ts'
import type { Answer } from './answer.ts'
import type { TestApp } from './app.ts'
import type { Client } from './callers.ts'
import { endsFirst } from './ending.ts'
import { aDocument } from './factories.ts'

/** The settings of a service that sends to this machine. */
export const privateWebhooks = { WEBHOOK_ALLOW_PRIVATE: 'true' }

/** Has an app number its changes and send to webhooks until the end of the file. Returns a function that stops it earlier. */
export const delivering = ({ context }: Pick<TestApp, 'context'>, resolve?: Resolve) => {
  const stopNumbering = startNumbering(context)
  const work = startDelivering(context, resolve)
  const stop = async () => {
    await Promise.all([work.stop(), stopNumbering()])
  }
  endsFirst(stop)
  return stop
}

/** Creates a webhook at a path, and returns its id and its secret. */
export const aWebhook = async (
  client: Client,
  target_url: string,
  events: string[],
  path = '/v1/user/webhooks',
): Promise<{ id: string; secret: string; self: string }> => {
  const answer = await client.post(path, aDocument('webhooks', { target_url, events }))
  if (answer.status !== 201) throw new Error(`POST ${path} answered ${answer.status} ${answer.text}`)
  const { id, attributes } = answer.one
  return { id, secret: String(attributes.secret), self: `${path}/${id}` }
}

/** Changes a webhook. */
export const change = (
  client: Client,
  { id, self }: { id: string; self: string },
  attributes: object,
): Promise<Answer> => client.patch(self, { data: { type: 'webhooks', id, attributes } })
