import { and, eq, gt, gte, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../../db/client.ts'
import { violates } from '../../../db/faults.ts'
import { emailChanges, emailUndos, passwordResets, users, waitingList } from '../../../db/schema/index.ts'
import type { Caller } from '../../access/caller.ts'
import { tellAddress } from '../../billing/tell-address.ts'
import type { Context } from '../../context.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { hashSecret, randomText } from '../../lib/secret.ts'
import { lifetimes } from '../../limits.ts'
import { addressChanged, confirmAddress } from '../../mail/messages/account.ts'
import { isAddress, keyOf } from '../address.ts'
import { attributeRefused, tokenRefused } from '../refusals.ts'
import { endSessions, holdAccount, holdForSession } from '../sessions/session.ts'

type Address = { id: string; email: string }

/**
 * Stores a new address beside the current one, in place of any pending change, and mails it a link. Returns when the link
 * expires.
 */
export const requestEmailChange = (
  { db, config, mail }: Context,
  { userId, credentialId }: Pick<Caller, 'userId' | 'credentialId'>,
  email: string,
  now: Date,
): Promise<Date> =>
  db.transaction(async (tx) => {
    const user_id = userId ?? ''
    await holdForSession(tx, user_id, credentialId)
    await refuseTaken(tx, user_id, email)
    const token = randomText(64)
    const expiresAt = secondsAfter(now, lifetimes.emailLink.seconds)
    const change = { email, token_hash: hashSecret(token), expires_at: expiresAt.toISOString() }
    await tx.orm
      .insert(emailChanges)
      .values({ user_id, ...change })
      .onConflictDoUpdate({ target: emailChanges.user_id, set: change })
    const message = confirmAddress(config.brand, { link: `${config.baseUrl}/confirm-email#token=${token}` })
    await mail.queue(tx, email, message, { now })
    return expiresAt
  })

/** 422 if the account already has this address, or another account does (interface.md). */
const refuseTaken = async (db: Queryable, userId: string, email: string) => {
  const [owner] = await db.orm.select({ id: users.id }).from(users).where(isAddress(users.email_key, email))
  if (owner)
    throw attributeRefused(
      'email',
      owner.id === userId ? 'This is already the account’s address.' : 'This address is already in use.',
    )
}

/**
 * Makes the pending address the account's own, once. Links sent to the old address stop working, and it gets a link that undoes
 * the change. 422 if the token is unknown or expired.
 */
export const confirmEmailChange = (context: Context, token: string, now: Date): Promise<Address> =>
  unlessTaken('Another account has taken this address. Choose another one.', () =>
    context.db.transaction(async (tx) => {
      const change = await takeChange(tx, token, now)
      if (!change) throw tokenRefused()
      const { id, email, old } = change
      await moveAccount(tx, id, email, now)
      await writeToOldAddress(context, tx, { id, email: old }, now)
      return { id, email }
    }),
  )

/** Redeems the token. Returns the account, which is now locked, and the address that it had. */
const takeChange = async (tx: Transaction, token: string, now: Date) => {
  const hash = hashSecret(token)
  const { user_id, token_hash } = emailChanges
  const [known] = await tx.orm.select({ user_id }).from(emailChanges).where(eq(token_hash, hash))
  if (!known) return undefined
  await holdAccount(tx, known.user_id)
  const [change] = await tx.sql<{ id: string; email: string; old: string }[]>`
    delete from email_changes c using users u
    where c.token_hash = ${hash} and c.expires_at > ${now.toISOString()}::timestamptz and u.id = c.user_id
    returning u.id, c.email, u.email as old`
  return change
}

const writeToOldAddress = async ({ config, mail }: Context, tx: Transaction, { id, email }: Address, now: Date) => {
  const token = randomText(64)
  const expiresAt = secondsAfter(now, lifetimes.undoLink.seconds)
  // Later than every earlier change, even if the clocks of replicas differ.
  const changed_at = sql<string>`greatest(${now.toISOString()}::timestamptz, (
    select max(u.changed_at) + interval '1 millisecond' from ${emailUndos} u where u.user_id = ${id}
  ))`
  await tx.orm.insert(emailUndos).values({
    token_hash: hashSecret(token),
    user_id: id,
    email,
    changed_at,
    expires_at: expiresAt.toISOString(),
  })
  const message = addressChanged(config.brand, { link: `${config.baseUrl}/undo-email#token=${token}` })
  await mail.queue(tx, email, message, { now })
}

/**
 * Restores the address that an account had before a change, even if others followed. Their undo links stop working, as do all
 * sessions, a pending change, and password-reset links. 422 if the token is unknown, used or too old, or if another account has
 * taken the address, since its owner proved that the mailbox is theirs.
 */
export const undoEmailChange = ({ db }: Context, token: string, now: Date): Promise<Address> =>
  unlessTaken('Another account has taken this address, so the change cannot be undone.', () =>
    db.transaction(async (tx) => {
      const undo = await takeUndo(tx, hashSecret(token), now)
      if (!undo) throw tokenRefused()
      const { id, email } = undo
      await tx.orm.delete(emailChanges).where(eq(emailChanges.user_id, id))
      await moveAccount(tx, id, email, now)
      await endSessions(tx, id, now)
      return { id, email }
    }),
  )

/** Redeems a token and those of all later changes, and locks the account. */
const takeUndo = async (tx: Transaction, hash: Buffer, now: Date) => {
  const { user_id, email, token_hash, changed_at, expires_at } = emailUndos
  const find = () =>
    tx.orm
      .select({ id: user_id, email })
      .from(emailUndos)
      .where(and(eq(token_hash, hash), gt(expires_at, now.toISOString())))
  const [known] = await find()
  if (!known) return undefined
  await holdAccount(tx, known.id)
  const [undo] = await find()
  const since = sql`(select u.changed_at from ${emailUndos} u where u.token_hash = ${hash})`
  await tx.orm.delete(emailUndos).where(and(eq(user_id, known.id), gte(changed_at, since)))
  return undo
}

/** Changes an account's address, also on the waiting list, and invalidates password-reset links sent to the old one. */
const moveAccount = async (tx: Transaction, id: string, email: string, now: Date) => {
  const address = { email, email_key: keyOf(email) }
  await tx.orm
    .update(users)
    .set({ ...address, updated_at: now.toISOString() })
    .where(eq(users.id, id))
  await tx.orm.delete(passwordResets).where(eq(passwordResets.user_id, id))
  const isAnothers = sql`${waitingList.user_id} is distinct from ${id}`
  await tx.orm.delete(waitingList).where(and(isAddress(waitingList.email_key, email), isAnothers))
  await tx.orm.update(waitingList).set(address).where(eq(waitingList.user_id, id))
  await enqueue(tx, tellAddress, { userId: id }, { now })
}

const unlessTaken = async <T>(detail: string, work: () => Promise<T>): Promise<T> => {
  try {
    return await work()
  } catch (error) {
    throw violates(error, 'users_email_taken') ? tokenRefused(detail) : error
  }
}
