import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { agree, setInternalPool } from '../../access/agreements.ts'
import { logCredential } from '../../access/credential-log.ts'
import { approveInternal } from '../../access/credentials.ts'
import type { Act } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { Allowance } from '../../limits.ts'

/** A machine client as operators see it, whoever owns it; never its secret. */
export type Client = {
  id: string
  name: string
  scope: string
  userId: string
  email: string
  internalApproved: boolean
  internalPool: boolean
  /** The allowance by agreement that holds now; null where the usual one does. */
  rateLimit: Allowance | null
  /** What takes its place, and when; a null limit is the usual one. */
  nextRateLimit: { limit: number | null; windowSeconds: number | null; from: string } | null
  createdAt: string
  lastUsedAt: string | null
}

type Row = {
  id: string
  name: string | null
  scopes: string[]
  user_id: string
  email: string
  internal_approved: boolean
  internal_pool: boolean
  is_due: boolean | null
  agreed_limit: number | null
  agreed_window_seconds: number | null
  next_limit: number | null
  next_window_seconds: number | null
  next_from: string | null
  created_at: string
  last_used_at: string | null
}

/** Clients that wait for an approval of the scope `internal`, or have it. */
export const internalStates = ['waiting', 'approved'] as const
export type InternalState = (typeof internalStates)[number]

type Wanted = { id?: string; internal?: InternalState; limit?: number; offset?: number }

/** Live clients, oldest first; all of them, those of a state, or the one with an id. */
export const listClients = async (
  db: Queryable,
  now: Date,
  { id, internal, limit, offset = 0 }: Wanted = {},
): Promise<Client[]> => {
  const rows = await db.sql<Row[]>`
    select c.id, c.name, c.scopes, c.user_id, u.email, c.internal_approved, c.internal_pool,
      c.next_from <= ${now.toISOString()}::timestamptz as is_due, c.agreed_limit, c.agreed_window_seconds, c.next_limit,
      c.next_window_seconds, c.next_from, c.created_at,
      (select max(d.last_request_at) from usage_days d where d.credential_id = c.id) as last_used_at
    from credentials c join users u on u.id = c.user_id
    where c.kind = 'oauth_client' and c.revoked_at is null and (${id ?? null}::uuid is null or c.id = ${id ?? null}::uuid)
      ${ofState(db, internal)}
    order by c.created_at, c.id limit ${limit ?? null}::bigint offset ${offset}::bigint`
  return rows.map(readRow)
}

/** How many live clients there are, or those of a state. */
export const countClients = async (db: Queryable, internal?: InternalState): Promise<number> => {
  const [row] = await db.sql<{ count: number }[]>`
    select count(*)::int as count from credentials c
    where c.kind = 'oauth_client' and c.revoked_at is null ${ofState(db, internal)}`
  return row?.count ?? 0
}

const ofState = ({ sql }: Queryable, internal: InternalState | undefined) => {
  if (internal === undefined) return sql``
  return internal === 'approved'
    ? sql`and c.internal_approved`
    : sql`and not c.internal_approved and 'internal' = any(c.scopes)`
}

/** The live client with an id; 404 where there is none. */
export const getClient = async (db: Queryable, id: string, now: Date): Promise<Client> => {
  const [client] = await listClients(db, now, { id })
  if (!client) throw notFound()
  return client
}

/** What an operator may change of a client; what is left out stays. */
export type ClientChange = { internalApproved?: boolean; internalPool?: boolean; rateLimit?: Allowance | null }

/** Changes a client; its next request, and that of its tokens, is under it. Changes at once come one after the other. */
export const changeClient = (
  db: Database,
  id: string,
  change: ClientChange,
  terms: Act & { internalPoolLimit: number },
): Promise<Client> =>
  db.transaction(async (tx: Transaction) => {
    await tx.sql`select 1 from credentials where id = ${id} for update`
    const before = await getClient(tx, id, terms.now)
    const { internalApproved, internalPool, rateLimit } = change
    if (internalApproved !== undefined && (await approveInternal(tx, id, internalApproved)))
      await logCredential(tx, terms, 'oauth_client', id, internalApproved ? 'approved' : 'approval_withdrawn')
    const isPoolChanged = internalPool !== undefined && (await setInternalPool(tx, id, internalPool, terms))
    const agreed = rateLimit === undefined ? undefined : await agree(tx, id, rateLimit, terms)
    const after = await getClient(tx, id, terms.now)
    const limits = { before: limitsOf(before), after: limitsOf(after) }
    if (isPoolChanged || agreed?.isChanged) await logCredential(tx, terms, 'oauth_client', id, 'limit_changed', limits)
    return after
  })

/** What the audit log says of a client's limits, named as in the API. */
const limitsOf = ({ internalPool, rateLimit, nextRateLimit: next }: Client) => ({
  internal_pool: internalPool,
  rate_limit: rateLimit && { limit: rateLimit.limit, window_seconds: rateLimit.windowSeconds },
  next_rate_limit: next && { limit: next.limit, window_seconds: next.windowSeconds, from: next.from },
})

const readRow = (row: Row): Client => {
  const agreed = { limit: row.agreed_limit, windowSeconds: row.agreed_window_seconds }
  const next = { limit: row.next_limit, windowSeconds: row.next_window_seconds }
  const { limit, windowSeconds } = row.is_due ? next : agreed
  return {
    id: row.id,
    name: row.name ?? '',
    scope: row.scopes.join(' '),
    userId: row.user_id,
    email: row.email,
    internalApproved: row.internal_approved,
    internalPool: row.internal_pool,
    rateLimit: limit === null || windowSeconds === null ? null : { limit, windowSeconds },
    nextRateLimit: row.next_from && !row.is_due ? { ...next, from: new Date(row.next_from).toISOString() } : null,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: row.last_used_at === null ? null : new Date(row.last_used_at).toISOString(),
  }
}
