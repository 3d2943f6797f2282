import { and, asc, count, eq, isNotNull, type SQL, sql } from 'drizzle-orm'
import { shown } from '../../../db/builder.ts'
import type { Database, Queryable, Transaction } from '../../../db/client.ts'
import { credentials, type Row, subscriptions, users } from '../../../db/schema/index.ts'
import { isLive } from '../../access/credentials.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { conflict, notFound } from '../../jsonapi/errors.ts'
import { isAddress } from '../address.ts'
import { endSessions, holdAccount } from '../sessions/session.ts'

/** An account as operators see it. `sessions`, `tokens` and `clients` count the live ones. */
export type Account = Pick<Row<typeof users>, 'id' | 'email' | 'name' | 'operator'> & {
  created_at: string
  plan: Row<typeof subscriptions>['plan']
  status: Row<typeof subscriptions>['status'] | null
  sessions: number
  tokens: number
  clients: number
}

const { id, email, name, operator, created_at, email_key } = users

const countOf = (kind: Row<typeof credentials>['kind']) => {
  const isCurrent = sql`(${credentials.expires_at} is null or ${credentials.expires_at} > now())`
  return sql<number>`(
    select count(*)::int from ${credentials}
    where ${and(eq(credentials.user_id, id), eq(credentials.kind, kind), isLive, isCurrent)}
  )`
}

const { plan, status } = subscriptions
const columns = {
  ...shown({ id, email, name, operator, created_at, plan, status }),
  sessions: countOf('session'),
  tokens: countOf('personal_token'),
  clients: countOf('oauth_client'),
}

/** Which accounts: the operators among them, or the others, or the one with an address. */
export type Wanted = { operator?: boolean; email?: string; id?: string }

const matching = (wanted: Wanted): SQL | undefined =>
  and(
    isNotNull(id),
    wanted.id === undefined ? undefined : eq(id, wanted.id),
    wanted.operator === undefined ? undefined : eq(operator, wanted.operator),
    wanted.email === undefined ? undefined : isAddress(email_key, wanted.email),
  )

/** Accounts, the oldest first. */
export const readAccounts = async (
  db: Queryable,
  { limit, offset = 0, ...wanted }: Wanted & { limit: number; offset?: number },
): Promise<Account[]> =>
  (await db.orm
    .select(columns)
    .from(users)
    .leftJoin(subscriptions, eq(subscriptions.user_id, id))
    .where(matching(wanted))
    .orderBy(asc(created_at), asc(id))
    .limit(limit)
    .offset(offset)) as Account[]

export const countAccounts = async (db: Queryable, wanted: Wanted): Promise<number> => {
  const [row] = await db.orm.select({ count: count() }).from(users).where(matching(wanted))
  return row?.count ?? 0
}

/** The account with an id. Throws 404 if there is none. */
export const getAccount = async (db: Queryable, userId: string): Promise<Account> => {
  const [account] = await readAccounts(db, { id: userId, limit: 1 })
  if (!account) throw notFound()
  return account
}

/** Makes somebody an operator. What they lost when they were demoted stays lost. Does nothing for an operator. */
export const promote = (db: Database, userId: string, act: Act): Promise<Account> =>
  change(db, userId, act, true, async () => ({}))

/**
 * Makes an operator an account like others. With the next request, their sessions, tokens and clients have lost `internal`,
 * `write`, `delete` and everything about drafts; access tokens keep what is left. 409 for the last operator. Does nothing for
 * an account that is no operator.
 */
export const demote = (db: Database, userId: string, act: Act): Promise<Account> =>
  change(db, userId, act, false, async (tx) => {
    await refuseLastOperator(tx, userId)
    const narrowed = await tx.sql<{ id: string }[]>`
      update credentials set internal_approved = false, internal_pool = false,
        scopes = case when scopes && '{read:published,read:draft,read:all-status}' then '{read:published}'::text[] else '{}' end
      where user_id = ${userId} and kind in ('personal_token', 'oauth_client') and revoked_at is null
        and (internal_approved or internal_pool or not scopes <@ '{read:published}')
      returning id`
    return { narrowed: narrowed.map((one) => one.id).sort() }
  })

const change = (
  db: Database,
  userId: string,
  act: Act,
  isOperator: boolean,
  meanwhile: (tx: Transaction) => Promise<object>,
): Promise<Account> =>
  db.transaction(async (tx) => {
    await holdOperators(tx)
    await holdAccount(tx, userId)
    const account = await getAccount(tx, userId)
    if (account.operator === isOperator) return account
    const data = await meanwhile(tx)
    await tx.orm.update(users).set({ operator: isOperator, updated_at: act.now.toISOString() }).where(eq(id, userId))
    await log(tx, act, isOperator ? 'user.promoted' : 'user.demoted', userId, data)
    return { ...account, operator: isOperator }
  })

/** Ends all sessions of an account, and nothing else. */
export const signOut = (db: Database, userId: string, act: Act): Promise<Account> =>
  db.transaction(async (tx) => {
    await holdAccount(tx, userId)
    const account = await getAccount(tx, userId)
    await endSessions(tx, userId, act.now)
    await log(tx, act, 'user.signed_out', userId, { sessions: account.sessions })
    return { ...account, sessions: 0 }
  })

/** Logs what was done to an account, without its address. */
export const log = async (tx: Transaction, act: Act, eventType: string, userId: string, data: object = {}) =>
  void (await writeAudit(tx, act, { eventType, auditableType: 'user', auditableId: userId, data }))

/** Locks the rows of all operators, in order. So two who end each other at the same time can't end both. */
export const holdOperators = async (tx: Transaction) => {
  await tx.orm.select({ id }).from(users).where(eq(operator, true)).orderBy(asc(id)).for('update')
}

/** 409 for the last operator. What it finds is certain once `holdOperators` has locked them. */
export const refuseLastOperator = async (db: Queryable, userId: string) => {
  const [last] = await db.sql`
    select from users where id = ${userId} and operator
      and not exists (select from users where operator and id <> ${userId})`
  if (last) throw conflict('This is the last operator. Make somebody else an operator first.')
}
