import { jwt } from '@elysiajs/jwt'
import { isScope, type Scope } from './caller.ts'

/** Access tokens live for a day (interface.md). */
export const accessTokenSeconds = 86_400

/** What a verified access token says: its own id, the client that it was given to, and its scopes. */
export type AccessToken = { id: string; clientId: string; scopes: Scope[] }

/** A token whose signature is right and whose time has not come. */
export type VerifiedToken = AccessToken & { expiresAt: Date }

export type AccessTokens = {
  issue: (token: AccessToken, now: Date) => Promise<string>
  /** The token's content, or undefined where signature, algorithm, form or time are not right. */
  verify: (text: string, now: Date) => Promise<VerifiedToken | undefined>
}

/** Signs and verifies access tokens with the service's secret: HS256, and no other algorithm whatever a header says. */
export const accessTokens = (secret: string): AccessTokens => {
  const { jwt: signer } = jwt({ name: 'jwt', secret, alg: 'HS256' }).decorator
  return {
    issue: ({ id, clientId, scopes }, now) => {
      const issuedAt = Math.floor(now.getTime() / 1000)
      return signer.sign({ sub: clientId, jti: id, scope: scopes.join(' '), exp: issuedAt + accessTokenSeconds })
    },
    verify: async (text, now) => {
      if (!isSpelledOnce(text)) return undefined
      const claims = await signer.verify(text, { algorithms: ['HS256'], currentDate: now })
      if (!claims || typeof claims.sub !== 'string' || typeof claims.jti !== 'string' || typeof claims.exp !== 'number')
        return undefined
      const scopes = String(claims.scope).split(' ').filter(isScope)
      return { id: claims.jti, clientId: claims.sub, scopes, expiresAt: new Date(claims.exp * 1000) }
    },
  }
}

/** Whether a signature is written as it was issued: two bits of its last letter say nothing, and are to be zero. */
const isSpelledOnce = (text: string) => {
  const signature = text.slice(text.lastIndexOf('.') + 1)
  return Buffer.from(signature, 'base64url').toString('base64url') === signature
}
