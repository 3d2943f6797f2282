import type { Transaction } from '../../db/client.ts'
import { type Act, writeAudit } from '../audit/write.ts'
import type { CredentialKind } from './credentials.ts'

/** What the audit log calls the credentials that it speaks of; sessions come and go without it. */
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

/** Writes into the audit log what became of a credential, in the transaction of the change; `data` holds no secret. */
export const logCredential = async (
  tx: Transaction,
  act: Act,
  kind: CredentialKind,
  id: string,
  verb: Verb,
  data?: object,
) => {
  const noun = nouns[kind]
  if (noun) await writeAudit(tx, act, { eventType: `${noun}.${verb}`, auditableType: noun, auditableId: id, data })
}
