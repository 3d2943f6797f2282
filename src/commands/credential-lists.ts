import type { Context } from '../context.ts'
import { listOwned } from '../oauth/owned.ts'
import { listClients } from '../operations/clients/client.ts'
import { answer, jsonFlag } from './answers.ts'
import type { Command } from './command.ts'
import { readFlags } from './flags.ts'
import { requireUser } from './people.ts'

export const clientList: Command = {
  name: 'client list',
  summary: 'list the OAuth clients that live, without secrets',
  help: `Usage: cardstock client list [--user E] [--json]

  --user E   those of one account, by e-mail address or id
  --json     print {"clients":[{"client_id","name","scope","email","internal_approved","created_at","last_used_at"}]}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: { type: 'string' }, ...jsonFlag })
    const owner = flags.user === undefined ? undefined : await requireUser(context, flags.user)
    const all = await listClients(context.db, context.clock.now())
    const shown = all.filter(({ user_id }) => owner === undefined || user_id === owner.id)
    const clients = shown.map(({ id, name, scope, email, internal_approved, created_at, last_used_at }) => ({
      ...{ client_id: id, name, scope, email, internal_approved, created_at, last_used_at },
    }))
    const lines = clients.map(({ client_id: id, name, scope, email, internal_approved: isApproved }) => {
      const note = scope.split(' ').includes('internal') && !isApproved ? '  (internal is not approved)' : ''
      return `${id}  ${email}  ${name || '-'}  ${scope}${note}`
    })
    return answer(io, flags.json, { clients }, lines.length > 0 ? lines : ['There are no clients.'])
  },
}

export const tokenList: Command = {
  name: 'token list',
  summary: 'list the personal access tokens of an account, without secrets',
  help: `Usage: cardstock token list --user E [--json]

  --user E   their owner, by e-mail address or id
  --json     print {"tokens":[{"id","name","scope","last_four","created_at","last_used_at"}]}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: { type: 'string' }, ...jsonFlag })
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
