import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A random text of letters and digits. 43 of them carry more than 256 bits. */
export const randomText = (length = 43): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  return text
}

/** The hash of a secret, for storage. Secrets are random, so a fast hash is enough. Passwords go through Bun.password. */
export const hashSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** The same hash as hexadecimal text. */
export const hashedText = (secret: string): string => hash('sha256', secret, 'hex')

/** Whether a text is long enough to sign with. */
export const isSecret = (text: string): boolean => text.length >= 32

/** The service's secret, alone or followed by earlier ones, which are still accepted but sign nothing. */
export type Secrets = string | readonly [signs: string, ...accepted: string[]]

/** A signature as hexadecimal text. */
export const sign = (secret: Secrets, text: string): string =>
  createHmac('sha256', typeof secret === 'string' ? secret : secret[0])
    .update(text)
    .digest('hex')

/** The keys for a purpose. The first one signs and seals; all are accepted. */
export const keysOf = (secret: Secrets, purpose: string): [signs: string, ...accepted: string[]] => {
  const [signs, ...accepted] = typeof secret === 'string' ? [secret] : secret
  return [sign(signs, purpose), ...accepted.map((one) => sign(one, purpose))]
}

/** Compares two texts without revealing in its timing where they differ. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hashSecret(a), hashSecret(b)) && a.length === b.length
