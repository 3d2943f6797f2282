import { isUuid } from '../jsonapi/fields.ts'
import { hashedText } from '../lib/secret.ts'
import type { AccessTokens, VerifiedToken } from './access-token.ts'

/** What a request presents as proof: an access token, the hash of an opaque secret, or nothing usable. */
export type Presented =
  | { kind: 'none' }
  | { kind: 'secret'; hash: string; fromCookie: boolean }
  | { kind: 'access_token'; token: VerifiedToken }

/** A JWT: three parts in base64url. */
const tokenForm = /^[\w-]+\.[\w-]+\.[\w-]+$/

/**
 * Reads `Authorization: Bearer`, or else the session cookie. Anything that can't be a credential counts as none. Only for
 * access tokens is the result a promise.
 */
export const readPresented = (
  headers: Headers,
  tokens: AccessTokens,
  cookieName: string,
  now: Date,
): Presented | Promise<Presented> => {
  const authorization = headers.get('authorization')
  const bearer = /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]
  if (bearer) return readBearer(bearer, tokens, now)
  if (authorization) return { kind: 'none' }
  const cookie = readCookie(headers.get('cookie'), cookieName)
  return cookie ? { kind: 'secret', hash: hashedText(cookie), fromCookie: true } : { kind: 'none' }
}

/** Tells by its form what kind of credential a bearer is: an access token if it verifies as one, else an opaque secret. */
export const readBearer = (bearer: string, tokens: AccessTokens, now: Date): Presented | Promise<Presented> =>
  tokenForm.test(bearer)
    ? readToken(bearer, tokens, now)
    : { kind: 'secret', hash: hashedText(bearer), fromCookie: false }

const readToken = async (bearer: string, tokens: AccessTokens, now: Date): Promise<Presented> => {
  const token = await tokens.verify(bearer, now)
  return token && isUuid(token.clientId) ? { kind: 'access_token', token } : { kind: 'none' }
}

/** The name of the session cookie. Browsers tie names with the `__Host-` prefix to https and this host. */
export const sessionCookie = (brand: string, baseUrl: string) =>
  baseUrl.startsWith('https:') ? `__Host-${brand}_session` : `${brand}_session`

const readCookie = (header: string | null, name: string) =>
  header
    ?.split(';')
    .map((part) => part.trim())
    .find((part) => part.startsWith(`${name}=`))
    ?.slice(name.length + 1)
