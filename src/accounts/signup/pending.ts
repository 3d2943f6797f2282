import type { Queryable, Transaction } from '../../../db/client.ts'
import { hashSecret } from '../../lib/secret.ts'

/** For so long a token that was replaced answers as it did, without a second mail (interface.md, Verification token). */
const replaySeconds = 60

/** A token that was mailed, with the sign-up that it verifies. */
export type Token = {
  id: string
  sign_up_id: string
  email: string
  email_key: string
  name: string | null
  password_hash: string | null
  invite_use_id: string | null
  /** Whether its 24 hours are over. */
  is_past: boolean
  is_burned: boolean
  /** Whether another was sent in its place; and whether that is so long ago that nobody knows this one any more. */
  is_replaced: boolean
  is_dead: boolean
  /** Whether the address has an account by now, be it of this sign-up. */
  is_taken: boolean
}

/** The token with its sign-up, as long as that is kept. */
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

/** Holds all sign-ups that wait for one address, until the transaction ends: what is done of them is done one by one. */
export const lockPending = async (tx: Transaction, key: string) => {
  await tx.sql`
    select id from sign_ups where email_key collate "C" = ${key} and user_id is null order by id for update`
}

/** Whether an address has an account. */
export const isTaken = async (db: Queryable, key: string) =>
  (await db.sql`select id from users where email_key collate "C" = ${key}`).length > 0
