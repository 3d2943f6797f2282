import { closeAccount } from '../../accounts/me/account.ts'
import { type Account, demote, getAccount, promote, readAccounts, signOut } from '../../accounts/people/person.ts'
import { findUser } from '../../accounts/users.ts'
import type { Context } from '../../context.ts'
import { answer, jsonFlag, listAnswer } from '../answers.ts'
import { actNow, type Command, Failed } from '../command.ts'
import { on, readFlags } from '../flags.ts'

/** How many accounts are read at a time. */
const atOnce = 1000

export const userList: Command = {
  name: 'user list',
  summary: 'list the accounts, or only the operators',
  help: `Usage: cardstock user list [--operators] [--json]

  --operators   only operators
  --json        print {"users":[{"id","email","name","operator","plan","status","sessions","tokens","clients","created_at"}]}
`,
  run: async ({ db }, args, io) => {
    const { flags } = readFlags(args, { operators: on, ...jsonFlag })
    const list = listAnswer(io, flags.json, 'users')
    const wanted = flags.operators ? { operator: true } : {}
    for (let offset = 0; ; offset += atOnce) {
      const accounts = await readAccounts(db, { ...wanted, limit: atOnce, offset })
      for (const account of accounts) await list.add(account, lineOf(account))
      if (accounts.length < atOnce) return list.end()
    }
  },
}

const lineOf = ({ id, email, operator, plan, status, sessions, tokens, clients }: Account) =>
  [
    ...[id, email, operator ? 'operator' : plan ? `${plan} ${status}` : 'no plan'],
    ...[`${sessions} sessions`, `${tokens} tokens`, `${clients} clients`],
  ].join('  ')

type About = { verb: string; summary: string; more: string; said: (email: string) => string }

/** A command that does something to one account, and prints the account as it is then. */
const about = (
  { verb, summary, more, said }: About,
  act: (context: Context, userId: string) => Promise<Account>,
): Command => ({
  name: `user ${verb}`,
  summary,
  help: `Usage: cardstock user ${verb} EMAIL [--json]

${more}

  EMAIL    the account's e-mail address, or its id
  --json   print {"id","email","name","operator","plan","status","sessions","tokens","clients","created_at"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['EMAIL'])
    const [named = ''] = words
    const user = await findUser(context.db, named)
    if (!user) throw new Failed(`There is no user ${named}.`)
    const account = await act(context, user.id)
    return answer(
      io,
      flags.json,
      account,
      [said(account.email)].filter(Boolean).concat(verb === 'show' ? lineOf(account) : []),
    )
  },
})

export const userShow = about(
  {
    verb: 'show',
    summary: 'show an account and what it has',
    more: 'Shows the plan, and how many live sessions, tokens and clients there are.',
    said: () => '',
  },
  ({ db }, id) => getAccount(db, id),
)

export const userPromote = about(
  {
    verb: 'promote',
    summary: 'make somebody an operator',
    more: 'An operator may do everything, without a subscription.',
    said: (email) => `${email} is an operator.`,
  },
  (context, id) => promote(context.db, id, actNow(context)),
)

export const userDemote = about(
  {
    verb: 'demote',
    summary: 'make an operator an account like others',
    more: `With the next request, their sessions, tokens and clients have lost internal, write, delete and drafts. The last operator
stays one.`,
    said: (email) =>
      `${email} is no operator. Their tokens and clients may read what is published, as far as they could read.`,
  },
  (context, id) => demote(context.db, id, actNow(context)),
)

export const userSignOut = about(
  {
    verb: 'sign-out',
    summary: 'end all sessions of an account',
    more: 'Keys, tokens and clients go on working.',
    said: (email) => `${email} is signed out everywhere.`,
  },
  (context, id) => signOut(context.db, id, actNow(context)),
)

export const userClose = about(
  {
    verb: 'close',
    summary: 'delete an account for good',
    more: `Revokes its key, tokens, clients and sessions, and cancels what it pays for at Stripe. If that fails, the account stays. The
last operator stays, too.`,
    said: (email) => `The account ${email} is deleted.`,
  },
  async (context, id) => {
    const account = await getAccount(context.db, id)
    await closeAccount(context, id, actNow(context))
    return account
  },
)
