import { randomBytes } from 'node:crypto'
import type { Context } from '../context.ts'
import { sealer } from '../lib/seal.ts'

const mark = 'whsec_'

/** A new secret: `whsec_` and the base64 of 32 random bytes, which is all that Standard Webhooks libraries read alike. */
export const newSecret = (): string => `${mark}${randomBytes(32).toString('base64')}`

/** Seals webhooks' secrets with the service's own, because whoever signs must have them. */
export const webhookSealer = ({ secret }: Pick<Context, 'secret'>) => sealer(secret, 'secrets of webhooks')

/** Signs a delivery as Standard Webhooks say: a signature for each secret, separated by spaces. */
export const signDelivery = (secrets: readonly string[], id: string, seconds: number, body: string): string =>
  secrets
    .map((secret) => {
      const key = Buffer.from(secret.slice(mark.length), 'base64')
      return `v1,${new Bun.CryptoHasher('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
    })
    .join(' ')
