import type { Queryable } from '../../db/client.ts'
import type { Clock } from '../lib/clock.ts'
import type { VerifiedToken } from './access-token.ts'

/** Ends one access token before its time; the next request that brings it is refused. */
export const revokeAccessToken = async (db: Queryable, { id, expiresAt }: VerifiedToken) =>
  void (await db.sql`
    insert into revoked_tokens (token_id, expires_at) values (${id}, ${expiresAt.toISOString()}::timestamptz)
    on conflict (token_id) do nothing`)

/**
 * Forgets tokens that have ended by themselves, so many at once, until none is left. An hour's grace covers replicas whose
 * clocks differ.
 */
export const sweepRevokedTokens = async (db: Queryable, clock: Clock) => {
  while ((await sweepSome(db, clock)) === atOnce);
}

const atOnce = 5000

const sweepSome = async (db: Queryable, clock: Clock) => {
  const swept = await db.sql`
    delete from revoked_tokens where token_id in (
      select token_id from revoked_tokens
      where expires_at < now() + make_interval(secs => ${clock.offsetSeconds}::float8) - interval '1 hour'
      order by expires_at limit ${atOnce}
      for update skip locked
    )`
  return swept.count
}
