import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import type { Call, Reply, Route } from '../http/route.ts'
import { badRequest, internalError } from '../jsonapi/errors.ts'
import { BadEvent, PaymentsFailure } from '../payments/payments.ts'
import { logFailure } from './failures.ts'
import { handleEvent } from './handle-event.ts'

/** Stripe's own events are far smaller. Anybody can send one, so reading it must stay cheap. */
const largestEventBytes = 512 * 1024

const receive = async (context: Context, { request, body, now }: Call): Promise<Reply> => {
  const { payments } = context
  if (!payments) throw badRequest('Billing is not configured on this service, so it accepts no events.')
  try {
    const event = await payments.readEvent(await body(), request.headers.get('stripe-signature'))
    await handleEvent(context, payments, event, now)
  } catch (error) {
    if (error instanceof BadEvent) throw badRequest(error.message)
    if (!(error instanceof PaymentsFailure)) throw error
    logFailure(context, error)
    throw internalError()
  }
  return { status: 200, body: { received: true } }
}

/** Where Stripe sends its events. */
export const webhookRoute: Route = {
  method: 'POST',
  path: '/webhooks/stripe',
  operationId: 'receiveStripeEvent',
  summary: 'Receive a Stripe event',
  description:
    'Public and unthrottled. The `Stripe-Signature` header authenticates the event, and its time may be up to 300 seconds from now. Each event is handled once, in any order. An event that needs no handling, or was handled before, returns 200. A 500 makes Stripe send it again. The body may have any media type.',
  tag: 'Billing',
  access: 'public',
  flat: true,
  body: {
    schema: Type.Object(
      {
        id: Type.String(),
        type: Type.String(),
        data: Type.Object({ object: Type.Record(Type.String(), Type.Unknown()) }, { additionalProperties: true }),
      },
      { $id: 'StripeEvent', additionalProperties: true },
    ),
    mediaTypes: ['application/json'],
    anyMediaType: true,
    maxBytes: ({ maxBodyBytes }) => Math.min(largestEventBytes, maxBodyBytes),
    example: {
      id: 'evt_1Q2w3E4r5T6y7U8i',
      type: 'customer.subscription.updated',
      data: { object: { id: 'sub_1Q2w3E4r5T6y7U8i', customer: 'cus_R1s2T3u4V5w6X7' } },
    },
  },
  answers: {
    200: {
      description: 'Accepted.',
      schema: Type.Object({ received: Type.Literal(true) }, { $id: 'Received' }),
      example: { received: true },
    },
  },
  handle: receive,
}
