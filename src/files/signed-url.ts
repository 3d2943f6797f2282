import type { Config } from '../config.ts'
import { keysOf, type Secrets, sameText, sign } from '../lib/secret.ts'

/** What signed URLs open, and the purpose that each key is derived for. */
const purposes = { images: 'image addresses', bulk: 'bulk addresses' } as const
type Kind = keyof typeof purposes

type Signer = { config: Pick<Config, 'baseUrl' | 'imageUrlTtlSeconds'>; secret: Secrets }

/**
 * Makes URLs that open a file without a credential. A URL expires at the end of the window after the current one, so it stays
 * the same within a window and works for at least one window (decisions.md §4). What it is `bound` to must still be true when
 * it is opened.
 */
export const signedUrls = ({ config, secret }: Signer, kind: Kind, now: Date) => {
  const { baseUrl, imageUrlTtlSeconds: ttlSeconds } = config
  const [key] = keysOf(secret, purposes[kind])
  const expires = (Math.floor(now.getTime() / 1000 / ttlSeconds) + 2) * ttlSeconds
  const expiresAt = new Date(expires * 1000).toISOString()
  return (id: string, name: string, ...bound: number[]) => {
    const signature = sign(key, [id, name, expires, ...bound].join(' '))
    return { url: `${baseUrl}/${kind}/${id}/${name}?expires=${expires}&signature=${signature}`, expiresAt }
  }
}

/** A signed URL as a request presents it. */
export type PresentedUrl = { id: string; name: string; search: URLSearchParams }

/** The query parameters of a signed URL. */
export const signedParameters = ['expires', 'signature']

/**
 * How many seconds a presented URL still works, and which of `bounds` it was made for. Undefined if its signature is wrong or
 * it has expired.
 */
export const readSignedUrl = (
  secret: Secrets,
  kind: Kind,
  { id, name, search }: PresentedUrl,
  now: Date,
  bounds: readonly (readonly number[])[] = [[]],
): { seconds: number; bound: readonly number[] } | undefined => {
  const [expires, signature] = [search.get('expires') ?? '', search.get('signature') ?? '']
  if (!/^\d{1,12}$/.test(expires) || !signature) return undefined
  const keys = keysOf(secret, purposes[kind])
  const bound = bounds.find((one) =>
    keys.some((key) => sameText(signature, sign(key, [id, name, expires, ...one].join(' ')))),
  )
  const seconds = Number(expires) - now.getTime() / 1000
  return bound && seconds > 0 ? { seconds, bound } : undefined
}
