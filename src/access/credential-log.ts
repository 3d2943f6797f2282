import type { Transaction } from '../../db/client.ts'
import { type Act, type Entry, writeAudit } from '../audit/write.ts'
import type { Plan } from '../limits.ts'
import { type Brand, type CredentialKind, issueKey } from './credentials.ts'

/** What the audit log calls credentials. Sessions are not logged. */
const nouns: Partial<Record<CredentialKind, string>> = {
  subscriber_key: 'api_key',
  oauth_client: 'client',
  personal_token: 'personal_token',
}

type Verb =
  | 'created'
  | 'issued'
  | 'regenerated'
  | 'revoked'
  | 'deleted'
  | 'approved'
  | 'approval_withdrawn'
  | 'limit_changed'

/** Logs a change of a credential in the same transaction. `data` must hold no secret. */
export const logCredential = async (
  tx: Transaction,
  act: Act,
  kind: CredentialKind,
  id: string,
  verb: Verb,
  data?: object,
) => void (await writeAudit(tx, act, entryOf(kind, id, verb, data)))

/** Logs the end of any number of credentials. */
export const logEnded = async (tx: Transaction, act: Act, ended: { kind: CredentialKind; id: string }[]) => {
  const entries = ended.flatMap(({ kind, id }) => entryOf(kind, id, kind === 'oauth_client' ? 'deleted' : 'revoked'))
  await writeAudit(tx, act, entries)
}

/** Issues a user's one key, as `issueKey` does, and logs both it and the end of the key that it replaces. */
export const issueLoggedKey = async (tx: Transaction, act: Act, userId: string, brand: Brand, plan: Plan) => {
  const { replaces, ...issued } = await issueKey(tx, userId, brand, act.now, plan)
  const verb = replaces ? 'regenerated' : 'issued'
  await logCredential(tx, act, 'subscriber_key', issued.id, verb, { replaces })
  return issued
}

const entryOf = (kind: CredentialKind, id: string, verb: Verb, data?: object): Entry[] => {
  const noun = nouns[kind]
  return noun ? [{ eventType: `${noun}.${verb}`, auditableType: noun, auditableId: id, data }] : []
}
