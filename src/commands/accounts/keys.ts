import { issueLoggedKey } from '../../access/credential-log.ts'
import { findCredential } from '../../access/credentials.ts'
import { activatePlan, readStanding } from '../../accounts/subscriptions.ts'
import { answer, jsonFlag } from '../answers.ts'
import { actNow, type Command } from '../command.ts'
import { readFlags, text } from '../flags.ts'
import { endCredential } from './ending.ts'
import { readPlan, requireUser, warnOwner } from './people.ts'

export const keyCreate: Command = {
  name: 'key create',
  summary: 'create an API key for an account',
  help: `Usage: cardstock key create --user E [--plan P] [--json]

The account's previous key is revoked. An account without a plan becomes active on pro.

  --user E   the account, by e-mail address or id
  --plan P   make the account active on this plan first: trial, starter or pro
  --json     print {"key"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: text, plan: text, ...jsonFlag })
    const wanted = readPlan(flags.plan)
    const user = await requireUser(context, flags.user)
    const { db, config } = context
    const act = actNow(context)
    const issued = await db.transaction(async (tx) => {
      const standing = await readStanding(tx, user.id)
      const plan = wanted ?? standing.plan ?? 'pro'
      if (wanted || !standing.plan) await activatePlan(tx, user.id, plan, config.trialDays, act.now)
      return { ...(await issueLoggedKey(tx, act, user.id, config, plan)), plan }
    })
    await warnOwner(context, io, user, ['read:published'])
    return answer(io, flags.json, { key: issued.secret }, [
      issued.secret,
      `The key is shown only once. ${user.email} is on the ${issued.plan} plan. Any earlier key is revoked.`,
    ])
  },
}

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: "revoke an account's API key",
  help: `Usage: cardstock key revoke --user E [--json]

  --user E   the account, by e-mail address or id
  --json     print {"id","revoked"}; id is null if there was no key
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: text, ...jsonFlag })
    const user = await requireUser(context, flags.user)
    const id = (await findCredential(context.db, 'subscriber_key', { userId: user.id })) ?? null
    if (id) await endCredential(context, 'subscriber_key', id)
    return answer(io, flags.json, { id, revoked: id !== null }, [id ? `Key ${id} is revoked.` : 'There was no key.'])
  },
}
