import type { Queryable, Transaction } from '../../../db/client.ts'
import { writeAudit } from '../../audit/write.ts'
import { inviteExhausted, inviteInvalid } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret } from '../../lib/secret.ts'

/** How long a sign-up holds its use of an invite; verifying claims it. */
const holdHours = 24

const holdUntil = (now: Date) => new Date(now.getTime() + holdHours * 3_600_000).toISOString()

type Source = { pointer: string }
type Found = { id: string; email: string | null; max_uses: number; revoked_at: string | null; is_past: boolean }

type About = { email?: string; source?: Source }

/** Whether an invite's code could be used now: 422 `invite_invalid` or `invite_exhausted` where it could not. */
export const checkInvite = async (db: Queryable, code: string, now: Date, { email, source }: About) => {
  const [invite] = await find(db, { code }, now)
  if (!invite || !isUsable(invite) || (email !== undefined && !isFor(invite, email))) throw inviteInvalid(source)
  if ((await countUses(db, invite.id, now)) >= invite.max_uses) throw inviteExhausted(source)
  return { isPinned: invite.email !== null }
}

/**
 * Holds one use for a sign-up, whichever address it is for: were it free for an address that is known, the number of uses
 * that are left would tell so. The invite is held still meanwhile, so that the last use has one taker.
 */
export const holdUse = async (tx: Transaction, code: string, email: string, now: Date, source: Source) => {
  const [invite] = await find(tx, { code }, now, 'for update')
  if (!invite || !isUsable(invite) || !isFor(invite, email)) throw inviteInvalid(source)
  if ((await countUses(tx, invite.id, now)) >= invite.max_uses) throw inviteExhausted(source)
  const id = Bun.randomUUIDv7()
  await tx.sql`
    insert into invite_uses (id, invite_id, held_until) values (${id}, ${invite.id}, ${holdUntil(now)})`
  return id
}

/** Holds a use again for another 24 hours, if the invite still has it to give. */
export const holdUseAgain = async (tx: Transaction, useId: string, now: Date) => {
  const [invite] = await find(tx, { useId }, now, 'for update')
  if (!invite || !isUsable(invite)) throw inviteInvalid()
  if ((await countUses(tx, invite.id, now, useId)) >= invite.max_uses) throw inviteExhausted()
  await tx.sql`update invite_uses set held_until = ${holdUntil(now)} where id = ${useId}`
}

/** Makes the use of a sign-up final, and gives back what other sign-ups of the account held. */
export const claimUse = async (tx: Transaction, userId: string, useId: string | null, now: Date) => {
  const [claimed] = await tx.sql<{ invite_id: string }[]>`
    update invite_uses set claimed_at = ${now.toISOString()} where id = ${useId}::uuid returning invite_id`
  if (claimed) {
    const entry = { eventType: 'invite.claimed', auditableType: 'invite', auditableId: claimed.invite_id }
    await writeAudit(tx, { agent: `user:${userId}`, now }, entry)
  }
  await tx.sql`
    update invite_uses set held_until = ${now.toISOString()}
    where claimed_at is null and id in (select invite_use_id from sign_ups where user_id = ${userId})`
}

const isUsable = ({ revoked_at, is_past }: Found) => revoked_at === null && !is_past

const isFor = (invite: Found, email: string) => invite.email === null || emailKey(invite.email) === emailKey(email)

const find = (db: Queryable, by: { code: string } | { useId: string }, now: Date, lock: '' | 'for update' = '') => {
  const [hash, useId] = 'code' in by ? [hashSecret(by.code), null] : [null, by.useId]
  return db.sql<Found[]>`
    select id, email, max_uses, revoked_at, coalesce(expires_at <= ${now.toISOString()}::timestamptz, false) as is_past
    from invites
    where code_hash = ${hash}::bytea or id = (select invite_id from invite_uses where id = ${useId}::uuid)
    ${db.sql.unsafe(lock)}`
}

const countUses = async (db: Queryable, inviteId: string, now: Date, except: string | null = null) => {
  const [row] = await db.sql<{ uses: number }[]>`
    select count(*)::int as uses from invite_uses
    where invite_id = ${inviteId} and (claimed_at is not null or held_until > ${now.toISOString()}::timestamptz)
      and id is distinct from ${except}::uuid`
  return row?.uses ?? 0
}
