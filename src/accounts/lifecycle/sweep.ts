import { Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'

/** Links and sessions that have ended are kept for so long, for whoever asks what happened; so long is a network known. */
const keptDays = 30
const atOnce = 2000

/**
 * What may go, each with the condition. A verification that only expired stays, since it can still be sent again, and so
 * does the use of an invite that it would hold again.
 */
const outdated = {
  password_resets: { key: 'token_hash', where: 'expires_at <= $1' },
  email_changes: { key: 'user_id', where: 'expires_at <= $1' },
  email_undos: { key: 'token_hash', where: 'expires_at <= $1' },
  sign_in_networks: { key: 'user_id, network_hash', where: 'signed_in_at <= $1' },
  verifications: { key: 'id', where: 'replaced_at <= $1' },
  credentials: { key: 'id', where: "kind = 'session' and least(expires_at, revoked_at) <= $1" },
  invite_uses: {
    key: 'id',
    where: `claimed_at is null and held_until <= $1
      and not exists (select 1 from verifications v where v.invite_use_id = invite_uses.id)`,
  },
} as const satisfies Record<string, { key: string; where: string }>

/** Removes what nobody can use any more of links, sessions, holds, and the networks that somebody signed in from. */
export const sweepAccounts = defineJob({
  name: 'account_sweep',
  payload: Type.Object({}),
  run: async ({ db }: Context, _, { now, signal }) => {
    const until = new Date(now.getTime() - keptDays * 86_400_000).toISOString()
    for (const table of Object.keys(outdated) as (keyof typeof outdated)[])
      while ((await sweepSome(db, table, until)) === atOnce) signal.throwIfAborted()
  },
})

const sweepSome = async (db: Queryable, table: keyof typeof outdated, until: string) => {
  const { key, where } = outdated[table]
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
