import type { Database } from '../../db/client.ts'
import { hasCode } from '../../db/faults.ts'
import { syncLogSoon } from '../../db/upkeep.ts'
import { unavailable } from '../jsonapi/errors.ts'
import { batched } from '../lib/batched.ts'
import type { Clock } from '../lib/clock.ts'
import { anonymous, type Caller, isScope, type Scope, scopes } from './caller.ts'
import { type Answered, type Asked, askGate } from './gate-statement.ts'
import { networkOf } from './network.ts'
import type { Presented } from './presented.ts'
import { narrower, type Window, windowAt } from './window.ts'

/**
 * `catalogState` names the state of the catalog when the caller was admitted: if two requests have the same, no change of the
 * catalog was committed between them. Undefined if that is not known. `isMirror`: nobody writes the catalog here.
 */
export type Admission = {
  caller: Caller
  window: Window
  fromCookie: boolean
  catalogState?: string
  isMirror?: boolean
}

export type Gate = {
  /** Says who is calling, and counts the request unless `counted` is false. */
  admit: (presented: Presented, address: string, counted?: boolean) => Promise<Admission>
}

/** A request at the gate: what is asked for it, what it presented, and its client's address. */
type Entrant = { asked: Asked; presented: Presented; address: string }

/** One statement at a time; requests that arrive meanwhile become one more batch of so many at most. */
const limits = { atOnce: 1, most: 2000, deadlineMilliseconds: 8000, late: unavailable }

/**
 * The gate that every counted request passes: who calls, and how much is left of their window. All requests that arrive in one
 * turn of the event loop share one statement. Nothing is kept between statements, so a revoked credential ends at once and
 * several instances count together.
 */
export const openGate = (db: Database, clock: Clock, { internalPoolLimit }: { internalPoolLimit: number }): Gate => {
  const admit = batched(async (batch: Entrant[]) => {
    const groups = [...Map.groupBy(batch, ({ asked }) => nameOf(asked)).values()]
    const asked = groups.map((group) => oneForAll(group))
    const admitted = handOut(await askWithRetries(db, asked, clock.offsetSeconds, internalPoolLimit), groups)
    syncLogSoon(db)
    return batch.map((one) => admitted.get(one) as Admission)
  }, limits)
  return {
    admit: (presented, address, counted = true) =>
      admit({ asked: askedOf(presented, address, counted), presented, address }),
  }
}

const askedOf = (presented: Presented, address: string, counted: boolean): Asked => ({
  hash: presented.kind === 'secret' ? presented.hash : '',
  clientId: presented.kind === 'access_token' ? presented.token.clientId : null,
  tokenId: presented.kind === 'access_token' ? presented.token.id : '',
  generation: presented.kind === 'access_token' ? presented.token.generation : 0,
  scopes: presented.kind === 'access_token' ? presented.token.scopes.join(' ') : '',
  address: networkOf(address),
  requests: counted ? 1 : 0,
})

/** Equal for requests that ask the same. */
const nameOf = ({ hash, clientId, tokenId, generation, scopes, address, requests }: Asked) =>
  `${hash} ${clientId} ${tokenId} ${generation} ${scopes} ${address} ${requests}`

const oneForAll = (group: Entrant[]): Asked => {
  const { asked } = group[0] as Entrant
  return { ...asked, requests: asked.requests * group.length }
}

const askWithRetries = async (db: Database, asked: Asked[], offset: number, pool: number): Promise<Answered[]> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await askGate(db.gate.sql, asked, offset, pool)
    } catch (error) {
      if (attempt === 5 || !hasCode(error, '40P01', '40001')) throw error
      await Bun.sleep(Math.random() * 10 * attempt)
    }
}

type Entering = { answer: Answered; one: Entrant }

/**
 * Gives the places of each window to the requests that share it, in the order of arrival. A request that a credential's window
 * lets through has a place in its account's window, too.
 */
const handOut = (answers: Answered[], groups: Entrant[][]): Map<Entrant, Admission> => {
  const entering = answers.flatMap((answer) => (groups[answer.no - 1] ?? []).map((one): Entering => ({ answer, one })))
  const requests = entering.map(({ one }) => one.asked.requests)
  const own = placesOf(entering, 'key', 'count', requests)
  const through = entering.map(({ answer, one }, at) => ((own[at] ?? 0) <= answer.limit ? one.asked.requests : 0))
  const shared = placesOf(entering, 'account_key', 'account_count', through)
  let caller: Caller | undefined
  return new Map(
    entering.map(({ answer, one }, at) => {
      const isSame = answer === entering[at - 1]?.answer && one.address === caller?.address
      caller = isSame && caller ? caller : callerOf(answer, one.presented, one.address)
      return [one, admission(answer, one, caller, own[at] ?? 0, shared[at] ?? 0)]
    }),
  )
}

/** The place of each request in a window whose count after all of them is known. */
const placesOf = (
  entering: Entering[],
  key: 'key' | 'account_key',
  count: 'count' | 'account_count',
  requests: number[],
): number[] => {
  const places = new Map<string | null, number>()
  const take = (answer: Answered, taken: number) => {
    const place = (places.get(answer[key]) ?? Number(answer[count])) + taken
    places.set(answer[key], place)
    return place
  }
  for (const [at, { answer }] of entering.entries()) take(answer, -(requests[at] ?? 0))
  return entering.map(({ answer }, at) => take(answer, requests[at] ?? 0))
}

const admission = (
  answer: Answered,
  { presented }: Entrant,
  caller: Caller,
  place: number,
  shared: number,
): Admission => {
  const own = windowAt(place, answer.limit, answer.closes_at, answer.wait_seconds)
  const { account_key: isShared, account_limit: limit, account_closes_at: closesAt } = answer
  return {
    caller,
    fromCookie: presented.kind === 'secret' && presented.fromCookie && caller.kind === 'session',
    catalogState: answer.catalog_state ?? undefined,
    isMirror: answer.is_mirror,
    window: isShared ? narrower(own, windowAt(shared, limit, closesAt, answer.account_wait_seconds)) : own,
  }
}

const callerOf = (answer: Answered, presented: Presented, address: string): Caller => {
  const { credential_id: credentialId, kind, user_id: userId } = answer
  if (!credentialId || !userId) return anonymous(address)
  const operator = answer.operator === true
  const entitled = operator || answer.status === 'active' || answer.status === 'trialing'
  const common = { credentialId, userId, operator, entitled, address }
  if (presented.kind === 'access_token')
    return { ...common, kind: 'access_token', scopes: new Set(presented.token.scopes) }
  if (kind === 'session')
    return { ...common, kind: 'session', scopes: new Set<Scope>(operator ? scopes : ['read:published']) }
  if (kind === 'personal_token') {
    const owned = (answer.scopes ?? []).filter(isScope).filter((scope) => scope !== 'internal')
    return { ...common, kind: 'personal_token', scopes: new Set(owned) }
  }
  return { ...common, kind: 'subscriber_key', scopes: new Set<Scope>(['read:published']) }
}
