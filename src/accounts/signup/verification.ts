import { Type } from '@sinclair/typebox'
import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../jobs/define.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { verifyAddress } from '../../mail/messages/account.ts'
import { isTaken, lockPending } from './pending.ts'

/** How long a verification token works, and the characters that it has (interface.md, Verification token). */
const tokenLength = 64

/** No address gets more such mails than that in an hour, whoever asks for them. */
const mostMailsAnHour = 5

/**
 * Sends the link that verifies a sign-up. Of one whose address has an account, or was sent enough of them, nothing is kept
 * but the use of the invite that it holds: were that given back, it would tell what became of the sign-up.
 */
export const sendVerification = defineJob({
  name: 'send_verification',
  payload: Type.Object({ signUpId: Type.String() }),
  priority: 10,
  forgets: true,
  run: (context: Context, { signUpId }, { id, now }) =>
    context.db.transaction(async (tx) => {
      const [asked] = await tx.sql<{ id: string; email_key: string; signed_up_at: string }[]>`
        select id, email_key, signed_up_at from sign_ups where id = ${signUpId}`
      if (!asked) return
      await lockPending(tx, asked.email_key)
      const isRefused = (await isTaken(tx, asked.email_key)) || (await hasEnough(tx, asked.email_key, now))
      if (isRefused) await dropUnsent(tx, signUpId)
      else await issueVerification(context, tx, asked, { id, since: new Date(asked.signed_up_at) }, now)
    }),
})

const hasEnough = async (tx: Transaction, key: string, now: Date) => {
  const [row] = await tx.sql<{ mails: number }[]>`
    select count(*)::int as mails from verifications v join sign_ups s on s.id = v.sign_up_id
    where s.email_key collate "C" = ${key} and s.user_id is null
      and v.issued_at > ${now.toISOString()}::timestamptz - interval '1 hour'`
  return (row?.mails ?? 0) >= mostMailsAnHour
}

const dropUnsent = (tx: Transaction, signUpId: string) => tx.sql`
  delete from sign_ups s where id = ${signUpId} and not exists (select 1 from verifications where sign_up_id = s.id)`

/** Issues a verification token and queues the mail that brings it; a token is issued once under an id. Its time begins at `since`. */
export const issueVerification = async (
  { config, mail }: Context,
  tx: Transaction,
  signUp: { id: string; email_key: string },
  { id, since }: { id: string; since: Date },
  now: Date,
) => {
  const token = randomText(tokenLength)
  const expiresAt = new Date(since.getTime() + lifetimes.signUpLink.seconds * 1000).toISOString()
  const issued = await tx.sql`
    insert into verifications (id, sign_up_id, token_hash, issued_at, expires_at)
    values (${id}, ${signUp.id}, ${hashSecret(token)}, ${now.toISOString()}, ${expiresAt})
    on conflict (id) do nothing`
  if (issued.count === 0) return
  await tx.sql`update sign_ups set kept_until = greatest(kept_until, ${expiresAt}::timestamptz) where id = ${signUp.id}`
  const message = verifyAddress(config.brand, { link: `${config.baseUrl}/verify?token=${token}` })
  await mail.queue(tx, signUp.email_key, message, { now, key: `verification ${id}` })
}
