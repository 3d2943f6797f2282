import { logEnded } from '../../access/credential-log.ts'
import { type CredentialKind, findCredential, revokeCredential } from '../../access/credentials.ts'
import type { Context } from '../../context.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { capital } from '../../lib/capital.ts'
import { answer, jsonFlag } from '../answers.ts'
import { actNow, type Command, Failed } from '../command.ts'
import { readFlags } from '../flags.ts'

/** The command that revokes a credential of this kind. */
export const ending = (noun: string, kind: CredentialKind, verb: string): Command => ({
  name: `${noun} ${verb}`,
  summary: `${verb} a ${noun}; its next request is refused`,
  help: `Usage: cardstock ${noun} ${verb} ID [--json]

  ID       its id${kind === 'personal_token' ? ', or the token itself' : ''}
  --json   print {"id","revoked"}
`,
  run: async (context, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = await requireCredential(context, words[0] ?? '', kind)
    await endCredential(context, kind, id)
    return answer(io, flags.json, { id, revoked: true }, [`${capital(noun)} ${id} is ${verb}d.`])
  },
})

/** Revokes a credential and writes that to the audit log, unless it was revoked already. */
export const endCredential = (context: Context, kind: CredentialKind, id: string) =>
  context.db.transaction(async (tx) => {
    const act = actNow(context)
    if (await revokeCredential(tx, id, act.now)) await logEnded(tx, act, [{ kind, id }])
  })

/** The id of a live credential, found by its id or its secret. */
export const requireCredential = async ({ db }: Context, named: string, kind: CredentialKind): Promise<string> => {
  const id = await findCredential(db, kind, isUuid(named) ? { id: named } : { secret: named })
  if (!id) throw new Failed(`There is no live ${kind.replace('_', ' ')} ${isUuid(named) ? named : 'like that'}.`)
  return id
}
