import { logCredential, logEnded } from '../access/credential-log.ts'
import type { CredentialKind } from '../access/credentials.ts'
import { approveInternal, findCredential, revokeCredential } from '../access/credentials.ts'
import type { Context } from '../context.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { answer, jsonFlag } from './answers.ts'
import { actNow, type Command, Failed } from './command.ts'
import { readFlags } from './flags.ts'
import { requireUser } from './people.ts'

const approval = (verb: 'approve' | 'revoke', isApproved: boolean): Command => ({
  name: `client ${verb}`,
  summary: isApproved ? 'let a client use the scope internal' : 'withdraw the scope internal from a client',
  help: `Usage: cardstock client ${verb} ID [--json]

The access tokens that it has end with that, where it changes anything: it asks for new ones.

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
    const state = isApproved
      ? 'may use the scope internal, where it is among its scopes'
      : 'may not use the scope internal'
    return answer(io, flags.json, { client_id: id, internal_approved: isApproved }, [`Client ${id} ${state}.`])
  },
})

export const clientApprove = approval('approve', true)
export const clientRevoke = approval('revoke', false)

const ending = (noun: string, kind: CredentialKind, verb: string): Command => ({
  name: `${noun} ${verb}`,
  summary: `end a ${noun}; its next request is refused`,
  help: `Usage: cardstock ${noun} ${verb} ID [--json]

  ID       its id${kind === 'personal_token' ? ', or the token itself' : ''}
  --json   print {"id","revoked"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = await requireCredential(context, words[0] ?? '', kind)
    await end(context, kind, id)
    return answer(io, flags.json, { id, revoked: true }, [`The ${noun} ${id} has ended.`])
  },
})

export const clientDelete = ending('client', 'oauth_client', 'delete')
export const tokenRevoke = ending('token', 'personal_token', 'revoke')

export const keyRevoke: Command = {
  name: 'key revoke',
  summary: 'end the subscriber key of an account',
  help: `Usage: cardstock key revoke --user E [--json]

  --user E   the account, by e-mail address or id
  --json     print {"id","revoked"}; id is null where there was no key
`,
  run: async (context, args, io) => {
    const { flags } = readFlags(args, { user: { type: 'string' }, ...jsonFlag })
    const user = await requireUser(context, flags.user)
    const id = (await findCredential(context.db, 'subscriber_key', { userId: user.id })) ?? null
    if (id) await end(context, 'subscriber_key', id)
    return answer(io, flags.json, { id, revoked: id !== null }, [id ? `The key ${id} has ended.` : 'There was no key.'])
  },
}

const end = (context: Context, kind: CredentialKind, id: string) =>
  context.db.transaction(async (tx) => {
    const act = actNow(context)
    if (await revokeCredential(tx, id, act.now)) await logEnded(tx, act, [{ kind, id }])
  })

const requireCredential = async ({ db }: Context, named: string, kind: CredentialKind): Promise<string> => {
  const id = await findCredential(db, kind, isUuid(named) ? { id: named } : { secret: named })
  if (!id) throw new Failed(`There is no live ${kind.replace('_', ' ')} ${isUuid(named) ? named : 'of that name'}.`)
  return id
}
