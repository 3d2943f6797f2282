import type { Database, Queryable } from '../../../db/client.ts'
import { type Act, writeAudit } from '../../audit/write.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { type Invite, type InviteTerms, issueInvite, readInvites, revokeInvite } from './invite.ts'

const auditableType = 'invite'

/** Makes an invite; the log says for how many and until when, and neither its code nor an address. */
export const createInvite = (db: Database, terms: InviteTerms, act: Act): Promise<Invite & { code: string }> =>
  db.transaction(async (tx) => {
    const { id, code } = await issueInvite(tx, terms, act.now)
    const invite = await getInvite(tx, id, act.now)
    const { maxUses, expiresAt, email } = invite
    const data = { max_uses: maxUses, expires_at: expiresAt, pinned: email !== null }
    await writeAudit(tx, act, { eventType: 'invite.created', auditableType, auditableId: id, data })
    return { ...invite, code }
  })

/** Ends an invite; who signed up with it stays. Answers whether it lived. */
export const endInvite = (db: Database, id: string, act: Act): Promise<boolean> =>
  db.transaction(async (tx) => {
    const isEnded = await revokeInvite(tx, id, act.now)
    if (isEnded) await writeAudit(tx, act, { eventType: 'invite.revoked', auditableType, auditableId: id })
    return isEnded
  })

/** The invite with an id; 404 where there is none. */
export const getInvite = async (db: Queryable, id: string, now: Date): Promise<Invite> => {
  const [invite] = await readInvites(db, { now, id })
  if (!invite) throw notFound()
  return invite
}

/** How many invites there are. */
export const countInvites = async (db: Queryable): Promise<number> => {
  const [row] = await db.sql<{ count: number }[]>`select count(*)::int as count from invites`
  return row?.count ?? 0
}
