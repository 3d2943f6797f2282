import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import {
  credentials,
  emailChanges,
  emailUndos,
  inviteUses,
  passwordResets,
  signInNetworks,
  signUps,
  verifications,
} from '../../../db/schema/index.ts'
import { sweep } from '../../../db/sweep.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { knownDays } from '../sessions/networks.ts'

/** How many days expired links and sessions are kept, to explain what happened to them. */
const keptDays = 30

const before = (time: SQLWrapper, now: Date, days: number) =>
  sql`${time} <= ${secondsAfter(now, -days * 86_400).toISOString()}::timestamptz`

/**
 * What is deleted. An unverified sign-up goes when it expires, with its tokens and its hold on an invite. An unconfirmed
 * address change goes 7 days after it was requested.
 */
const outdated = (now: Date): [PgTable, SQL][] => {
  const { kind, expires_at, revoked_at } = credentials
  return [
    [passwordResets, before(passwordResets.expires_at, now, keptDays)],
    [emailChanges, before(emailChanges.expires_at, now, 6)],
    [emailUndos, before(emailUndos.expires_at, now, keptDays)],
    [signInNetworks, before(signInNetworks.signed_in_at, now, knownDays)],
    [signUps, sql`${signUps.user_id} is null and ${before(signUps.kept_until, now, 0)}`],
    [verifications, before(verifications.replaced_at, now, keptDays)],
    [credentials, sql`${kind} = 'session' and ${before(sql`least(${expires_at}, ${revoked_at})`, now, keptDays)}`],
    [
      inviteUses,
      sql`${inviteUses.claimed_at} is null and ${before(inviteUses.held_until, now, 0)}
        and not exists (select 1 from ${signUps} s where s.invite_use_id = ${inviteUses.id})`,
    ],
  ]
}

/** Deletes what nobody can use any more: sign-ups, links, sessions, holds on invites, and networks of sign-ins. */
export const sweepAccounts = defineJob({
  name: 'account_sweep',
  run: async ({ db }: Context, _, { now, signal }) => {
    for (const [table, which] of outdated(now)) await sweep(db, table, which, { atOnce: 2000, signal })
  },
})
