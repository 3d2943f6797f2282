import type { Database, Queryable } from '../../db/client.ts'
import { actOf } from '../access/caller.ts'
import { logEnded } from '../access/credential-log.ts'
import type { Call } from '../http/route.ts'
import { notFound } from '../jsonapi/errors.ts'
import { isUuid } from '../jsonapi/fields.ts'

type Kind = 'oauth_client' | 'personal_token'

/** What its owner sees of a client or a token: everything but its secret. */
export type Owned = {
  id: string
  name: string
  scope: string
  internalApproved: boolean
  lastFour: string
  createdAt: string
  lastUsedAt: string | null
}

type Row = {
  id: string
  name: string | null
  scopes: string[]
  internal_approved: boolean
  last_four: string
  created_at: string
  last_used_at: string | null
}

/** The live clients or tokens of a person, oldest first. */
export const listOwned = async (db: Queryable, kind: Kind, userId: string): Promise<Owned[]> => {
  const rows = await db.sql<Row[]>`
    select c.id, c.name, c.scopes, c.internal_approved, c.last_four, c.created_at,
      (select max(d.last_request_at) from usage_days d where d.credential_id = c.id) as last_used_at
    from credentials c
    where c.user_id = ${userId} and c.kind = ${kind} and c.revoked_at is null
    order by c.created_at, c.id`
  return rows.map((row) => ({
    id: row.id,
    name: row.name ?? '',
    scope: row.scopes.join(' '),
    internalApproved: row.internal_approved,
    lastFour: row.last_four,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }))
}

/** Ends a client or a token of a person; another's is as unknown as none: 404. */
export const endOwned = async (db: Database, kind: Kind, call: Call, id: string) => {
  if (!isUuid(id)) throw notFound()
  await db.transaction(async (tx) => {
    const ended = await tx.sql`
      update credentials set revoked_at = ${call.now.toISOString()}::timestamptz, generation = generation + 1
      where id = ${id} and kind = ${kind} and user_id = ${call.caller.userId} and revoked_at is null`
    if (ended.count === 0) throw notFound()
    await logEnded(tx, actOf(call), [{ kind, id: id.toLowerCase() }])
  })
}
