import { isScope, type Scope, scopes } from '../../access/caller.ts'
import { readStanding } from '../../accounts/subscriptions.ts'
import { findUser, type User } from '../../accounts/users.ts'
import type { Context } from '../../context.ts'
import { isPlan, type Plan, planAllowances } from '../../limits.ts'
import { required } from '../answers.ts'
import { Failed, type Io, WrongUsage } from '../command.ts'

/** The user that `--user` names, by e-mail address or id. */
export const requireUser = async ({ db }: Context, given: string | undefined): Promise<User> => {
  const named = required(given, 'user')
  const user = await findUser(db, named)
  if (!user) throw new Failed(`There is no user ${named}. Create one with cardstock user create.`)
  return user
}

/** The plan that `--plan` names, if it is given. */
export const readPlan = (given: string | undefined): Plan | undefined => {
  if (given === undefined || isPlan(given)) return given
  throw new WrongUsage(`--plan must be one of ${Object.keys(planAllowances).join(', ')}`)
}

/** The scopes that `--scope` names, separated by spaces. */
export const readScopes = (given: string | undefined): Scope[] => {
  const words = required(given, 'scope').split(/[\s,]+/)
  const unknown = words.find((word) => !isScope(word))
  if (unknown !== undefined) throw new WrongUsage(`${unknown} is not a scope. The scopes are ${scopes.join(', ')}`)
  return [...new Set(words.filter(isScope))]
}

/** Warns on standard error about later surprises: a credential that gets a 402, or one that can't see what it writes. */
export const warnOwner = async ({ db }: Context, io: Io, user: User, granted: Scope[]) => {
  const { isEntitled } = await readStanding(db, user.id)
  if (!isEntitled)
    await io.stderr.write(
      `Note: ${user.email} has no active subscription, so the catalog answers 402. To activate one: cardstock key create --user ${user.email} --plan pro\n`,
    )
  if (granted.includes('write') && !granted.some((scope) => scope.startsWith('read:')))
    await io.stderr.write('Note: without a read scope, write can only create records that refer to nothing.\n')
}
