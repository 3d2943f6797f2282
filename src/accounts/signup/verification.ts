import { type Static, Type } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { Transaction } from '../../../db/client.ts'
import type { Context } from '../../context.ts'
import { defineJob, GiveUp } from '../../jobs/define.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { emailKey } from '../../lib/email.ts'
import { sealer } from '../../lib/seal.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { verifyAddress } from '../../mail/messages/account.ts'

/** How long a verification token works, and the characters that it has (interface.md, Verification token). */
export const tokenHours = 24
const tokenLength = 64

/** No address gets more such mails than that in an hour, whoever asks for them. */
const mostMailsAnHour = 5

const signup = Type.Object({
  email: Type.String(),
  passwordHash: Type.String(),
  name: Type.Union([Type.String(), Type.Null()]),
  inviteUseId: Type.Union([Type.String(), Type.Null()]),
  expiresAt: Type.String(),
})

const seal = ({ secret }: Context) => sealer(secret, 'sign-ups in the queue')

/**
 * Has a sign-up verified, in the transaction that it is kept in. What is done depends on whether the address has an
 * account already, so that a job does it: the answer to the sign-up takes the same time for all addresses.
 */
export const askForVerification = async (
  context: Context,
  tx: Transaction,
  asked: Static<typeof signup>,
  now: Date,
): Promise<void> => {
  const sealed = seal(context).seal(JSON.stringify(asked))
  await enqueue(tx, sendVerification, { sealed }, { now })
}

/** Sends the link that verifies an address, unless the address has an account that is verified. */
export const sendVerification = defineJob({
  name: 'send_verification',
  payload: Type.Object({ sealed: Type.String() }),
  priority: 10,
  forgets: true,
  run: async (context: Context, { sealed }, { id, now }) => {
    const asked: unknown = JSON.parse(seal(context).unseal(sealed) ?? 'null')
    if (!Value.Check(signup, asked)) throw new GiveUp('This sign-up was queued under another APP_SECRET.')
    await context.db.transaction(async (tx) => {
      const [user] = await tx.sql<{ id: string; email: string; mails: number }[]>`
        select id, email_key as email, (
          select count(*)::int from verifications
          where user_id = users.id and issued_at > ${now.toISOString()}::timestamptz - interval '1 hour'
        ) as mails
        from users where email_key collate "C" = ${emailKey(asked.email) ?? null} and verified_at is null for update`
      if (!user || user.mails >= mostMailsAnHour) return
      const { passwordHash, name, inviteUseId, expiresAt } = asked
      const terms = { id, passwordHash, name, inviteUseId, expiresAt: new Date(expiresAt) }
      await issueVerification(context, tx, user, terms, now)
    })
  },
})

type Terms = {
  id: string
  passwordHash: string | null
  name: string | null
  inviteUseId: string | null
  expiresAt: Date
}

/** Issues a verification token and queues the mail that brings it; a token is issued once under an id. */
export const issueVerification = async (
  { config, mail }: Context,
  tx: Transaction,
  user: { id: string; email: string },
  { id, passwordHash, name, inviteUseId, expiresAt }: Terms,
  now: Date,
) => {
  const token = randomText(tokenLength)
  const issued = await tx.sql`
    insert into verifications (id, user_id, token_hash, password_hash, name, invite_use_id, issued_at, expires_at)
    values (${id}, ${user.id}, ${hashSecret(token)}, ${passwordHash}, ${name}, ${inviteUseId}, ${now.toISOString()},
      ${expiresAt.toISOString()})
    on conflict (id) do nothing`
  if (issued.count === 0) return
  const message = verifyAddress(config.brand, { link: `${config.baseUrl}/verify?token=${token}` })
  await mail.queue(tx, user.email, message, { now, key: `verification ${id}` })
}
