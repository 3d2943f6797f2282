import { and, count, desc, eq, isNull, type SQL, sql } from 'drizzle-orm'
import { shown } from '../../../db/builder.ts'
import type { Database, Queryable } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import { invites, inviteUses, type Row } from '../../../db/schema/index.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { attributeRefused } from '../refusals.ts'

/** An invite without its code. `holds` counts uses of sign-ups that are not verified yet. */
export type Invite = Omit<Row<typeof invites>, 'code_hash'> & { claims: number; holds: number }

/**
 * The options of an invite. With `expiresAt` null, it never expires. Without `expiresAt`, it expires after 14 days
 * (decisions.md §6).
 */
export type InviteTerms = {
  label?: string | null
  email?: string | null
  maxUses?: number
  expiresAt?: Date | null
  /** Replaces the random one. */
  code?: string | null
}

const auditableType = 'invite'

/** Creates an invite. Its code is returned here and nowhere else. */
export const issueInvite = async (
  db: Queryable,
  terms: InviteTerms,
  now: Date,
): Promise<{ id: string; code: string }> => {
  const { label, email, maxUses = 1, expiresAt = secondsAfter(now, lifetimes.invite.seconds) } = terms
  const id = Bun.randomUUIDv7()
  const code = terms.code ?? randomText(24)
  const at = now.toISOString()
  try {
    await db.orm.insert(invites).values({
      id,
      code_hash: hashSecret(code),
      label,
      email,
      max_uses: maxUses,
      expires_at: expiresAt?.toISOString(),
      created_at: at,
      updated_at: at,
    })
  } catch (error) {
    if (!violates(error, 'invites_code_taken')) throw error
    throw attributeRefused('code', 'An invite with this code already exists.')
  }
  return { id, code }
}

/** Creates an invite for an operator and logs how many uses it has and until when, but neither its code nor its address. */
export const createInvite = (db: Database, terms: InviteTerms, act: Act): Promise<Invite & { code: string }> =>
  db.transaction(async (tx) => {
    const { id, code } = await issueInvite(tx, terms, act.now)
    const invite = await getInvite(tx, id, act.now)
    const data = { max_uses: invite.max_uses, expires_at: invite.expires_at, pinned: invite.email !== null }
    await writeAudit(tx, act, { eventType: 'invite.created', auditableType, auditableId: id, data })
    return { ...invite, code }
  })

/** Revokes an invite. Accounts made with it stay. Returns whether there was one. */
export const revokeInvite = async (db: Queryable, id: string, now: Date): Promise<boolean> => {
  const at = now.toISOString()
  const revoked = await db.orm
    .update(invites)
    .set({ revoked_at: at, updated_at: at })
    .where(and(eq(invites.id, id), isNull(invites.revoked_at)))
  return revoked.count > 0
}

/** Revokes an invite for an operator and logs it. Returns whether there was one. */
export const endInvite = (db: Database, id: string, act: Act): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isEnded = await revokeInvite(tx, id, act.now)
    if (isEnded) await writeAudit(tx, act, { eventType: 'invite.revoked', auditableType, auditableId: id })
    return isEnded
  })

const { id, label, email, max_uses, expires_at, revoked_at, created_at, updated_at } = invites
const columns = shown({ id, label, email, max_uses, expires_at, revoked_at, created_at, updated_at })

/** Invites, newest first: all of them, a page, or one by its id. */
export const readInvites = async (
  db: Queryable,
  { now, id: only, limit, offset = 0 }: { now: Date; id?: string; limit?: number; offset?: number },
): Promise<Invite[]> => {
  const uses = (which: SQL) =>
    sql<number>`(select count(*)::int from ${inviteUses} u where u.invite_id = ${invites}.id and ${which})`
  const query = db.orm
    .select({
      ...columns,
      claims: uses(sql`u.claimed_at is not null`),
      holds: uses(sql`u.claimed_at is null and u.held_until > ${now.toISOString()}::timestamptz`),
    })
    .from(invites)
    .where(only === undefined ? undefined : eq(id, only))
    .orderBy(desc(created_at), desc(id))
    .$dynamic()
  return limit === undefined ? query : query.limit(limit).offset(offset)
}

/** The invite with an id. 404 if there is none. */
export const getInvite = async (db: Queryable, id: string, now: Date): Promise<Invite> => {
  const [invite] = await readInvites(db, { now, id })
  if (!invite) throw notFound()
  return invite
}

/** How many invites there are. */
export const countInvites = async (db: Queryable): Promise<number> => {
  const [row] = await db.orm.select({ count: count() }).from(invites)
  return row?.count ?? 0
}
