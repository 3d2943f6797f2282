import { and, eq, sql } from 'drizzle-orm'
import type { Queryable, Transaction } from '../../db/client.ts'
import { credentials, keptAnswers } from '../../db/schema/index.ts'
import { sweep } from '../../db/sweep.ts'
import { secondsAfter } from '../lib/clock.ts'
import { sealer } from '../lib/seal.ts'
import type { Secrets } from '../lib/secret.ts'
import { lifetimes } from '../limits.ts'

/** An `Idempotency-Key` of a credential, and when a request came with it. */
export type Claim = { credentialId: string; key: string; now: Date }

/** The answer to a request, and the hash of what was asked. */
export type Kept = { asked: Buffer; answer: Buffer }

const oldest = (now: Date) => secondsAfter(now, -lifetimes.keptAnswer.seconds).toISOString()

/**
 * Makes the row that requests with the key hold while they are at work. Commits asynchronously: if it is lost in a crash, so is
 * everything that was done under it. Looks first, because an insert would wait for whoever is writing that row.
 */
export const claimKey = async ({ sql }: Queryable, { credentialId, key, now }: Claim) => {
  await sql`
    insert into kept_answers (credential_id, key, created_at)
    select ${credentialId}::uuid, ${key}::text, ${now.toISOString()}::timestamptz
    from (select set_config('synchronous_commit', 'off', true)) as relaxed (setting)
    where not exists (select from kept_answers where credential_id = ${credentialId}::uuid and key = ${key}::text)
    on conflict do nothing`
}

type Found = { asked: Uint8Array | null; answer: Uint8Array | null; isOld: boolean }

const keptOf = ({ asked, answer, isOld }: Found): Kept | undefined =>
  asked && answer && !isOld ? { asked: Buffer.from(asked), answer: Buffer.from(answer) } : undefined

/** What is kept under a key. */
export const findKept = async ({ sql }: Queryable, { credentialId, key, now }: Claim): Promise<Kept | undefined> => {
  const [row] = await sql<Found[]>`
    select asked, answer, created_at <= ${oldest(now)}::timestamptz as "isOld" from kept_answers
    where credential_id = ${credentialId} and key = ${key}`
  return row && keptOf(row)
}

/** Holds a claimed key until the transaction ends, and says what is kept under it. False if another transaction holds it. */
export const holdKey = async ({ sql }: Transaction, { credentialId, key, now }: Claim) => {
  const [row] = await sql<Found[]>`
    select asked, answer, created_at <= ${oldest(now)}::timestamptz as "isOld" from kept_answers
    where credential_id = ${credentialId} and key = ${key} for update skip locked`
  return row ? { kept: keptOf(row) } : false
}

/** Keeps an answer in the transaction of its write, which holds the key. */
export const keepAnswer = async ({ orm }: Transaction, { credentialId, key, now }: Claim, kept: Kept) => {
  await orm
    .update(keptAnswers)
    .set({ ...kept, created_at: now.toISOString() })
    .where(and(eq(keptAnswers.credential_id, credentialId), eq(keptAnswers.key, key)))
}

/** Seals kept answers, since some show a secret. */
export const answerSealer = (secret: Secrets) => sealer(secret, 'kept answers')

/** Removes what is older than a repetition may be, and what belonged to a credential that is gone. */
export const sweepAnswers = (db: Queryable, now: Date, signal: AbortSignal) =>
  sweep(
    db,
    keptAnswers,
    sql`${keptAnswers.created_at} <= ${oldest(now)}
      or not exists (select from ${credentials} where ${credentials.id} = ${keptAnswers.credential_id})`,
    { signal },
  )
