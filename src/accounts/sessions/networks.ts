import type { Queryable } from '../../../db/client.ts'
import { networkOf } from '../../access/network.ts'
import type { Context } from '../../context.ts'
import { hashSecret, keysOf } from '../../lib/secret.ts'

/** For so long an account is known to sign in from a network (decisions.md §12); the sweep removes what is older. */
export const knownDays = 30

/** Whether an account signed in from this network lately; nobody's account never did, which takes as long to say. */
export const isKnownNetwork = async (
  context: Context,
  userId: string | null,
  address: string,
  now: Date,
): Promise<boolean> => {
  const since = new Date(now.getTime() - knownDays * 86_400_000).toISOString()
  const hashes = hashesOf(context, userId, address).map((hash) => hash.toString('hex'))
  const known = await context.db.sql`
    select 1 from sign_in_networks
    where user_id = ${userId}::uuid
      and network_hash in (select decode(hash, 'hex') from unnest(${hashes}::text[]) as asked (hash))
      and signed_in_at > ${since}::timestamptz`
  return known.length > 0
}

/** Keeps that an account signed in from this network. */
export const rememberNetwork = async (context: Context, db: Queryable, userId: string, address: string, now: Date) => {
  const [hash] = hashesOf(context, userId, address)
  await db.sql`
    insert into sign_in_networks (user_id, network_hash, signed_in_at)
    values (${userId}, ${hash}, ${now.toISOString()})
    on conflict (user_id, network_hash) do update set signed_in_at = excluded.signed_in_at`
}

/**
 * Under a key, and another one for each account: nobody who reads the table learns where somebody is, or who shares a network.
 * The first is the one that is kept; the others are those that earlier secrets made.
 */
const hashesOf = (
  { secret }: Context,
  userId: string | null,
  address: string,
): [kept: Buffer, ...earlier: Buffer[]] => {
  const [key, ...earlier] = keysOf(secret, `network ${networkOf(address)} of ${userId}`)
  return [hashSecret(key), ...earlier.map(hashSecret)]
}
