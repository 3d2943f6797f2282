import { networkOf } from '../../access/network.ts'
import { isRightPassword } from '../../access/passwords.ts'
import type { Context } from '../../context.ts'
import type { Call } from '../../http/route.ts'
import { emailKey } from '../../lib/email.ts'
import { hashSecret } from '../../lib/secret.ts'
import { isKnownNetwork } from '../sessions/networks.ts'
import { countTry, requireTries, type Tries } from './failed-tries.ts'

/** Whose password is to be proven. Where nobody has the e-mail address, `id` and `passwordHash` are null. */
export type Account = { id: string | null; email: string; passwordHash: string | null }

/**
 * Whether a password is an account's. Wrong ones count by account and network together, and by account over all networks
 * but those that it signs in from (decisions.md §12); where too many were wrong the answer is a 429, also to the right one.
 * Whatever proves a password goes through here. It takes the same time, and the same statements, for nobody's account.
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
  const isRight = await isRightPassword(password, account.passwordHash, request.signal)
  // Looked at once more: of many tries at the same time, those that come after the last wrong one learn nothing.
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
