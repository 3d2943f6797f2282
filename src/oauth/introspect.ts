import { accessTokenSeconds, type VerifiedToken } from '../access/access-token.ts'
import type { Caller, CallerKind } from '../access/caller.ts'
import { readBearer } from '../access/read-credential.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import type { Client } from './client.ts'

/**
 * Whether a token works right now, and for what (RFC 7662). Access tokens, personal tokens and keys are checked by the gate
 * that every request passes. A client can ask about its owner's tokens, an approved internal client about anyone's. Everything
 * else is reported just as not active.
 */
export const introspectToken = async (context: Context, call: Call, client: Client, text: string): Promise<Reply> => {
  const presented = await readBearer(text, context.tokens, call.now)
  const token = presented.kind === 'access_token' ? presented.token : undefined
  const { caller } = await context.gate.admit(presented, call.caller.address, 0)
  const isShown = shownKinds.includes(caller.kind) && (caller.userId === client.user_id || isInternal(client))
  const body = isShown ? { active: true, ...describe(caller, token, context.config.baseUrl) } : { active: false }
  return { status: 200, body }
}

const shownKinds: CallerKind[] = ['access_token', 'personal_token', 'subscriber_key']

const isInternal = ({ scopes, internal_approved }: Client) => internal_approved && scopes.includes('internal')

const describe = (caller: Caller, token: VerifiedToken | undefined, issuer: string) => ({
  scope: [...caller.scopes].join(' '),
  token_type: 'Bearer',
  sub: token?.clientId ?? caller.userId,
  iss: issuer,
  ...(token ? timesOf(token) : {}),
})

const timesOf = ({ id, clientId, expiresAt }: VerifiedToken) => {
  const exp = expiresAt.getTime() / 1000
  return { client_id: clientId, jti: id, exp, iat: exp - accessTokenSeconds }
}
