import { countOn } from '../access/limiter.ts'
import { networkOf } from '../access/network.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import { tooManyRequests } from '../jsonapi/errors.ts'
import { hashSecret } from '../lib/secret.ts'
import type { LimitName } from '../limits.ts'

/** Counts a request against one of its address's tighter limits, on top of the general one. 429 if nothing is left. */
export const limitAddress = (context: Context, { caller }: Call, name: LimitName) =>
  limit(context, name, `address ${networkOf(caller.address)}`)

/** The same for a limit on something else, such as an account or a token. Only a hash of it is stored. */
export const limitSubject = (context: Context, name: LimitName, subject: string) =>
  limit(context, name, hashSecret(subject).toString('hex'))

const limit = async ({ db, clock, config }: Context, name: LimitName, whose: string) => {
  const window = await countOn(db, clock, `${name} ${whose}`, config.limits[name])
  if (!window.isOpen) throw tooManyRequests(window.waitSeconds)
}
