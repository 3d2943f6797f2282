import type { Queryable } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import { validationFailed } from '../../jsonapi/errors.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'

/** An invite without its code, of which only a hash is kept. `holds` are sign-ups that are not verified yet. */
export type Invite = {
  id: string
  label: string | null
  email: string | null
  maxUses: number
  claims: number
  holds: number
  expiresAt: string | null
  revokedAt: string | null
  createdAt: string
  updatedAt: string
}

/** What an invite may say; `expiresAt` null never ends it, and left out ends it after 14 days (decisions.md §6). */
export type InviteTerms = {
  label?: string | null
  email?: string | null
  maxUses?: number
  expiresAt?: Date | null
  /** A code of one's own in the place of a random one. */
  code?: string | null
}

/** Issues an invite; its code is in this answer and nowhere else. */
export const issueInvite = async (
  db: Queryable,
  terms: InviteTerms,
  now: Date,
): Promise<{ id: string; code: string }> => {
  const {
    label = null,
    email = null,
    maxUses = 1,
    expiresAt = new Date(now.getTime() + lifetimes.invite.seconds * 1000),
  } = terms
  const [id, code, at] = [Bun.randomUUIDv7(), terms.code ?? randomText(24), now.toISOString()]
  try {
    await db.sql`
      insert into invites (id, code_hash, label, email, max_uses, expires_at, created_at, updated_at)
      values (${id}, ${hashSecret(code)}, ${label}, ${email}, ${maxUses}, ${expiresAt?.toISOString() ?? null}, ${at}, ${at})`
  } catch (error) {
    if (!violates(error, 'invites_code_taken')) throw error
    throw validationFailed([{ pointer: '/data/attributes/code', detail: 'There is an invite with this code.' }])
  }
  return { id, code }
}

/** Ends an invite; what it was claimed for stays. Answers whether there was one to end. */
export const revokeInvite = async (db: Queryable, id: string, now: Date): Promise<boolean> => {
  const at = now.toISOString()
  const revoked = await db.sql`
    update invites set revoked_at = ${at}, updated_at = ${at} where id = ${id} and revoked_at is null`
  return revoked.count > 0
}

type Page = { now: Date; id?: string; limit?: number; offset?: number }

/** Invites, the newest first: all of them, a page, or one by its id. */
export const readInvites = async (db: Queryable, { now, id, limit, offset = 0 }: Page): Promise<Invite[]> => {
  const rows = await db.sql<Row[]>`
    select i.id, i.label, i.email, i.max_uses, i.expires_at, i.revoked_at, i.created_at, i.updated_at,
      count(u.id) filter (where u.claimed_at is not null)::int as claims,
      count(u.id) filter (where u.claimed_at is null and u.held_until > ${now.toISOString()}::timestamptz)::int as holds
    from (
      select id, label, email, max_uses, expires_at, revoked_at, created_at, updated_at from invites
      where ${id ?? null}::uuid is null or id = ${id ?? null}::uuid
      order by created_at desc, id desc limit ${limit ?? null}::bigint offset ${offset}::bigint
    ) i left join invite_uses u on u.invite_id = i.id
    group by i.id, i.label, i.email, i.max_uses, i.expires_at, i.revoked_at, i.created_at, i.updated_at
    order by i.created_at desc, i.id desc`
  return rows.map(readRow)
}

type Row = {
  id: string
  label: string | null
  email: string | null
  max_uses: number
  claims: number
  holds: number
  expires_at: string | null
  revoked_at: string | null
  created_at: string
  updated_at: string
}

const readRow = (row: Row): Invite => ({
  ...{ id: row.id, label: row.label, email: row.email, maxUses: row.max_uses, claims: row.claims, holds: row.holds },
  expiresAt: readTime(row.expires_at),
  revokedAt: readTime(row.revoked_at),
  createdAt: new Date(row.created_at).toISOString(),
  updatedAt: new Date(row.updated_at).toISOString(),
})

const readTime = (text: string | null) => (text === null ? null : new Date(text).toISOString())
