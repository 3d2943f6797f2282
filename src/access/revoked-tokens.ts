import { sql } from 'drizzle-orm'
import type { Queryable } from '../../db/client.ts'
import { revokedTokens } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import type { Clock } from '../lib/clock.ts'
import type { VerifiedToken } from './access-token.ts'

/** Revokes one access token before it expires. The next request with it is refused. */
export const revokeAccessToken = async (db: Queryable, { id, expiresAt }: VerifiedToken) =>
  void (await db.orm
    .insert(revokedTokens)
    .values({ token_id: id, expires_at: expiresAt.toISOString() })
    .onConflictDoNothing({ target: revokedTokens.token_id }))

/** Forgets expired tokens, an hour late because the clocks of replicas may differ. */
export const sweepRevokedTokens = (db: Queryable, clock: Clock) =>
  sweep(
    db,
    revokedTokens,
    sql`expires_at < now() + make_interval(secs => ${clock.offsetSeconds}::float8) - interval '1 hour' order by expires_at`,
  )
