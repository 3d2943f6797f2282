import { eq } from 'drizzle-orm'
import type { Transaction } from '../../db/client.ts'
import { credentials, type Row } from '../../db/schema/index.ts'
import { type Allowance, lifetimes, tokenAllowance } from '../limits.ts'

/** A lower allowance waits for its notice (interface.md, Versioning). */
const noticeMilliseconds = lifetimes.lowerLimit.seconds * 1000

/** The allowance that will apply, from when, and whether this call changed the agreement. */
type Agreed = { allowance: Allowance; from: Date; isChanged: boolean }

type Terms = { now: Date; from?: Date; internalPoolLimit: number }

/**
 * Sets another allowance for a credential, or removes it with null. A higher one applies at once or on the given date. A lower
 * one applies after 30 days at the earliest; asking for it again doesn't restart them. Undefined if there is no such
 * credential.
 */
export const agree = async (
  tx: Transaction,
  credentialId: string,
  wanted: Allowance | null,
  { now, from = now, internalPoolLimit }: Terms,
): Promise<Agreed | undefined> => {
  const row = await readRow(tx, credentialId, internalPoolLimit, now)
  if (!row) return undefined
  const usual = { limit: row.usual_limit, windowSeconds: row.usual_window_seconds }
  const agreed = agreedOf(row, usual)
  const next = wanted ?? usual
  const earliest = isLower(next, agreed ?? usual) ? new Date(now.getTime() + noticeMilliseconds) : now
  const [pending, pendingFrom] = pendingOf(row, now)
  const isNoticed = pendingFrom !== null && pendingFrom < earliest && Bun.deepEquals(pending, wanted)
  const startsAt = latest(from, isNoticed ? pendingFrom : earliest)
  const isNow = startsAt <= now
  const after: Kept = isNow ? [wanted, null, null] : [agreed, wanted, startsAt]
  const isChanged = !Bun.deepEquals([agreed, pending, pendingFrom], after)
  if (isChanged) await write(tx, credentialId, ...after)
  return { allowance: next, from: startsAt, isChanged }
}

/**
 * Adds a client to the internal pool at once, or removes it. Unless the client already has an agreement, the pool's allowance
 * then stays in force for the 30 days of notice, or until an agreement that is already scheduled. Returns whether anything
 * changed.
 */
export const setInternalPool = async (
  tx: Transaction,
  clientId: string,
  isInPool: boolean,
  terms: Terms,
): Promise<boolean> => {
  const { now, internalPoolLimit } = terms
  const row = await readRow(tx, clientId, internalPoolLimit, now)
  if (!row || row.internal_pool === isInPool) return false
  const usual = { limit: row.usual_limit, windowSeconds: row.usual_window_seconds }
  const [pending, pendingFrom] = pendingOf(row, now)
  if (!isInPool && row.limit === null)
    await write(tx, clientId, usual, pending, pendingFrom ?? new Date(now.getTime() + noticeMilliseconds))
  await tx.orm.update(credentials).set({ internal_pool: isInPool }).where(eq(credentials.id, clientId))
  return true
}

const agreedOf = (row: Found, usual: Allowance): Allowance | null =>
  row.limit === null ? null : { limit: row.limit, windowSeconds: row.window_seconds ?? usual.windowSeconds }

/** The agreement that is scheduled, and when it starts. */
const pendingOf = (row: Found, now: Date): [Allowance | null, Date | null] => {
  const from = row.next_from === null ? null : new Date(row.next_from)
  if (!from || from <= now) return [null, null]
  const { next_limit: limit, next_window_seconds: windowSeconds } = row
  return [limit === null || windowSeconds === null ? null : { limit, windowSeconds }, from]
}

/** The current agreement, the one that replaces it, and when. */
type Kept = [agreed: Allowance | null, next: Allowance | null, nextFrom: Date | null]

type Found = Pick<Row<typeof credentials>, 'internal_pool' | 'next_limit' | 'next_window_seconds' | 'next_from'> & {
  usual_limit: number
  usual_window_seconds: number
  /** The current agreement. */
  limit: number | null
  window_seconds: number | null
}

const readRow = async (tx: Transaction, credentialId: string, internalPoolLimit: number, now: Date) => {
  const [row] = await tx.sql<Found[]>`
    select
      coalesce(plan_limit, case when internal_pool then ${internalPoolLimit}::int else ${tokenAllowance.limit}::int end) as usual_limit,
      coalesce(plan_window_seconds, ${tokenAllowance.windowSeconds}::int) as usual_window_seconds, internal_pool,
      next_limit, next_window_seconds, next_from,
      case when next_from <= ${now.toISOString()}::timestamptz then next_limit else agreed_limit end as "limit",
      case when next_from <= ${now.toISOString()}::timestamptz then next_window_seconds else agreed_window_seconds end as window_seconds
    from credentials where id = ${credentialId} and revoked_at is null for update`
  return row
}

const write = (tx: Transaction, id: string, agreed: Allowance | null, next: Allowance | null, nextFrom: Date | null) =>
  tx.orm
    .update(credentials)
    .set({
      agreed_limit: agreed?.limit ?? null,
      agreed_window_seconds: agreed?.windowSeconds ?? null,
      next_limit: next?.limit ?? null,
      next_window_seconds: next?.windowSeconds ?? null,
      next_from: nextFrom?.toISOString() ?? null,
    })
    .where(eq(credentials.id, id))

const latest = (a: Date, b: Date) => (a > b ? a : b)

/** Whether an allowance means fewer requests in any span of time: in a window, or a second on average (decisions.md §19). */
const isLower = (a: Allowance, b: Allowance) =>
  a.limit < b.limit || a.limit / a.windowSeconds < b.limit / b.windowSeconds
