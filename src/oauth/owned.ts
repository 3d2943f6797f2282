import { and, asc, eq } from 'drizzle-orm'
import { shown } from '../../db/builder.ts'
import type { Database, Queryable } from '../../db/client.ts'
import { credentials } from '../../db/schema/index.ts'
import { actOf } from '../access/caller.ts'
import { logEnded } from '../access/credential-log.ts'
import { isLive, lastUsedAt, revokeCredential } from '../access/credentials.ts'
import type { Call } from '../http/route.ts'
import { notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'

/** The credentials that users create and revoke themselves. */
export type OwnedKind = 'oauth_client' | 'personal_token'

const { id, user_id, kind, name, scopes, internal_approved, last_four, created_at } = credentials
const columns = shown({ id, name, scopes, internal_approved, last_four, created_at, last_used_at: lastUsedAt })

/** A user's live clients or tokens, oldest first, without their secrets. */
export const listOwned = async (db: Queryable, ownedKind: OwnedKind, userId: string) => {
  const rows = await db.orm
    .select(columns)
    .from(credentials)
    .where(and(eq(user_id, userId), eq(kind, ownedKind), isLive))
    .orderBy(asc(created_at), asc(id))
  return rows.map(({ scopes, ...row }) => ({ ...row, name: row.name ?? '', scope: scopes.join(' ') }))
}

export type Owned = Awaited<ReturnType<typeof listOwned>>[number]

/** Revokes a user's client or token. 404 for someone else's. */
export const endOwned = async (db: Database, ownedKind: OwnedKind, call: Call, id: string) => {
  if (!isUuid(id)) throw notFound()
  await db.transaction(async (tx) => {
    const isOwn = [eq(kind, ownedKind), eq(user_id, call.caller.userId ?? '')]
    if (!(await revokeCredential(tx, id, call.now, ...isOwn))) throw notFound()
    await logEnded(tx, actOf(call), [{ kind: ownedKind, id: id.toLowerCase() }])
  })
}
