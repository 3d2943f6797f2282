/*
 * Passwords are checked here alone. Wrong ones count by account and network, and by account over all networks it
 * doesn't sign in from. The count is read before hashing and again after it, so that parallel attempts gain nothing.
 * Every hash goes through one lane of the process (`access/passwords.ts`). Anything that changes an account's address
 * or password, or starts a session, locks the user's row first. So no session can start while a change is revoking
 * them.
 */

import { eq } from 'drizzle-orm'
import { credentials, type Row, users } from '../../../db/schema/index.ts'
import { networkOf } from '../../access/network.ts'
import { isRightPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { reauthenticationRequired, unauthenticated } from '../../jsonapi/errors.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { attributeRefused } from '../refusals.ts'
import { isKnownNetwork } from '../sessions/networks.ts'
import { countTry, requireTries, type Tries } from './failed-tries.ts'

/** An account whose password is checked. If nobody has the e-mail address, `id` and `password_hash` are null. */
export type Account = Pick<Row<typeof users>, 'email' | 'password_hash'> & { id: string | null }

const { id, email, password_hash } = users

/** The account with an id, and the hash of its password. 401 if it is gone. */
export const getAccount = async ({ db }: Context, userId: string) => {
  const [user] = await db.orm.select({ id, email, password_hash }).from(users).where(eq(id, userId))
  if (!user) throw unauthenticated('The account is deleted.')
  return user
}

/**
 * Whether a password is an account's. Wrong ones are counted by account and network together, and by account across all
 * networks except those that it signs in from (decisions.md §12). After too many, the answer is 429, even for the right one.
 * Every password check goes through here. An unknown account takes the same time and the same statements.
 */
export const provePassword = async (
  context: Context,
  { caller, request, now }: Call,
  account: Account,
  password: string,
): Promise<boolean> => {
  const isKnown = await isKnownNetwork(context, account.id, caller.address, now)
  const tries = triesOf(context, account, caller.address, isKnown)
  await requireTries(context, tries)
  const isRight = await isRightPassword(password, account.password_hash, request.signal)
  // Checked again, so that concurrent tries beyond the limit learn nothing.
  if (isRight) await requireTries(context, tries)
  else await countTry(context, tries)
  return isRight
}

const triesOf = ({ config }: Context, { id, email }: Account, address: string, isKnown: boolean): Tries[] => {
  const { sessionAccount, sessionAccountAddress } = config.limits
  const whose = id ?? `nobody ${emailKey(email) ?? email}`
  const together = { key: keyOf(`${whose} from ${networkOf(address)}`), allowance: sessionAccountAddress }
  return isKnown ? [together] : [together, { key: keyOf(whose), allowance: sessionAccount }]
}

const keyOf = (whose: string) => `failed sign-in ${hashSecret(whose).toString('hex')}`

/** 403 unless the session is younger than 15 minutes or the request has the current password. 422 if that is wrong. */
export const requireRecentProof = async (context: Context, call: Call, current: string | undefined) => {
  const { caller, now } = call
  const [session] = await context.db.orm
    .select({ id, email, password_hash, created_at: credentials.created_at })
    .from(credentials)
    .innerJoin(users, eq(id, credentials.user_id))
    .where(eq(credentials.id, caller.credentialId ?? ''))
  if (!session) throw unauthenticated('The session has ended. Sign in again.')
  // A session from a later time isn't new: the clock was set back since.
  if (Math.abs(now.getTime() - Date.parse(session.created_at)) < lifetimes.freshSession.seconds * 1000) return
  if (current === undefined) throw reauthenticationRequired()
  await requirePassword(context, call, session, current)
}

/** 422 if a password isn't the account's, which counts as a failed sign-in. */
export const requirePassword = async (context: Context, call: Call, account: Account, current: string) => {
  if (await provePassword(context, call, account, current)) return
  throw attributeRefused('current_password', 'This is not the current password.')
}
