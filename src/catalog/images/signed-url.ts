import type { Context } from '../../context.ts'
import { keysOf, type Secrets, sameText, sign } from '../../lib/secret.ts'

/** An image as its address needs it: `audience` is who may see it now (1 readers of drafts, 2 everyone). */
export type SignedImage = { id: string; audience: number }

type Signer = Pick<Context, 'config' | 'secret'>

/**
 * Makes addresses that open a file of an image without a credential. One expires at the end of the window after the
 * current one, so it is the same text within a window and holds for at least one length of it (decisions.md §4). It is
 * bound to the image's audience: the address of a published image no longer opens it once it is hidden.
 */
export const imageUrls = ({ config, secret }: Signer, now: Date) => {
  const { baseUrl, imageUrlTtlSeconds: ttlSeconds } = config
  const [key] = keysOf(secret, purpose)
  const expires = (Math.floor(now.getTime() / 1000 / ttlSeconds) + 2) * ttlSeconds
  const expiresAt = new Date(expires * 1000).toISOString()
  return (image: SignedImage, name: string) => {
    const signature = signatureOf(key, image.id, name, String(expires), image.audience)
    return { url: `${baseUrl}/images/${image.id}/${name}?expires=${expires}&signature=${signature}`, expiresAt }
  }
}

export type PresentedUrl = { id: string; name: string; expires: string | null; signature: string | null }

/** What an address grants: the audience that the image must still have, and for how long it holds. */
export type Granted = { audience: number; seconds: number }

/** Reads a presented address; undefined where its signature is wrong or it has expired. */
export const readImageUrl = (secret: Secrets, presented: PresentedUrl, now: Date): Granted | undefined => {
  const { id, name, expires, signature } = presented
  if (!expires || !signature || !/^\d{1,12}$/.test(expires)) return undefined
  const keys = keysOf(secret, purpose)
  const audience = [1, 2].find((one) =>
    keys.some((key) => sameText(signature, signatureOf(key, id, name, expires, one))),
  )
  const seconds = Number(expires) - now.getTime() / 1000
  return audience && seconds > 0 ? { audience, seconds } : undefined
}

const purpose = 'image addresses'

const signatureOf = (key: string, id: string, name: string, expires: string, audience: number) =>
  sign(key, `${id} ${name} ${expires} ${audience}`)
