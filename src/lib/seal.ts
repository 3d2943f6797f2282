import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { keysOf, type Secrets } from './secret.ts'

const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts texts and bytes for one purpose, with a key derived from the service's secret (AES-256-GCM). Also reads what was sealed
 * under earlier secrets that are still accepted.
 */
export const sealer = (secret: Secrets, purpose: string) => {
  const [key, ...earlier] = keysOf(secret, purpose).map((text) => Buffer.from(text, 'hex')) as [Buffer, ...Buffer[]]
  const sealBytes = (bytes: Uint8Array): Buffer => {
    const nonce = randomBytes(nonceBytes)
    const cipher = createCipheriv('aes-256-gcm', key, nonce)
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }
  const unsealBytes = (sealed: Buffer): Buffer | undefined => {
    if (sealed.length < nonceBytes + tagBytes) return undefined
    for (const one of [key, ...earlier]) {
      const bytes = open(sealed, one)
      if (bytes !== undefined) return bytes
    }
  }
  return {
    seal: (text: string): string => sealBytes(Buffer.from(text, 'utf8')).toString('base64'),
    /** Undefined if the text was sealed under another secret or has been changed. */
    unseal: (sealed: string): string | undefined => unsealBytes(Buffer.from(sealed, 'base64'))?.toString('utf8'),
    sealBytes,
    unsealBytes,
  }
}

const open = (bytes: Buffer, key: Buffer): Buffer | undefined => {
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAuthTag(bytes.subarray(-tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes, -tagBytes)), decipher.final()])
  } catch {
    return undefined
  }
}
