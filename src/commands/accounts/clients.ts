import { logCredential } from '../../access/credential-log.ts'
import { approveInternal, issueCredential } from '../../access/credentials.ts'
import { listClients } from '../../operations/clients/client.ts'
import { answer, jsonFlag, lineOf, required } from '../answers.ts'
import { actNow, type Command } from '../command.ts'
import { on, readFlags, text } from '../flags.ts'
import { ending, requireCredential } from './ending.ts'
import { readScopes, requireUser, warnOwner } from './people.ts'

export const clientCreate: Command = {
  name: 'client create',
  summary: 'create an OAuth client for a program',
  help: `Usage: cardstock client create --name N --user E --scope "S …" [--approve-internal] [--json]

  --name N             what the client is for
  --user E             its owner, by e-mail address or id
  --scope "S …"        read:published, read:draft, read:all-status, write, delete, internal
  --approve-internal   let it use the internal scope
  --json               print {"client_id","client_secret"}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { name: text, user: text, scope: text, 'approve-internal': on, ...jsonFlag })
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
      await io.stderr.write(`Note: the internal scope works once you approve it: cardstock client approve ${id}\n`)
    return answer(io, flags.json, { client_id: id, client_secret: secret }, [
      `client_id      ${id}`,
      `client_secret  ${secret}`,
      'The secret is shown only once. Exchange the two for an access token at POST /oauth/token.',
    ])
  },
}

export const clientList: Command = {
  name: 'client list',
  summary: 'list the live OAuth clients, without secrets',
  help: `Usage: cardstock client list [--user E] [--json]

  --user E   only this account's clients, by e-mail address or id
  --json     print {"clients":[{"client_id","name","scope","email","internal_approved","created_at","last_used_at"}]}
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: text, ...jsonFlag })
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

const approval = (verb: 'approve' | 'revoke', isApproved: boolean): Command => ({
  name: `client ${verb}`,
  summary: isApproved
    ? 'let a client use the internal scope (what operators do)'
    : 'take the internal scope away from a client',
  help: `Usage: cardstock client ${verb} ID [--json]

If this changes anything, the client's access tokens are revoked and it has to request new ones.

  ID       the client_id
  --json   print {"client_id","internal_approved"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = await requireCredential(context, words[0] ?? '', 'oauth_client')
    await context.db.transaction(async (tx) => {
      if (await approveInternal(tx, id, isApproved))
        await logCredential(tx, actNow(context), 'oauth_client', id, isApproved ? 'approved' : 'approval_withdrawn')
    })
    const state = isApproved ? 'may use the internal scope if it has it' : 'may not use the internal scope'
    return answer(io, flags.json, { client_id: id, internal_approved: isApproved }, [`Client ${id} ${state}.`])
  },
})

export const clientApprove = approval('approve', true)
export const clientRevoke = approval('revoke', false)

export const clientDelete = ending('client', 'oauth_client', 'delete')
