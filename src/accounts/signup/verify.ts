import type { Transaction } from '../../../db/client.ts'
import { issueLoggedKey } from '../../access/credential-log.ts'
import { isRightPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import { tokenExpired, validationFailed } from '../../jsonapi/errors.ts'
import { welcome } from '../../mail/messages/trial.ts'
import { claimUse } from '../invites/uses.ts'
import { holdSlots } from '../slots/slots.ts'
import { addToWaitingList, leaveWaitingList } from '../slots/waiting-list.ts'
import { startTrials } from '../subscriptions.ts'
import { findToken, lockPending, type Token } from './pending.ts'

/** What came of a verification: a trial with its key, shown this once, or a place on the waiting list. */
export type Verified = { userId: string; trial: { endsAt: Date; key: string } | undefined }

/**
 * Redeems a verification token: the address has an account from now on, with the password of the sign-up that the token was
 * sent for, and other tokens for it end. 410 where its time is over, 422 where it is none, was used or has been replaced. A
 * password that is given must be that sign-up's, else 422, and the token stays as it is: so whoever opens a link learns that
 * somebody else had asked for it.
 */
export const verifySignUp = async (
  context: Context,
  { token, password }: { token: string; password?: string },
  now: Date,
  signal?: AbortSignal,
): Promise<Verified> => {
  const { email_key, password_hash } = requireLive(await findToken(context.db, token, now))
  if (password !== undefined && !(await isRightPassword(password, password_hash, signal))) throw anothersPassword()
  return context.db.transaction(async (tx) => {
    await lockPending(tx, email_key)
    const found = requireLive(await findToken(tx, token, now))
    const userId = await makeAccount(tx, found, now)
    await endOthers(tx, found.email_key, userId, now)
    await claimUse(tx, userId, found.invite_use_id, now)
    return { userId, trial: await beginTrial(context, tx, { ...found, userId }, now) }
  })
}

const requireLive = (found: Token | undefined): Token => {
  if (!found || found.is_burned || found.is_replaced || found.is_taken) throw tokenRefused()
  if (found.is_past) throw tokenExpired()
  return found
}

const tokenRefused = () =>
  validationFailed([{ pointer: '/data/attributes/token', detail: 'The token is unknown, or was used already.' }])

const anothersPassword = () =>
  validationFailed([
    {
      pointer: '/data/attributes/password',
      detail: 'Is not the password of the sign-up that this link belongs to.',
    },
  ])

const makeAccount = async (tx: Transaction, { email, email_key, name, password_hash }: Token, now: Date) => {
  const at = now.toISOString()
  const [made] = await tx.sql<{ id: string }[]>`
    insert into users (id, email, email_key, name, password_hash, signed_up, verified_at, created_at, updated_at)
    values (${Bun.randomUUIDv7()}, ${email}, ${email_key}, ${name}, ${password_hash}, true, ${at}, ${at}, ${at})
    on conflict (email_key collate "C") do nothing
    returning id`
  if (!made) throw tokenRefused()
  return made.id
}

/** All sign-ups for the address have come to this account; their tokens stay known, for `resend`. */
const endOthers = async (tx: Transaction, key: string, userId: string, now: Date) => {
  await tx.sql`
    update sign_ups set user_id = ${userId}, password_hash = null
    where email_key collate "C" = ${key} and user_id is null`
  await tx.sql`
    update verifications set burned_at = ${now.toISOString()}
    where replaced_at is null and sign_up_id in (select id from sign_ups where user_id = ${userId})`
}

type Owner = Pick<Token, 'email' | 'email_key' | 'name'> & { userId: string }

/** Gives the account a founding slot, a trial and its key; or where there is no slot, a place on the waiting list. */
const beginTrial = async (context: Context, tx: Transaction, owner: Owner, now: Date) => {
  const { config, mail } = context
  const { userId: id, email, name } = owner
  const slots = await holdSlots(tx, config.foundingSlots)
  if (slots < 1) return void (await addToWaitingList(tx, { email, userId: id }, now))
  await leaveWaitingList(tx, email)
  const endsAt = await startTrials(tx, [id], config, now)
  const { secret: key } = await issueLoggedKey(tx, { agent: `user:${id}`, now }, id, config, 'trial')
  const message = welcome(config.brand, { name, baseUrl: config.baseUrl, trialEndsAt: endsAt })
  await mail.queue(tx, owner.email_key, message, { now, key: `welcome ${id}` })
  return { endsAt, key }
}
