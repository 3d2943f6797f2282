import { jwt } from '@elysiajs/jwt'
import { keysOf, type Secrets } from '../lib/secret.ts'
import { lifetimes } from '../limits.ts'
import { isScope, type Scope } from './caller.ts'

/** How long an access token works (interface.md). */
export const accessTokenSeconds = lifetimes.accessToken.seconds

/** The claims of a verified access token: its id, its client, the client's generation when it was issued, and its scopes. */
type AccessToken = { id: string; clientId: string; generation: number; scopes: Scope[] }

/** A token without a generation belongs to the first. */
type Issued = Omit<AccessToken, 'generation'> & { generation?: number }

/** A token with a valid signature that has not expired. */
export type VerifiedToken = AccessToken & { expiresAt: Date }

export type AccessTokens = {
  issue: (token: Issued, now: Date) => Promise<string>
  /** Returns the token's claims, or undefined if its signature, algorithm, form or time is wrong. */
  verify: (text: string, now: Date) => Promise<VerifiedToken | undefined>
}

/** Signs and verifies access tokens with the service's secret. Only HS256 is accepted, whatever a header says. */
export const accessTokens = (secret: Secrets): AccessTokens => {
  const [key, ...earlier] = keysOf(secret, 'access tokens')
  const signer = signerOf(key)
  const accepted = [signer, ...earlier.map(signerOf)]
  const readClaims = async (text: string, now: Date) => {
    for (const one of accepted) {
      const claims = await one.verify(text, { algorithms: ['HS256'], currentDate: now })
      if (claims) return claims
    }
  }
  return {
    issue: async ({ id, clientId, generation = 0, scopes }, now) => {
      const exp = Math.floor(now.getTime() / 1000) + accessTokenSeconds
      return signer.sign({ sub: clientId, jti: id, gen: generation, scope: scopes.join(' '), exp })
    },
    verify: async (text, now) => {
      if (!isSpelledOnce(text)) return undefined
      const claims = await readClaims(text, now)
      if (!claims || typeof claims.sub !== 'string' || typeof claims.jti !== 'string' || typeof claims.exp !== 'number')
        return undefined
      // Tokens issued before generations existed don't name one. They belong to the first.
      const { gen = 0 } = claims
      if (typeof gen !== 'number' || !Number.isInteger(gen)) return undefined
      const scopes = String(claims.scope).split(' ').filter(isScope)
      const expiresAt = new Date(claims.exp * 1000)
      return { id: claims.jti, clientId: claims.sub, generation: gen, scopes, expiresAt }
    },
  }
}

const signerOf = (secret: string) => jwt({ name: 'jwt', secret, alg: 'HS256' }).decorator.jwt

/** Whether a signature is in its canonical spelling. Two bits of its last letter carry nothing and must be zero. */
const isSpelledOnce = (text: string) => {
  const signature = text.slice(text.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
