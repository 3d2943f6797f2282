import { issueLoggedKey, logCredential } from '../access/credential-log.ts'
import { issueCredential } from '../access/credentials.ts'
import { activatePlan, readStanding } from '../accounts/subscriptions.ts'
import { answer, jsonFlag, lineOf, required } from './answers.ts'
import { actNow, type Command, WrongUsage } from './command.ts'
import { readFlags } from './flags.ts'
import { readPlan, readScopes, requireUser, warnOwner } from './people.ts'

export const clientCreate: Command = {
  name: 'client create',
  summary: 'make an OAuth client for a machine',
  help: `Usage: cardstock client create --name N --user E --scope "S …" [--approve-internal] [--json]

  --name N             what the client is
  --user E             its owner, by e-mail address or id
  --scope "S …"        read:published, read:draft, read:all-status, write, delete, internal
  --approve-internal   let it use the scope internal
  --json               print {"client_id","client_secret"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, {
      name: { type: 'string' },
      user: { type: 'string' },
      scope: { type: 'string' },
      'approve-internal': { type: 'boolean' },
      ...jsonFlag,
    })
    const name = lineOf(required(flags.name, 'name'), 'name')
    const scopes = readScopes(flags.scope)
    const user = await requireUser(context, flags.user)
    await warnOwner(context, io, user, scopes)
    const details = { name, scopes, internalApproved: flags['approve-internal'] ?? false }
    const { db, config } = context
    const act = actNow(context)
    const { id, secret } = await db.transaction(async (tx) => {
      const issued = await issueCredential(tx, 'oauth_client', user.id, config, act.now, details)
      await logCredential(tx, act, 'oauth_client', issued.id, 'created', { name, scope: scopes.join(' ') })
      if (details.internalApproved) await logCredential(tx, act, 'oauth_client', issued.id, 'approved')
      return issued
    })
    if (scopes.includes('internal') && !details.internalApproved)
      await io.stderr.write(`Note: the scope internal works once it is approved: cardstock client approve ${id}\n`)
    return answer(io, flags.json, { client_id: id, client_secret: secret }, [
      `client_id      ${id}`,
      `client_secret  ${secret}`,
      'The secret is shown this once. POST /oauth/token makes an access token of the two.',
    ])
  },
}

export const tokenCreate: Command = {
  name: 'token create',
  summary: 'make a personal access token',
  help: `Usage: cardstock token create --user E --scope "S …" [--name N] [--json]

  --user E        its owner, by e-mail address or id
  --scope "S …"   read:published, read:draft, read:all-status, write, delete
  --name N        what it is for
  --json          print {"token"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, {
      user: { type: 'string' },
      scope: { type: 'string' },
      name: { type: 'string' },
      ...jsonFlag,
    })
    const scopes = readScopes(flags.scope)
    if (scopes.includes('internal'))
      throw new WrongUsage('a personal access token cannot carry internal: make a client')
    const user = await requireUser(context, flags.user)
    await warnOwner(context, io, user, scopes)
    const { db, config } = context
    const act = actNow(context)
    const name = lineOf(flags.name, 'name')
    const { id, secret } = await db.transaction(async (tx) => {
      const issued = await issueCredential(tx, 'personal_token', user.id, config, act.now, { scopes, name })
      await logCredential(tx, act, 'personal_token', issued.id, 'created', { name, scope: scopes.join(' ') })
      return issued
    })
    return answer(io, flags.json, { token: secret }, [secret, `It is shown this once. Its id is ${id}.`])
  },
}

export const keyCreate: Command = {
  name: 'key create',
  summary: 'make the subscriber key of an account',
  help: `Usage: cardstock key create --user E [--plan P] [--json]

Ends the key that the account had. An account without a plan becomes active on pro.

  --user E   the account, by e-mail address or id
  --plan P   make the account active on this plan first: trial, starter or pro
  --json     print {"key"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: { type: 'string' }, plan: { type: 'string' }, ...jsonFlag })
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
      `It is shown this once. ${user.email} is on the plan ${issued.plan}; a key before it has ended.`,
    ])
  },
}
