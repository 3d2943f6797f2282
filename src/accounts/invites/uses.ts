import { and, count, eq, gt, inArray, isNotNull, isNull, ne, or, type SQL } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { invites, inviteUses, type Row, signUps } from '../../../db/schema/index.ts'
import { writeAudit } from '../../audit/write.ts'
import { inviteExhausted, inviteInvalid } from '../../jsonapi/errors.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret } from '../../lib/secret.ts'

/** A sign-up holds its use of an invite for a day. Verifying claims it. */
const heldUntil = (now: Date) => ({ held_until: secondsAfter(now, 86_400).toISOString() })

type Source = { pointer: string }
type Found = Pick<Row<typeof invites>, 'id' | 'email' | 'max_uses' | 'revoked_at' | 'expires_at'>
type About = { email?: string; source?: Source }

/** Checks that an invite's code could be used now. If not, 422 `invite_invalid` or `invite_exhausted`. */
export const checkInvite = async (db: Queryable, code: string, now: Date, { email, source }: About) => {
  const [invite] = await find(db, hasCode(code))
  if (!isUsable(invite, now) || (email !== undefined && !isFor(invite, email))) throw inviteInvalid(source)
  if ((await countUses(db, invite.id, now)) >= invite.max_uses) throw inviteExhausted(source)
  return { isPinned: invite.email !== null }
}

/**
 * Holds one use for a sign-up, whatever its address. If a known address cost no use, the uses left would reveal it. The invite
 * is locked, so that only one sign-up gets the last use.
 */
export const holdUse = async (tx: Transaction, code: string, email: string, now: Date, source: Source) => {
  const [invite] = await find(tx, hasCode(code)).for('update')
  if (!isUsable(invite, now) || !isFor(invite, email)) throw inviteInvalid(source)
  if ((await countUses(tx, invite.id, now)) >= invite.max_uses) throw inviteExhausted(source)
  const id = Bun.randomUUIDv7()
  await tx.orm.insert(inviteUses).values({ id, invite_id: invite.id, ...heldUntil(now) })
  return id
}

/** Holds a use for another 24 hours, if the invite still has one left. */
export const holdUseAgain = async (tx: Transaction, useId: string, now: Date) => {
  const { id, invite_id } = inviteUses
  const ofUse = tx.orm.select({ invite_id }).from(inviteUses).where(eq(id, useId))
  const [invite] = await find(tx, inArray(invites.id, ofUse)).for('update')
  if (!isUsable(invite, now)) throw inviteInvalid()
  if ((await countUses(tx, invite.id, now, useId)) >= invite.max_uses) throw inviteExhausted()
  await tx.orm.update(inviteUses).set(heldUntil(now)).where(eq(id, useId))
}

/** Makes a sign-up's use final, and releases those that the account's other sign-ups held. */
export const claimUse = async (tx: Transaction, userId: string, useId: string | null, now: Date) => {
  const { id, invite_id, claimed_at } = inviteUses
  const at = now.toISOString()
  const claim = tx.orm.update(inviteUses).set({ claimed_at: at })
  const [claimed] = useId === null ? [] : await claim.where(eq(id, useId)).returning({ invite_id })
  if (claimed) {
    const entry = { eventType: 'invite.claimed', auditableType: 'invite', auditableId: claimed.invite_id }
    await writeAudit(tx, { agent: `user:${userId}`, now }, entry)
  }
  const others = tx.orm.select({ id: signUps.invite_use_id }).from(signUps).where(eq(signUps.user_id, userId))
  await tx.orm
    .update(inviteUses)
    .set({ held_until: at })
    .where(and(isNull(claimed_at), inArray(id, others)))
}

const isUsable = (invite: Found | undefined, now: Date): invite is Found =>
  invite?.revoked_at === null && (invite.expires_at === null || new Date(invite.expires_at) > now)

const isFor = (invite: Found, email: string) => invite.email === null || emailKey(invite.email) === emailKey(email)

const hasCode = (code: string) => eq(invites.code_hash, hashSecret(code))

const find = (db: Queryable, which: SQL) => {
  const { id, email, max_uses, revoked_at, expires_at } = invites
  return db.orm.select({ id, email, max_uses, revoked_at, expires_at }).from(invites).where(which)
}

const countUses = async (db: Queryable, inviteId: string, now: Date, except?: string) => {
  const { id, invite_id, claimed_at, held_until } = inviteUses
  const isTaken = or(isNotNull(claimed_at), gt(held_until, now.toISOString()))
  const [row] = await db.orm
    .select({ uses: count() })
    .from(inviteUses)
    .where(and(eq(invite_id, inviteId), isTaken, except === undefined ? undefined : ne(id, except)))
  return row?.uses ?? 0
}
