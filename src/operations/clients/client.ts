import { and, asc, count, eq, isNull, sql } from 'drizzle-orm'
import { shown } from '../../../db/builder.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { credentials, type Row, users } from '../../../db/schema/index.ts'
import { agree, setInternalPool } from '../../access/agreements.ts'
import { logCredential } from '../../access/credential-log.ts'
import { approveInternal, lastUsedAt } from '../../access/credentials.ts'
import type { Act } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import type { Allowance } from '../../limits.ts'

/** A machine client as operators see it, whoever owns it. Never includes its secret. */
export type Client = Pick<
  Row<typeof credentials>,
  'id' | 'user_id' | 'internal_approved' | 'internal_pool' | 'created_at'
> & {
  name: string
  scope: string
  email: string
  /** The agreed rate limit in effect now. Null if the usual one applies. */
  rate_limit: { limit: number; window_seconds: number } | null
  /** What replaces it, and when. A null limit is the usual one. */
  next_rate_limit: { limit: number | null; window_seconds: number | null; from: string } | null
  last_used_at: string | null
}

/** Filters for clients whose `internal` scope is waiting for approval or approved. */
export const internalStates = ['waiting', 'approved'] as const
export type InternalState = (typeof internalStates)[number]

const { id, name, scopes, user_id, internal_approved, internal_pool, created_at, ...others } = credentials
const { agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from } = others
const columns = shown({
  id,
  name,
  scopes,
  user_id,
  internal_approved,
  internal_pool,
  created_at,
  last_used_at: lastUsedAt,
  email: users.email,
  agreed_limit,
  agreed_window_seconds,
  next_limit,
  next_window_seconds,
  next_from,
})

type Wanted = { id?: string; internal?: InternalState; limit?: number; offset?: number }

/** Live clients, oldest first: all of them, those in a state, or the one with an id. */
export const listClients = async (db: Queryable, now: Date, wanted: Wanted = {}): Promise<Client[]> => {
  const { limit, offset = 0 } = wanted
  const query = db.orm
    .select(columns)
    .from(credentials)
    .innerJoin(users, eq(users.id, user_id))
    .where(matching(wanted))
    .orderBy(asc(created_at), asc(id))
    .$dynamic()
  const rows = await (limit === undefined ? query : query.limit(limit).offset(offset))
  return rows.map((row) => {
    const { agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from, name, scopes } = row
    const isDue = next_from !== null && Date.parse(next_from) <= now.getTime()
    const [limit, window_seconds] = isDue ? [next_limit, next_window_seconds] : [agreed_limit, agreed_window_seconds]
    return {
      ...row,
      name: name ?? '',
      scope: scopes.join(' '),
      rate_limit: limit === null || window_seconds === null ? null : { limit, window_seconds },
      next_rate_limit:
        next_from && !isDue ? { limit: next_limit, window_seconds: next_window_seconds, from: next_from } : null,
    }
  })
}

/** How many live clients there are, in total or in a state. */
export const countClients = async (db: Queryable, internal?: InternalState): Promise<number> => {
  const [row] = await db.orm.select({ count: count() }).from(credentials).where(matching({ internal }))
  return row?.count ?? 0
}

const matching = ({ id, internal }: Wanted) =>
  and(
    eq(credentials.kind, 'oauth_client'),
    isNull(credentials.revoked_at),
    id === undefined ? undefined : eq(credentials.id, id),
    internal && isOf[internal],
  )

const isOf = {
  approved: sql`${internal_approved}`,
  waiting: sql`not ${internal_approved} and 'internal' = any(${scopes})`,
}

/** The live client with an id. Throws 404 if there is none. */
export const getClient = async (db: Queryable, id: string, now: Date): Promise<Client> => {
  const [client] = await listClients(db, now, { id })
  if (!client) throw notFound()
  return client
}

/** What an operator may change in a client. Whatever is left out stays. */
export type ClientChange = { internalApproved?: boolean; internalPool?: boolean; rateLimit?: Allowance | null }

/** Changes a client, effective with the next request by it or its tokens. Concurrent changes are made one after the other. */
export const changeClient = (
  db: Database,
  id: string,
  change: ClientChange,
  terms: Act & { internalPoolLimit: number },
): Promise<Client> =>
  db.transaction(async (tx) => {
    await tx.orm.select({ id: credentials.id }).from(credentials).where(eq(credentials.id, id)).for('update')
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

/** A client's limits, as the audit log shows them. */
const limitsOf = ({ internal_pool, rate_limit, next_rate_limit }: Client) => ({
  internal_pool,
  rate_limit,
  next_rate_limit,
})
