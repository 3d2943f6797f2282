import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keysOf, type Secrets } from './secret.ts'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts texts for one purpose, with a key derived from the service's secret (AES-256-GCM). Also reads texts sealed under
 * earlier secrets that are still accepted.
 */
export const sealer = (secret: Secrets, purpose: string) => {
  const [key, ...earlier] = keysOf(secret, purpose).map((text) => Buffer.from(text, 'hex')) as [Buffer, ...Buffer[]]
  return {
    seal: (text: string): string => {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('base64')
    },
    /** Undefined if the text was sealed under another secret or has been changed. */
    unseal: (sealed: string): string | undefined => {
      const bytes = Buffer.from(sealed, 'base64')
      if (bytes.length < nonceBytes + tagBytes) return undefined
      for (const one of [key, ...earlier]) {
        const text = open(bytes, one)
        if (text !== undefined) return text
      }
    },
  }
}

const open = (bytes: Buffer, key: Buffer): string | undefined => {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
