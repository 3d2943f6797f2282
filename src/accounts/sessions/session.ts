import type { Queryable } from '../../../db/client.ts'
import { issueCredential } from '../../access/credentials.ts'
import { sessionCookie } from '../../access/presented.ts'
import type { Config } from '../../config.ts'

/** Sessions last 30 days (decisions.md §7). */
const sessionSeconds = 30 * 86_400

export type Session = { id: string; token: string; createdAt: Date; expiresAt: Date }

/** Begins a session of a user. Its token is new, whatever the request brought, and shown this once. */
export const beginSession = async (db: Queryable, userId: string, config: Config, now: Date): Promise<Session> => {
  const expiresAt = new Date(now.getTime() + sessionSeconds * 1000)
  const { id, secret } = await issueCredential(db, 'session', userId, config, now, { expiresAt })
  return { id, token: secret, createdAt: now, expiresAt }
}

/** Ends the sessions of a user, but for one that may go on. */
export const endSessions = async (db: Queryable, userId: string, now: Date, except: string | null = null) => {
  await db.sql`
    update credentials set revoked_at = ${now.toISOString()}::timestamptz
    where user_id = ${userId} and kind = 'session' and revoked_at is null and id is distinct from ${except}::uuid`
}

type Place = Pick<Config, 'brand' | 'baseUrl'>

/** The cookie that keeps a session in a browser: out of reach of scripts, and of other sites' writes. */
export const keepCookie = (place: Place, token: string) => cookie(place, token, sessionSeconds)

/** The cookie that makes a browser forget its session. */
export const dropCookie = (place: Place) => cookie(place, '', 0)

const cookie = ({ brand, baseUrl }: Place, value: string, maxAge: number) => {
  const secure = baseUrl.startsWith('https:') ? '; Secure' : ''
  return `${sessionCookie(brand, baseUrl)}=${value}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${secure}`
}
