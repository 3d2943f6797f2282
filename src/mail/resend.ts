import { type ErrorResponse, Resend } from 'resend'
import { GiveUp } from '../jobs/define.ts'
import type { Carrier } from './message.ts'

type Options = { apiKey: string; baseUrl?: string; answerSeconds?: number }

/** Sends through Resend. The mail's id is the idempotency key, so a mail that got through isn't sent again. */
export const resendCarrier = ({ apiKey, baseUrl, answerSeconds = 10 }: Options): Carrier => {
  const resend = new Resend(apiKey, { baseUrl: baseUrl?.replace(/\/+$/, '') })
  return async ({ id, to, from, message: { kind, subject, html, text } }) => {
    const options = { idempotencyKey: id, signal: AbortSignal.timeout(answerSeconds * 1000) }
    const tags = [{ name: 'kind', value: kind }]
    const { error } = await resend.emails.send({ from, to: [to], subject, html, text, tags }, options)
    if (!error) return
    // Resend's message may contain the address. Its name and status never do.
    const reason = `Resend answered ${error.statusCode ?? 'nothing'}: ${error.name}.`
    throw isHopeless(error) ? new GiveUp(reason) : new Error(reason)
  }
}

/** A fault in the mail itself is permanent. A bad key, an unverified domain or a used-up quota can be fixed. */
const isHopeless = ({ statusCode, name }: ErrorResponse) =>
  statusCode === 400 || statusCode === 422 || name === 'invalid_idempotent_request'
