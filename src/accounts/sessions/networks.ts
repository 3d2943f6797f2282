import { and, eq, gt, inArray } from 'drizzle-orm'
import type { Queryable } from '../../../db/client.ts'
import { signInNetworks } from '../../../db/schema/index.ts'
import { networkOf } from '../../access/network.ts'
import type { Context } from '../../context.ts'
import { secondsAfter } from '../../lib/clock.ts'
import { hashSecret, keysOf } from '../../lib/secret.ts'

/** How many days an account's network stays known after a sign-in (decisions.md §12). */
export const knownDays = 30

const { user_id, network_hash, signed_in_at } = signInNetworks

/** Whether an account signed in from this network recently. For an unknown account, the answer is no, and takes as long. */
export const isKnownNetwork = async (
  context: Context,
  userId: string | null,
  address: string,
  now: Date,
): Promise<boolean> => {
  const hashes = hashesOf(context, userId, address)
  const since = secondsAfter(now, -knownDays * 86_400).toISOString()
  const known = await context.db.orm
    .select({ user_id })
    .from(signInNetworks)
    .where(and(eq(user_id, userId ?? nobody), inArray(network_hash, hashes), gt(signed_in_at, since)))
  return known.length > 0
}

const nobody = '00000000-0000-0000-0000-000000000000'

/** Remembers that an account signed in from this network. */
export const rememberNetwork = async (context: Context, db: Queryable, userId: string, address: string, now: Date) => {
  const [hash] = hashesOf(context, userId, address)
  const at = { signed_in_at: now.toISOString() }
  await db.orm
    .insert(signInNetworks)
    .values({ user_id: userId, network_hash: hash, ...at })
    .onConflictDoUpdate({ target: [user_id, network_hash], set: at })
}

/**
 * Hashed under a key per account, so that the table reveals neither where people are nor who shares a network. The first hash
 * is stored. The others come from earlier secrets.
 */
const hashesOf = (
  { secret }: Context,
  userId: string | null,
  address: string,
): [kept: Buffer, ...earlier: Buffer[]] => {
  const [key, ...earlier] = keysOf(secret, `network ${networkOf(address)} of ${userId}`)
  return [hashSecret(key), ...earlier.map(hashSecret)]
}
