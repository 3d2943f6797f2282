import { isIP } from 'node:net'
import type { Config } from '../../config.ts'
import type { TraceContext } from '../../lib/origin.ts'
import { lifetimes, sizes } from '../../limits.ts'
import { version } from '../../version.ts'
import { addressesOf, isLoopback, isPublic, type Resolve } from './address.ts'

/** How an attempt ended: what the receiver answered, or why there is no answer. After a final error there is no other attempt. */
export type Attempt = { milliseconds: number; status?: number; answer?: string; error?: string; isFinal?: true }

/** What is sent: its id stays the same at each attempt. `trace` are headers for receivers that trace. */
export type Outgoing = {
  targetUrl: string
  id: string
  signature: string
  seconds: number
  body: string
  trace?: TraceContext
}

type Terms = { resolve: Resolve; signal: AbortSignal } & Pick<Config, 'webhookAllowPrivate' | 'appEnv' | 'brand'>

/**
 * Sends a delivery once. The name is resolved once, and the connection goes to an address that was checked. The certificate is
 * checked against the name. Anything but a 2xx in time is an error. Throws only if `signal` aborts.
 */
export const postDelivery = async (outgoing: Outgoing, terms: Terms): Promise<Attempt> => {
  const began = performance.now()
  const late = AbortSignal.timeout(lifetimes.webhookAttempt.seconds * 1000)
  const signal = AbortSignal.any([late, terms.signal])
  const ended = (attempt: Omit<Attempt, 'milliseconds'>): Attempt => ({
    milliseconds: Math.round(performance.now() - began),
    ...attempt,
  })
  try {
    const url = new URL(outgoing.targetUrl)
    const address = await within(signal, findAddress(url, terms))
    const response = await fetch(pinned(url, address), requestOf(url, outgoing, terms.brand, signal))
    const answer = await readStart(response, signal)
    const { status } = response
    return ended({ status, answer, ...(response.ok ? {} : { error: sayStatus(status) }) })
  } catch (error) {
    if (terms.signal.aborted) throw terms.signal.reason
    return ended({ error: late.aborted ? tooLate : error instanceof Refused ? error.message : sayFault(error) })
  }
}

/** An address that nothing is sent to. The message is for the webhook's owner. */
class Refused extends Error {}

const findAddress = async ({ protocol, hostname }: URL, { resolve, webhookAllowPrivate, appEnv }: Terms) => {
  const addresses = await addressesOf(hostname, resolve).catch(() => [])
  const [first] = addresses
  if (!first) throw new Refused('The name has no address.')
  if (!webhookAllowPrivate && !addresses.every(isPublic))
    throw new Refused('The name has an address that isn’t public.')
  const mayBePlain = webhookAllowPrivate && appEnv !== 'production' && addresses.every(isLoopback)
  if (protocol !== 'https:' && !mayBePlain) throw new Refused('Only https is sent to.')
  return first
}

const pinned = ({ protocol, port, pathname, search }: URL, address: string) =>
  `${protocol}//${isIP(address) === 6 ? `[${address}]` : address}${port ? `:${port}` : ''}${pathname}${search}`

const requestOf = (url: URL, { id, seconds, signature, body, trace }: Outgoing, brand: string, signal: AbortSignal) =>
  ({
    ...{ method: 'POST', body, signal, redirect: 'manual', decompress: false },
    // Otherwise HTTP_PROXY would decide where it goes.
    proxy: false,
    headers: {
      Host: url.host,
      'Content-Type': 'application/json',
      'User-Agent': `${brand}/${version}`,
      'Webhook-Id': id,
      'Webhook-Timestamp': String(seconds),
      'Webhook-Signature': signature,
      ...trace,
    },
    tls: isIP(url.hostname.replace(/^\[(.*)\]$/, '$1')) ? {} : { serverName: url.hostname },
  }) as RequestInit

/** A promise that also ends with a signal, since a lookup can't be canceled. */
const within = <T>(signal: AbortSignal, work: Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })

/** How long the beginning of an answer is waited for once its status is known. */
const answerMilliseconds = 1000

/** The beginning of an answer as text. The rest isn't received. */
const readStart = async ({ body }: Response, signal: AbortSignal): Promise<string> => {
  if (!body) return ''
  const reader = body.getReader()
  const bytes = new Uint8Array(sizes.webhookAnswer.most)
  let length = 0
  const read = async () => {
    while (length < bytes.length) {
      const { done, value } = await reader.read()
      if (done) return
      const piece = value.subarray(0, bytes.length - length)
      bytes.set(piece, length)
      length += piece.length
    }
  }
  await within(AbortSignal.any([signal, AbortSignal.timeout(answerMilliseconds)]), read()).catch(() => {})
  await reader.cancel().catch(() => {})
  return new TextDecoder().decode(bytes.subarray(0, length)).replaceAll('\0', '')
}

const tooLate = `No answer within ${lifetimes.webhookAttempt.seconds} seconds.`

const sayStatus = (status: number) =>
  status >= 300 && status < 400 ? `It answered ${status}. Redirects aren’t followed.` : `It answered ${status}.`

/** A failed connection in words that reveal nothing but its kind. */
const sayFault = (error: unknown) => {
  const { code } = error as { code?: string }
  return `The connection failed${code ? ` (${code})` : ''}.`
}
