import { logEnded } from '../../access/credential-log.ts'
import { type CredentialKind, findCredential, revokeCredential } from '../../access/credentials.ts'
import type { Context } from '../../context.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { answer, jsonFlag } from '../answers.ts'
import { actNow, type Command, Failed } from '../command.ts'
import { readFlags } from '../flags.ts'

/** The command that ends a credential of a kind. */
export const ending = (noun: string, kind: CredentialKind, verb: string): Command => ({
  name: `${noun} ${verb}`,
  summary: `end a ${noun}; its next request is refused`,
  help: `Usage: cardstock ${noun} ${verb} ID [--json]

  ID       its id${kind === 'personal_token' ? ', or the token itself' : ''}
  --json   print {"id","revoked"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = await requireCredential(context, words[0] ?? '', kind)
    await endCredential(context, kind, id)
    return answer(io, flags.json, { id, revoked: true }, [`The ${noun} ${id} has ended.`])
  },
})

/** Ends a credential, and says so in the audit log unless it had ended already. */
export const endCredential = (context: Context, kind: CredentialKind, id: string) =>
  context.db.transaction(async (tx) => {
    const act = actNow(context)
    if (await revokeCredential(tx, id, act.now)) await logEnded(tx, act, [{ kind, id }])
  })

/** The id of the live credential that an id or a secret names. */
export const requireCredential = async ({ db }: Context, named: string, kind: CredentialKind): Promise<string> => {
  const id = await findCredential(db, kind, isUuid(named) ? { id: named } : { secret: named })
  if (!id) throw new Failed(`There is no live ${kind.replace('_', ' ')} ${isUuid(named) ? named : 'of that name'}.`)
  return id
}
