import { and, desc, eq, isNull, ne, type SQL, sql } from 'drizzle-orm'
import { timeOf } from '../../db/builder.ts'
import type { Queryable } from '../../db/client.ts'
import { violates } from '../../db/faults.ts'
import { credentials, type Row, usageDays, users } from '../../db/schema/index.ts'
import { unauthenticated } from '../jsonapi/errors.ts'
import { hashSecret, randomText } from '../lib/secret.ts'
import { type Plan, planAllowances } from '../limits.ts'
import { newestKeyFirst } from './account-allowance.ts'
import type { Scope } from './caller.ts'

export type CredentialKind = Row<typeof credentials>['kind']
type Issued = { id: string; secret: string }

/** The prefix of each kind's secrets, so that people and scanners recognize them. */
const marks = { personal_token: 'pat', oauth_client: 'secret', session: 'session' }

export type Brand = { brand: string; appEnv: string }

const newSecret = (kind: CredentialKind, { brand, appEnv }: Brand) =>
  `${brand}_${kind === 'subscriber_key' ? (appEnv === 'production' ? 'live' : 'test') : marks[kind]}_${randomText()}`

type Details = { name?: string; scopes?: Scope[]; internalApproved?: boolean; expiresAt?: Date; plan?: Plan }

/** Issues a credential. Only its hash is stored; the secret is returned here and nowhere else. */
export const issueCredential = async (
  db: Queryable,
  kind: CredentialKind,
  userId: string,
  brand: Brand,
  now: Date,
  { name, scopes = [], internalApproved = false, expiresAt, plan }: Details = {},
): Promise<Issued> => {
  const id = Bun.randomUUIDv7()
  const secret = newSecret(kind, brand)
  const allowance = plan && planAllowances[plan]
  try {
    await db.orm.insert(credentials).values({
      id,
      kind,
      user_id: userId,
      name,
      scopes,
      internal_approved: internalApproved,
      secret_hash: hashSecret(secret),
      last_four: secret.slice(-4),
      plan_limit: allowance?.limit,
      plan_window_seconds: allowance?.windowSeconds,
      expires_at: expiresAt?.toISOString(),
      created_at: now.toISOString(),
    })
  } catch (error) {
    throw violates(error, 'credentials_user_id_fkey') ? unauthenticated('The account is deleted.') : error
  }
  return { id, secret }
}

/** Whether a credential has not been revoked. */
export const isLive = isNull(credentials.revoked_at)

/** When a credential was last used; null if never. */
export const lastUsedAt: SQL<string | null> = timeOf(
  sql`(select max(${usageDays.last_request_at}) from ${usageDays} where ${usageDays.credential_id} = ${credentials.id})`,
)

/** The next generation. Access tokens of the earlier ones are refused from now on. */
const nextGeneration = sql`${credentials.generation} + 1`

/**
 * Revokes a live credential that matches. The next request with it, or with one of its access tokens, is refused. Returns
 * whether there was one.
 */
export const revokeCredential = async (db: Queryable, id: string, now: Date, ...more: SQL[]): Promise<boolean> => {
  const revoked = await db.orm
    .update(credentials)
    .set({ revoked_at: now.toISOString(), generation: nextGeneration })
    .where(and(eq(credentials.id, id), isLive, ...more))
  return revoked.count > 0
}

type By = { id: string } | { secret: string } | { userId: string }

/** The id of a live credential of a kind, found by its id, its secret, or as its owner's newest. */
export const findCredential = async (db: Queryable, kind: CredentialKind, by: By): Promise<string | undefined> => {
  const { id, secret_hash, user_id, created_at } = credentials
  const matches =
    'id' in by ? eq(id, by.id) : 'secret' in by ? eq(secret_hash, hashSecret(by.secret)) : eq(user_id, by.userId)
  const [found] = await db.orm
    .select({ id })
    .from(credentials)
    .where(and(eq(credentials.kind, kind), isLive, matches))
    .orderBy(desc(created_at))
    .limit(1)
  return found?.id
}

/**
 * Lets a client use the scope `internal`, or stops it. Either change begins a new generation of the client, so its earlier
 * access tokens are refused from now on. Returns whether anything changed; if not, no tokens are lost.
 */
export const approveInternal = async (db: Queryable, clientId: string, isApproved: boolean): Promise<boolean> => {
  const { id, kind, internal_approved } = credentials
  const changed = await db.orm
    .update(credentials)
    .set({ internal_approved: isApproved, generation: nextGeneration })
    .where(and(eq(id, clientId), eq(kind, 'oauth_client'), ne(internal_approved, isApproved)))
  return changed.count > 0
}

/**
 * Revokes a user's one key and issues another, which takes over the agreement. The window is the user's: a new key must not
 * bring a new allowance. In a transaction, concurrent calls run one after the other, and the last key stays. `replaces` is the id of
 * the revoked key.
 */
export const issueKey = async (
  db: Queryable,
  userId: string,
  brand: Brand,
  now: Date,
  plan: Plan,
): Promise<Issued & { replaces: string | null }> => {
  await db.orm.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('no key update')
  const [last] = await db.sql<{ id: string }[]>`
    select id from credentials where user_id = ${userId} and kind = 'subscriber_key' ${db.sql.unsafe(newestKeyFirst)}`
  const replaces = (await endKey(db, userId, now)) ?? null
  const issued = await issueCredential(db, 'subscriber_key', userId, brand, now, { scopes: ['read:published'], plan })
  await db.sql`
    update credentials as key set agreed_limit = old.agreed_limit, agreed_window_seconds = old.agreed_window_seconds,
      next_limit = old.next_limit, next_window_seconds = old.next_window_seconds, next_from = old.next_from
    from credentials old where old.id = ${last?.id ?? null} and key.id = ${issued.id}`
  return { ...issued, replaces }
}

/** Revokes a user's one key, if there is one, and returns its id. */
export const endKey = async (db: Queryable, userId: string, now: Date): Promise<string | undefined> => {
  const { id, user_id, kind } = credentials
  const [ended] = await db.orm
    .update(credentials)
    .set({ revoked_at: now.toISOString() })
    .where(and(eq(user_id, userId), eq(kind, 'subscriber_key'), isLive))
    .returning({ id })
  return ended?.id
}
