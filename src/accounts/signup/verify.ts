import type { Transaction } from '../../../db/client.ts'
import { issueLoggedKey } from '../../access/credential-log.ts'
import type { Context } from '../../context.ts'
import { tokenExpired, validationFailed } from '../../jsonapi/errors.ts'
import { hashSecret } from '../../lib/secret.ts'
import { welcome } from '../../mail/messages/trial.ts'
import { claimUse } from '../invites/uses.ts'
import { holdSlots } from '../slots/slots.ts'
import { addToWaitingList, leaveWaitingList } from '../slots/waiting-list.ts'
import { startTrials } from '../subscriptions.ts'

/** What came of a verification: a trial with its key, shown this once, or a place on the waiting list. */
export type Verified = { userId: string; trial: { endsAt: Date; key: string } | undefined }

/** Redeems a verification token: 410 where its time is over, 422 where it is none, was used or has been replaced. */
export const verifySignUp = (context: Context, token: string, now: Date): Promise<Verified> =>
  context.db.transaction(async (tx) => {
    const found = await requireToken(tx, token, now)
    const at = now.toISOString()
    await tx.sql`
      update users set verified_at = ${at}, name = ${found.name},
        password_hash = coalesce(${found.password_hash}, password_hash), updated_at = ${at}
      where id = ${found.user_id}`
    await claimUse(tx, found.user_id, found.invite_use_id, now)
    await tx.sql`
      update verifications set burned_at = ${at}, password_hash = null
      where user_id = ${found.user_id} and replaced_at is null`
    return { userId: found.user_id, trial: await beginTrial(context, tx, found, now) }
  })

type Found = {
  user_id: string
  email: string
  name: string | null
  password_hash: string | null
  invite_use_id: string | null
  is_past: boolean
}

const requireToken = async (tx: Transaction, token: string, now: Date): Promise<Found> => {
  const [found] = await tx.sql<Found[]>`
    select v.user_id, u.email, v.name, v.password_hash, v.invite_use_id,
      v.expires_at <= ${now.toISOString()}::timestamptz as is_past
    from verifications v join users u on u.id = v.user_id
    where v.token_hash = ${hashSecret(token)} and v.burned_at is null and v.replaced_at is null and u.verified_at is null
    for update`
  if (!found)
    throw validationFailed([
      { pointer: '/data/attributes/token', detail: 'The token is unknown, or was used already.' },
    ])
  if (found.is_past) throw tokenExpired()
  return found
}

/** Gives the account a founding slot, a trial and its key; or where there is no slot, a place on the waiting list. */
const beginTrial = async (context: Context, tx: Transaction, { user_id: id, email, name }: Found, now: Date) => {
  const { config, mail } = context
  const slots = await holdSlots(tx, config.foundingSlots)
  if (slots < 1) return void (await addToWaitingList(tx, { email, userId: id }, now))
  await leaveWaitingList(tx, email)
  const endsAt = await startTrials(tx, [id], config, now)
  const { secret: key } = await issueLoggedKey(tx, { agent: `user:${id}`, now }, id, config, 'trial')
  const message = welcome(config.brand, { name, baseUrl: config.baseUrl, trialEndsAt: endsAt })
  await mail.queue(tx, email, message, { now, key: `welcome ${id}` })
  return { endsAt, key }
}
