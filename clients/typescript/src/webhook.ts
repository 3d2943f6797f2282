import type { Reference } from './reference.ts'

/** A message that a webhook brings. */
export type WebhookMessage =
  | { type: 'catalog.changed'; timestamp: string; data: { cursor: string; links: { changes: string } } }
  | { type: 'set.published'; timestamp: string; data: Told }
  | { type: 'import.finished'; timestamp: string; data: Told }
  | { type: 'merge.made'; timestamp: string; data: Told }

type Told = Reference & { links?: { self: string } }

/** A message that isn't from the service, or not from now. */
export class WebhookError extends Error {
  override readonly name = 'WebhookError'
}

/** The headers of a request: a `Headers` object, or a plain one as Node has them. */
export type WebhookHeaders = Headers | Record<string, string | string[] | undefined>

/**
 * Reads a message, if one of its signatures is the secret's and it is at most five minutes old or early. The body is what came, as
 * text or bytes, and not parsed. Throws WebhookError.
 */
export const verifyWebhook = async (
  body: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string,
): Promise<WebhookMessage & { id: string }> => {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    headerOf(headers, `webhook-${name}`),
  )
  if (!id || !timestamp || !signatures) throw new WebhookError('A header is missing.')
  if (!/^\d+$/.test(timestamp) || Math.abs(Date.now() / 1000 - Number(timestamp)) > 300)
    throw new WebhookError('The timestamp is more than five minutes off.')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body)
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const material = decoded(secret.replace(/^whsec_/, ''))
  if (!material?.length) throw new WebhookError('The secret is not one.')
  const key = await crypto.subtle.importKey('raw', material, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
  for (const given of signatures.split(' ')) {
    const signature = given.startsWith('v1,') ? decoded(given.slice(3)) : undefined
    if (signature && (await crypto.subtle.verify('HMAC', key, signature, signed)))
      return { ...(JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage), id }
  }
  throw new WebhookError('No signature is right.')
}

const headerOf = (headers: WebhookHeaders, name: string): string | undefined => {
  if (typeof headers.get === 'function') return (headers as Headers).get(name) ?? undefined
  const [, value] = Object.entries(headers).find(([given]) => given.toLowerCase() === name) ?? []
  return Array.isArray(value) ? value.join(' ') : value
}

const decoded = (base64: string): Uint8Array<ArrayBuffer> | undefined => {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    return undefined
  }
}

const joined = (first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> => {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
