import { logCredential } from '../../access/credential-log.ts'
import { issueCredential } from '../../access/credentials.ts'
import type { Context } from '../../context.ts'
import { listOwned } from '../../oauth/owned.ts'
import { answer, jsonFlag, lineOf } from '../answers.ts'
import { actNow, type Command, WrongUsage } from '../command.ts'
import { readFlags, text } from '../flags.ts'
import { ending } from './ending.ts'
import { readScopes, requireUser, warnOwner } from './people.ts'

export const tokenCreate: Command = {
  name: 'token create',
  summary: 'create a personal access token',
  help: `Usage: cardstock token create --user E --scope "S …" [--name N] [--json]

  --user E        its owner, by e-mail address or id
  --scope "S …"   read:published, read:draft, read:all-status, write, delete
  --name N        what it is for
  --json          print {"token"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: text, scope: text, name: text, ...jsonFlag })
    const scopes = readScopes(flags.scope)
    if (scopes.includes('internal'))
      throw new WrongUsage('A personal access token cannot have the internal scope. Create a client instead')
    const name = lineOf(flags.name, 'name')
    const user = await requireUser(context, flags.user)
    await warnOwner(context, io, user, scopes)
    const { db, config } = context
    const act = actNow(context)
    const { id, secret } = await db.transaction(async (tx) => {
      const issued = await issueCredential(tx, 'personal_token', user.id, config, act.now, { scopes, name })
      await logCredential(tx, act, 'personal_token', issued.id, 'created', { name, scope: scopes.join(' ') })
      return issued
    })
    return answer(io, flags.json, { token: secret }, [secret, `The token is shown only once. Its id is ${id}.`])
  },
}

export const tokenList: Command = {
  name: 'token list',
  summary: "list an account's personal access tokens, without secrets",
  help: `Usage: cardstock token list --user E [--json]

  --user E   their owner, by e-mail address or id
  --json     print {"tokens":[{"id","name","scope","last_four","created_at","last_used_at"}]}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: text, ...jsonFlag })
    const tokens = await readTokens(context, (await requireUser(context, flags.user)).id)
    const lines = tokens.map((token) => `${token.id}  …${token.last_four}  ${token.name || '-'}  ${token.scope}`)
    return answer(io, flags.json, { tokens }, lines.length > 0 ? lines : ['There are no tokens.'])
  },
}

const readTokens = async ({ db }: Context, userId: string) => {
  const owned = await listOwned(db, 'personal_token', userId)
  return owned.map(({ id, name, scope, last_four, created_at, last_used_at }) => ({
    ...{ id, name, scope, last_four, created_at, last_used_at },
  }))
}

export const tokenRevoke = ending('token', 'personal_token', 'revoke')
