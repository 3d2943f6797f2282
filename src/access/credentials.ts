import type { Queryable } from '../../db/client.ts'
import { violates } from '../../db/faults.ts'
import { unauthenticated } from '../jsonapi/errors.ts'
import { hashSecret, randomText } from '../lib/secret.ts'
import { type Plan, planAllowances } from '../limits.ts'
import type { Scope } from './caller.ts'

export type CredentialKind = 'subscriber_key' | 'personal_token' | 'oauth_client' | 'session'
export type Issued = { id: string; secret: string }

/** What a secret of a kind begins with, so that people and scanners know it when they see it. */
const marks = { personal_token: 'pat', oauth_client: 'secret', session: 'session' }

export type Brand = { brand: string; appEnv: string }

const newSecret = (kind: CredentialKind, { brand, appEnv }: Brand) =>
  `${brand}_${kind === 'subscriber_key' ? (appEnv === 'production' ? 'live' : 'test') : marks[kind]}_${randomText()}`

type Details = { name?: string; scopes?: Scope[]; internalApproved?: boolean; expiresAt?: Date; plan?: Plan }

/** Issues a credential; only its hash is stored, the secret is in this answer and nowhere else. */
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
    await db.sql`
      insert into credentials (id, kind, user_id, name, secret_hash, last_four, scopes, internal_approved, plan_limit,
        plan_window_seconds, expires_at, created_at)
      values (${id}, ${kind}, ${userId}, ${name ?? null}, ${hashSecret(secret)}, ${secret.slice(-4)}, ${scopes}::text[],
        ${internalApproved}, ${allowance?.limit ?? null}, ${allowance?.windowSeconds ?? null},
        ${expiresAt?.toISOString() ?? null}::timestamptz, ${now.toISOString()}::timestamptz)`
  } catch (error) {
    throw violates(error, 'credentials_user_id_fkey') ? unauthenticated('The account is no more.') : error
  }
  return { id, secret }
}

/** Ends a credential; the next request that brings it is refused, or an access token of it. */
export const revokeCredential = async (db: Queryable, id: string, now: Date): Promise<boolean> => {
  const revoked = await db.sql`
    update credentials set revoked_at = ${now.toISOString()}::timestamptz, generation = generation + 1
    where id = ${id} and revoked_at is null`
  return revoked.count > 0
}

/** The id of a live credential of a kind, by its id, its secret, or its owner's newest. */
export const findCredential = async (
  db: Queryable,
  kind: CredentialKind,
  by: { id: string } | { secret: string } | { userId: string },
): Promise<string | undefined> => {
  const hash = 'secret' in by ? hashSecret(by.secret) : null
  const [row] = await db.sql<{ id: string }[]>`
    select id from credentials
    where kind = ${kind} and revoked_at is null
      and (id = ${'id' in by ? by.id : null}::uuid or secret_hash = ${hash}::bytea or user_id = ${'userId' in by ? by.userId : null}::uuid)
    order by created_at desc limit 1`
  return row?.id
}

/**
 * Lets a client use the scope `internal`, or withdraws it. Either begins a new generation of the client: the access tokens
 * that it has end at once and for good. Answers whether that changed anything; what changes nothing ends nothing.
 */
export const approveInternal = async (db: Queryable, clientId: string, isApproved: boolean): Promise<boolean> => {
  const changed = await db.sql`
    update credentials set internal_approved = ${isApproved ? 'yes' : 'no'}::text::bool, generation = generation + 1
    where id = ${clientId} and kind = 'oauth_client' and internal_approved <> ${isApproved ? 'yes' : 'no'}::text::bool`
  return changed.count > 0
}

/**
 * Issues the one key of a user, after ending the one before it, whose agreed allowance and open window it takes over: a
 * new key is no new allowance. In a transaction two at once come one after the other, and the later one's key stays.
 * `replaces` is the id of the key that ended.
 */
export const issueKey = async (
  db: Queryable,
  userId: string,
  brand: Brand,
  now: Date,
  plan: Plan,
): Promise<Issued & { replaces: string | null }> => {
  await db.sql`select id from users where id = ${userId} for no key update`
  const replaces = (await endKey(db, userId, now)) ?? null
  const issued = await issueCredential(db, 'subscriber_key', userId, brand, now, { scopes: ['read:published'], plan })
  await db.sql`
    with old as (
      select id, agreed_limit, agreed_window_seconds, next_limit, next_window_seconds, next_from from credentials
      where user_id = ${userId} and kind = 'subscriber_key' and id <> ${issued.id}
      order by created_at desc, id desc limit 1
    ), carried as (
      insert into rate_windows (key, opened_at, closes_at, count)
      select 'credential ' || ${issued.id}::text, w.opened_at, w.closes_at, w.count
      from old join rate_windows w on w.key = 'credential ' || old.id
    )
    update credentials as key set agreed_limit = old.agreed_limit, agreed_window_seconds = old.agreed_window_seconds,
      next_limit = old.next_limit, next_window_seconds = old.next_window_seconds, next_from = old.next_from
    from old where key.id = ${issued.id}`
  return { ...issued, replaces }
}

/** Ends the one key of a user, where there is one, and answers its id. */
export const endKey = async (db: Queryable, userId: string, now: Date): Promise<string | undefined> => {
  const [ended] = await db.sql<{ id: string }[]>`
    update credentials set revoked_at = ${now.toISOString()}::timestamptz
    where user_id = ${userId} and kind = 'subscriber_key' and revoked_at is null returning id`
  return ended?.id
}
