import { and, eq } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { credentials } from '../../db/schema/index.ts'
import { logEnded } from '../access/credential-log.ts'
import { isLive, revokeCredential } from '../access/credentials.ts'
import { readBearer } from '../access/read-credential.ts'
import { revokeAccessToken } from '../access/revoked-tokens.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import type { Client } from './client.ts'
import { oauthRefusal } from './refusal.ts'

/**
 * Revokes an access token of the calling client, or a personal token of its owner. Anything that isn't a live token counts as
 * revoked: 200 (RFC 7009 §2.2). Keys and sessions are revoked elsewhere, so they are refused rather than silently left alive.
 */
export const revokeToken = async (context: Context, { now }: Call, client: Client, text: string): Promise<Reply> => {
  const { db } = context
  const presented = await readBearer(text, context.tokens, now)
  if (presented.kind === 'access_token') {
    if (presented.token.clientId !== client.id) return foreign()
    await revokeAccessToken(db, presented.token)
    return ended
  }
  const credential = presented.kind === 'secret' ? await findSecret(db, presented.hash) : undefined
  if (!credential) return ended
  if (credential.kind !== 'personal_token')
    return oauthRefusal(400, 'unsupported_token_type', 'This endpoint revokes only access tokens and personal tokens.')
  if (credential.user_id !== client.user_id) return foreign()
  const { id, kind } = credential
  await db.transaction(async (tx) => {
    if (await revokeCredential(tx, id, now)) await logEnded(tx, { agent: `client:${client.id}`, now }, [{ kind, id }])
  })
  return ended
}

/** The body is meaningless (RFC 7009 §2.2). It is JSON for clients that parse every response. */
const ended: Reply = { status: 200, body: {}, headers: { 'Cache-Control': 'no-store' } }

const foreign = () => oauthRefusal(400, 'unauthorized_client', 'The token does not belong to this client.')

const findSecret = async (db: Queryable, hash: string) => {
  const { id, kind, user_id, secret_hash } = credentials
  const [row] = await db.orm
    .select({ id, kind, user_id })
    .from(credentials)
    .where(and(eq(secret_hash, Buffer.from(hash, 'hex')), isLive))
  return row
}
