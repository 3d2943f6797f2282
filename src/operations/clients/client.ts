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

/** A machine client as operators see it, no matter who owns it; never its secret. */
export type Client = Pick<
  Row<typeof credentials>,
  'id' | 'user_id' | 'internal_approved' | 'internal_pool' | 'created_at'
> & {
  name: string
  scope: string
  email: string
  /** The allowance by agreement that holds now; null if the usual one does. */
  rate_limit: { limit: number; window_seconds: number } | null
  /** What takes its place, and when; a null limit is the usual one. */
  next_rate_limit: { limit: number | null; window_seconds: number | null; from: string } | null
  last_used_at: string | null
}

/** Clients that wait for an approval of the scope `internal`, or have it. */
export const internalStates = ['waiting', 'approved'] as const
export type InternalState = (typeof internalStates)[number]

const { id, name, scopes, user_id, internal_approved, internal_pool, created_at, ...others } = credentials
const { agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from } = others
const columns = shown({
  ...{ id, name, scopes, user_id, internal_approved, internal_pool, created_at, last_used_at: lastUsedAt },
  ...{ email: users.email, agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from },
})

type Wanted = { id?: string; internal?: InternalState; limit?: number; offset?: number }

/** Live clients, oldest first; all of them, those of a state, or the one with an id. */
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
      ...{ name: name ?? '', scope: scopes.join(' ') },
      rate_limit: limit === null || window_seconds === null ? null : { limit, window_seconds },
      next_rate_limit:
        next_from && !isDue ? { limit: next_limit, window_seconds: next_window_seconds, from: next_from } : null,
    }
  })
}

/** How many live clients there are, or those of a state. */
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

/** The live client with an id; 404 if there is none. */
export const getClient = async (db: Queryable, id: string, now: Date): Promise<Client> => {
  const [client] = await listClients(db, now, { id })
  if (!client) throw notFound()
  return client
}

/** What an operator may change of a client; what is left out stays. */
export type ClientChange = { internalApproved?: boolean; internalPool?: boolean; rateLimit?: Allowance | null }

/** Changes a client, for its next request and that of its tokens. Changes at once come one after the other. */
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

/** What the audit log says of a client's limits. */
const limitsOf = ({ internal_pool, rate_limit, next_rate_limit }: Client) => ({
  ...{ internal_pool, rate_limit, next_rate_limit },
})
