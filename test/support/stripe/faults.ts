import type { Told } from './api.ts'

/** What can go wrong with Stripe. */
export type Fault = keyof typeof faults

type Broken = Told | Response

/** An answer for each, or one that never comes. */
export const faults = {
  down: (): Broken => ({
    status: 500,
    body: { error: { type: 'api_error', message: 'Something broke at our side.' } },
  }),
  declined: (): Broken => ({
    status: 402,
    body: {
      error: {
        type: 'card_error',
        code: 'card_declined',
        decline_code: 'generic_decline',
        message: 'sk_test_… was declined.',
      },
    },
  }),
  busy: (): Broken => ({ status: 429, body: { error: { type: 'invalid_request_error', code: 'rate_limit' } } }),
  /** A proxy that doesn't know the path answers in its own words, without the word `error`. */
  foreign: (): Broken => ({ status: 404, body: { message: 'Not Found', statusCode: 404 } }),
  garbled: (): Broken => new Response('<html>502 Bad Gateway</html>', { status: 502 }),
  /** A session without a URL. */
  blank: (): Broken => ({ status: 200, body: { id: 'cs_test_blank', object: 'checkout.session', url: null } }),
  silent: (): Promise<Broken> => new Promise(() => {}),
} satisfies Record<string, () => Broken | Promise<Broken>>

/** A fault that waits for the next `times` requests whose `METHOD path` begins with `where`. */
export type Planned = { where: string; fault: Fault; times: number }

/** The fault that applies to this request, if any. */
export const nextFault = (planned: Planned[], asked: string): Fault | undefined => {
  const met = planned.find(({ where, times }) => times > 0 && asked.startsWith(where))
  if (met) met.times--
  return met?.fault
}
