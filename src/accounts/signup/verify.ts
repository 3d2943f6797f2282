import { and, eq, inArray, isNull } from 'drizzle-orm'
import type { Transaction } from '../../../db/client.ts'
import { signUps, verifications } from '../../../db/schema/index.ts'
import { issueLoggedKey } from '../../access/credential-log.ts'
import { isRightPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import { tokenExpired } from '../../jsonapi/errors.ts'
import { welcome } from '../../mail/messages/trial.ts'
import { claimUse } from '../invites/uses.ts'
import { attributeRefused, tokenRefused } from '../refusals.ts'
import { addToWaitingList, holdSlots, leaveWaitingList } from '../slots/slots.ts'
import { startTrials } from '../subscriptions.ts'
import { findToken, lockPending, type Token, waitsFor } from './pending.ts'

/** What a verification leads to: a trial with its key, which is shown only now, or a place on the waiting list. */
type Verified = { userId: string; trial: { endsAt: Date; key: string } | undefined }

/**
 * Redeems a verification token. The address gets an account with the password of the sign-up that the token was sent for, and
 * its other tokens stop working. 410 if the token has expired, 422 if it is unknown, used or replaced. If the request has a
 * password, it must be the sign-up's. Otherwise the answer is 422 and the token stays valid, which warns people who open a link
 * that somebody else asked for.
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
  if (!found || found.is_burned || found.is_replaced || found.is_taken) throw unknownOrUsed()
  if (found.is_past) throw tokenExpired()
  return found
}

const unknownOrUsed = () => tokenRefused('The token is unknown or already used.')

const anothersPassword = () =>
  attributeRefused('password', 'This is not the password of the sign-up that this link belongs to.')

const makeAccount = async (tx: Transaction, { email, email_key, name, password_hash }: Token, now: Date) => {
  const at = now.toISOString()
  const [made] = await tx.sql<{ id: string }[]>`
    insert into users (id, email, email_key, name, password_hash, signed_up, verified_at, created_at, updated_at)
    values (${Bun.randomUUIDv7()}, ${email}, ${email_key}, ${name}, ${password_hash}, true, ${at}, ${at}, ${at})
    on conflict (email_key collate "C") do nothing
    returning id`
  if (!made) throw unknownOrUsed()
  return made.id
}

/** All sign-ups for the address now belong to this account. Their tokens stay known, for `resend`. */
const endOthers = async (tx: Transaction, key: string, userId: string, now: Date) => {
  await tx.orm.update(signUps).set({ user_id: userId, password_hash: null }).where(waitsFor(key))
  const { replaced_at, sign_up_id } = verifications
  const own = tx.orm.select({ id: signUps.id }).from(signUps).where(eq(signUps.user_id, userId))
  await tx.orm
    .update(verifications)
    .set({ burned_at: now.toISOString() })
    .where(and(isNull(replaced_at), inArray(sign_up_id, own)))
}

type Owner = Pick<Token, 'email' | 'email_key' | 'name'> & { userId: string }

/** Gives the account a founding slot, a trial and its key, or a place on the waiting list if no slot is free. */
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
