import { accessTokenSeconds } from '../access/access-token.ts'
import { isScope, lesserScopes, type Scope } from '../access/caller.ts'
import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { ownWindows } from '../limits.ts'
import { type Client, invalidClient, readProof } from './client.ts'
import type { ClientRequest } from './client-request.ts'
import { oauthRefusal, withOauthWindow } from './refusal.ts'

/**
 * A client that proves its identity has its tokens counted by client (interface.md, Limits). Failed proofs are counted by
 * client and address, or by address alone if no client is known, so wrong secrets lock no client out, whoever sends them
 * (decisions.md §12).
 */
const allowance = ownWindows.oauthToken

/** `POST /oauth/token`: exchanges client credentials, in JSON, a form or HTTP Basic, for an access token (RFC 6749 §4.4). */
export const issueToken = async (context: Context, call: Call): Promise<Reply> => {
  const { asked, named, proven } = await readProof(context, call)
  const network = networkOf(call.caller.address)
  const failed = named ? `failed ${named.id} address ${network}` : `address ${network}`
  const counted = proven ? `client ${proven.id}` : failed
  const window = await countOn(context.db, context.clock, `oauth-token ${counted}`, allowance)
  return withOauthWindow(window.isOpen ? await answerGrant(context, call, asked, proven) : { status: 429 }, window)
}

const answerGrant = async (
  context: Context,
  call: Call,
  asked: ClientRequest | string,
  proven: Client | undefined,
): Promise<Reply> => {
  if (typeof asked === 'string') return oauthRefusal(400, 'invalid_request', asked)
  const { grant_type: grantType, scope = '' } = asked.fields
  if (!grantType) return oauthRefusal(400, 'invalid_request', 'grant_type is missing.')
  if (grantType !== 'client_credentials')
    return oauthRefusal(400, 'unsupported_grant_type', 'The only supported grant_type is client_credentials.')
  if (!proven) return invalidClient()
  const scopes = grantedScopes(scope.split(' ').filter(Boolean), proven)
  if (!scopes) return oauthRefusal(400, 'invalid_scope', 'The client is not allowed every scope that it asked for.')
  const token = await context.tokens.issue(
    { id: Bun.randomUUIDv7(), clientId: proven.id, generation: proven.generation, scopes },
    call.now,
  )
  const body = { token_type: 'Bearer', expires_in: accessTokenSeconds, access_token: token, scope: scopes.join(' ') }
  const headers = { 'Cache-Control': 'no-store', Pragma: 'no-cache' }
  return { status: 200, headers, body }
}

/**
 * The requested scopes, which may be fewer than the client has, or by default all that it may use now. Undefined if it asked
 * for more, or may use none.
 */
const grantedScopes = (asked: string[], client: Client): Scope[] | undefined => {
  const allowed = client.scopes.filter(isScope).filter((scope) => scope !== 'internal' || client.internal_approved)
  if (asked.length === 0) return allowed.length > 0 ? allowed : undefined
  const known = asked.filter(isScope)
  const within = allowed.flatMap((scope) => [scope, ...(lesserScopes[scope] ?? [])])
  return known.length === asked.length && known.every((scope) => within.includes(scope))
    ? [...new Set(known)]
    : undefined
}
