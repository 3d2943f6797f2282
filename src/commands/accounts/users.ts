import { hashPassword } from '../../access/passwords.ts'
import { activatePlan } from '../../accounts/subscriptions.ts'
import { insertUser } from '../../accounts/users.ts'
import { isEmail } from '../../lib/email.ts'
import { isPassword } from '../../lib/password.ts'
import { answer, jsonFlag, lineOf, required } from '../answers.ts'
import { type Command, WrongUsage } from '../command.ts'
import { on, readFlags, text } from '../flags.ts'
import { readPlan } from './people.ts'

export const userCreate: Command = {
  name: 'user create',
  summary: 'create an account; --operator makes its owner an operator',
  help: `Usage: cardstock user create --email E --password P [--operator] [--plan P] [--name N] [--json]

  --email E      the e-mail address
  --password P   10 to 128 characters
  --operator     may do everything, without a subscription
  --plan P       make the account active on a plan: trial, starter or pro
  --name N       the person's name
  --json         print {"id","email"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, {
      email: text,
      password: text,
      operator: on,
      plan: text,
      name: text,
      ...jsonFlag,
    })
    const email = required(flags.email, 'email')
    if (!isEmail(email)) throw new WrongUsage(`${email} is not an e-mail address`)
    if (!isPassword(flags.password ?? '')) throw new WrongUsage('--password must have 10 to 128 characters')
    const name = lineOf(flags.name, 'name')
    const plan = readPlan(flags.plan)
    const passwordHash = await hashPassword(flags.password ?? '')
    const now = context.clock.now()
    const user = await context.db.transaction(async (tx) => {
      const details = { email, passwordHash, operator: flags.operator ?? false, name }
      const made = await insertUser(tx, details, now)
      if (plan) await activatePlan(tx, made.id, plan, context.config.trialDays, now)
      return made
    })
    return answer(io, flags.json, { id: user.id, email }, [
      `${user.operator ? 'Operator' : 'User'} ${email} has the id ${user.id}.`,
    ])
  },
}
