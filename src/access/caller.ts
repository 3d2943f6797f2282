import type { Act, Agent } from '../audit/write.ts'
import type { Scope } from '../lib/scopes.ts'

export { isScope, lesserScopes, type Scope, scopes } from '../lib/scopes.ts'

export type CallerKind = 'anonymous' | 'subscriber_key' | 'personal_token' | 'access_token' | 'session'

/** Who is calling. `address` is the client's, for windows counted per address. */
export type Caller = {
  kind: CallerKind
  credentialId: string | null
  userId: string | null
  operator: boolean
  scopes: ReadonlySet<Scope>
  /** Whether the owner's subscription is active or trialing, or the owner is an operator. */
  entitled: boolean
  address: string
}

/** A caller without a valid credential. */
export const anonymous = (address: string): Caller => ({
  kind: 'anonymous',
  credentialId: null,
  userId: null,
  operator: false,
  scopes: new Set(),
  entitled: false,
  address,
})

/** The lowest audience that a caller sees: 1 drafts too, 2 published data, 3 nothing (decisions.md §5). */
export const levelOf = (caller: Caller): 1 | 2 | 3 => {
  if (caller.scopes.has('read:draft') || caller.scopes.has('read:all-status')) return 1
  return caller.scopes.has('read:published') ? 2 : 3
}

/** How the audit log names a caller: a machine client as itself, any other credential as its owner. */
export const agentOf = ({ kind, credentialId, userId }: Caller): Agent | null => {
  if (kind === 'access_token') return `client:${credentialId}`
  return userId ? `user:${userId}` : null
}

/** Who makes a request and when, for `writeAudit`. */
export const actOf = ({ caller, now }: { caller: Caller; now: Date }): Act => ({ agent: agentOf(caller), now })
