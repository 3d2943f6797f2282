import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { knownDays } from '../sessions/networks.ts'

/** Links and sessions that have ended are kept for so long, for whoever asks what happened. */
const keptDays = 30
const atOnce = 2000

/**
 * What may go, each with the condition and the days that it is kept beyond it. A sign-up that is not verified goes when its time
 * is over, with its tokens and what it held of an invite, and a change of address that was not confirmed 7 days after it was asked for.
 */
const outdated = {
  password_resets: { key: 'token_hash', days: keptDays, where: 'expires_at <= $1' },
  email_changes: { key: 'user_id', days: 6, where: 'expires_at <= $1' },
  email_undos: { key: 'token_hash', days: keptDays, where: 'expires_at <= $1' },
  sign_in_networks: { key: 'user_id, network_hash', days: knownDays, where: 'signed_in_at <= $1' },
  sign_ups: { key: 'id', days: 0, where: 'user_id is null and kept_until <= $1' },
  verifications: { key: 'id', days: keptDays, where: 'replaced_at <= $1' },
  credentials: { key: 'id', days: keptDays, where: "kind = 'session' and least(expires_at, revoked_at) <= $1" },
  invite_uses: {
    key: 'id',
    days: 0,
    where: `claimed_at is null and held_until <= $1
      and not exists (select 1 from sign_ups s where s.invite_use_id = invite_uses.id)`,
  },
} as const satisfies Record<string, { key: string; days: number; where: string }>

/** Removes what nobody can use any more of sign-ups, links, sessions and holds, and of the networks that somebody signed in from. */
export const sweepAccounts = defineJob({
  name: 'account_sweep',
  payload: Type.Object({}),
  run: async ({ db }: Context, _, { now, signal }) => {
    for (const table of Object.keys(outdated) as (keyof typeof outdated)[])
      while ((await sweepSome(db, table, now)) === atOnce) signal.throwIfAborted()
  },
})

const sweepSome = async (db: Queryable, table: keyof typeof outdated, now: Date) => {
  const { key, days, where } = outdated[table]
  const until = new Date(now.getTime() - days * 86_400_000).toISOString()
  const swept = await db.sql.unsafe(
    `delete from ${table} where (${key}) in (
      select ${key} from ${table} where ${where.replaceAll('$1', '$1::text::timestamptz')}
      limit ${atOnce} for update skip locked
    )`,
    [until],
    { prepare: true },
  )
  return swept.count
}
