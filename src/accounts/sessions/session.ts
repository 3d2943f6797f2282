import { and, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { credentials, users } from '../../../db/schema/index.ts'
import { isLive, issueCredential } from '../../access/credentials.ts'
import { sessionCookie } from '../../access/read-credential.ts'
import type { Config } from '../../config.ts'
import { unauthenticated } from '../../jsonapi/errors.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { lifetimes } from '../../limits.ts'

/** How long a session lasts (decisions.md §7). */
const sessionSeconds = lifetimes.session.seconds

export type Session = { id: string; token: string; createdAt: Date; expiresAt: Date }

/** Starts a session. Its token is always new and is shown only once. */
export const beginSession = async (db: Queryable, userId: string, config: Config, now: Date): Promise<Session> => {
  const expiresAt = secondsAfter(now, sessionSeconds)
  const { id, secret } = await issueCredential(db, 'session', userId, config, now, { expiresAt })
  return { id, token: secret, createdAt: now, expiresAt }
}

/** Ends a user's sessions, except one that may stay. */
export const endSessions = async (db: Queryable, userId: string, now: Date, except: string | null = null) => {
  const { id, user_id, kind } = credentials
  await db.orm
    .update(credentials)
    .set({ revoked_at: now.toISOString() })
    .where(and(eq(user_id, userId), eq(kind, 'session'), isLive, sql`${id} is distinct from ${except}`))
}

/** Locks an account until the transaction ends. Changes to its address or password and new sessions wait. */
export const holdAccount = async (tx: Transaction, id: string) => {
  await tx.orm.select({ id: users.id }).from(users).where(eq(users.id, id)).for('no key update')
}

/** The same for a caller with a session. 401 if the session has ended. */
export const holdForSession = async (tx: Transaction, userId: string, sessionId: string | null) => {
  await holdAccount(tx, userId)
  const { id } = credentials
  const isOwn = and(eq(id, sessionId ?? ''), isLive)
  const live = await tx.orm.select({ id }).from(credentials).where(isOwn)
  if (live.length === 0) throw unauthenticated('The session has ended. Sign in again.')
}

type Place = Pick<Config, 'brand' | 'baseUrl'>

/** The cookie that keeps a session in a browser. Scripts can't read it, and other sites can't write with it. */
export const keepCookie = (place: Place, token: string) => cookie(place, token, sessionSeconds)

/** The cookie that makes a browser forget its session. */
export const dropCookie = (place: Place) => cookie(place, '', 0)

const cookie = ({ brand, baseUrl }: Place, value: string, maxAge: number) => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookie(brand, baseUrl)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}
