import { createHmac } from 'node:crypto'

/** Stripe's signature of a body (scheme v1), made without its SDK. */
export const signatureOf = (body: string, secret: string, at = Math.floor(Date.now() / 1000)) =>
  `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`
