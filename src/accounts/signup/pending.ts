import { and, asc, isNull } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { type Row, signUps, users, type verifications } from '../../../db/schema/index.ts'
import { hashSecret } from '../../lib/secret.ts'
import { isAddress } from '../address.ts'

/** How long a replaced token still gets its 202, without a second mail (interface.md, Verification token). */
const replaySeconds = 60

type SignUp = Pick<Row<typeof signUps>, 'email' | 'email_key' | 'name' | 'password_hash' | 'invite_use_id'>

/** A mailed token with the sign-up that it verifies. */
export type Token = Pick<Row<typeof verifications>, 'id' | 'sign_up_id'> &
  SignUp & {
    /** Whether its 24 hours are over. */
    is_past: boolean
    is_burned: boolean
    /** Whether another token replaced it, and whether that happened so long ago that it counts as unknown. */
    is_replaced: boolean
    is_dead: boolean
    /** Whether the address already has an account, from this sign-up or another. */
    is_taken: boolean
  }

/** The token with its sign-up, if that still exists. */
export const findToken = async (db: Queryable, token: string, now: Date): Promise<Token | undefined> => {
  const at = now.toISOString()
  const [found] = await db.sql<Token[]>`
    select v.id, v.sign_up_id, s.email, s.email_key, s.name, s.password_hash, s.invite_use_id,
      v.expires_at <= ${at}::timestamptz as is_past, v.burned_at is not null as is_burned,
      v.replaced_at is not null as is_replaced,
      coalesce(v.replaced_at <= ${at}::timestamptz - make_interval(secs => ${replaySeconds}::int), false) as is_dead,
      s.user_id is not null or exists (
        select 1 from users u where u.email_key collate "C" = s.email_key collate "C"
      ) as is_taken
    from verifications v join sign_ups s on s.id = v.sign_up_id
    where v.token_hash = ${hashSecret(token)} and (s.user_id is not null or s.kept_until > ${at}::timestamptz)`
  return found
}

/** Whether an address has a pending sign-up. */
export const waitsFor = (key: string) => and(isAddress(signUps.email_key, key), isNull(signUps.user_id))

/** Locks all pending sign-ups of an address until the transaction ends, so that changes to them happen one after the other. */
export const lockPending = async (tx: Transaction, key: string) => {
  const { id } = signUps
  await tx.orm.select({ id }).from(signUps).where(waitsFor(key)).orderBy(asc(id)).for('update')
}

/** Whether an address has an account. */
export const isTaken = async (db: Queryable, key: string) =>
  (await db.orm.select({ id: users.id }).from(users).where(isAddress(users.email_key, key))).length > 0
