import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** A random text of letters and digits: 43 of them carry more than 256 bits. */
export const randomText = (length = 43): string => {
  let text = ''
  while (text.length < length)
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += alphabet.charAt(byte % 62)
    }
  return text
}

/** What is kept of a secret. Secrets are random, so a fast hash is enough; passwords go through Bun.password. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** A signature as hexadecimal text. */
export const sign = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex')

/** Compares two texts in a time that tells nothing of where they differ. */
export const sameText = (a: string, b: string): boolean =>
  timingSafeEqual(hashSecret(a), hashSecret(b)) && a.length === b.length
