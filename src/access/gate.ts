/*
 * The gate. All requests that arrive in one turn of the event loop share one statement. It looks up credentials, and
 * counts rate windows and usage by the database's clock, with keys merged and sorted. A token counts on its own
 * window. If that window lets it through, it also counts on the window that all tokens of its account share; this
 * takes a second statement, which batches without such tokens don't need. The process remembers nothing between
 * statements, so a revoked key stops working at the next request, and replicas count together. An access token is
 * signed and carries its client's generation, which the statement compares. So approving, withdrawing or deleting a
 * client revokes its tokens.
 */

import type { Database } from '../../db/client.ts'
import { hasCode } from '../../db/faults.ts'
import { syncLogSoon } from '../../db/upkeep.ts'
import { unavailable } from '../jsonapi/errors.ts'
import { batched } from '../lib/batched.ts'
import type { Clock } from '../lib/clock.ts'
import { drawOnAccounts } from './account-window.ts'
import { anonymous, type Caller, isScope, type Scope, scopes } from './caller.ts'
import type { Counted } from './counted.ts'
import { type Answered, type Asked, askGate } from './gate-statement.ts'
import { networkOf } from './network.ts'
import type { Presented } from './read-credential.ts'
import { narrower, type Window, windowAt } from './window.ts'

/**
 * `catalogState` identifies the state of the catalog when the caller was admitted. If two requests have the same, no change of
 * the catalog was committed between them. Undefined if unknown. `isMirror`: nobody writes the catalog here.
 */
export type Admission = {
  caller: Caller
  window: Window
  fromCookie: boolean
  catalogState?: string
  isMirror?: boolean
}

export type Gate = {
  /** Says who is calling, and counts the request: once, unless `requests` says otherwise. */
  admit: (presented: Presented, address: string, requests?: number) => Promise<Admission>
}

/** A request at the gate: what it asks the database, what it presented, and its client's address. */
type Entrant = { asked: Asked; presented: Presented; address: string }

/** One statement runs at a time. Requests that arrive in the meantime form the next batch, of up to 2,000. */
const limits = { atOnce: 1, most: 2000, deadlineMilliseconds: 8000, late: unavailable }

/**
 * The gate that every counted request passes: it finds the caller and what is left of their window. Requests that arrive in the
 * same turn of the event loop share one statement, and a second one if tokens draw on their accounts (decisions.md §12): a
 * request that its credential's window lets through also counts on its account's. Nothing is kept between statements, so a
 * revoked credential stops working at once, and several instances count together. Under load, a statement waits
 * `gatherMilliseconds` for more requests.
 */
export const openGate = (
  db: Database,
  clock: Clock,
  { internalPoolLimit }: { internalPoolLimit: number },
  gatherMilliseconds = 0,
): Gate => {
  const gathering = { ...limits, gatherMilliseconds }
  const admit = batched(async (batch: Entrant[]) => {
    const groups = [...Map.groupBy(batch, ({ asked }) => nameOf(asked)).values()]
    const asked = groups.map((group) => oneForAll(group))
    const answers = await retried(() => askGate(db, asked, clock.offsetSeconds, internalPoolLimit))
    if (answers[0]) db.replicas?.know(answers[0])
    const entering = enter(answers, groups)
    const admitted = handOut(entering, await drawFor(db, clock, entering))
    syncLogSoon(db)
    return batch.map((one) => admitted.get(one) as Admission)
  }, gathering)
  return {
    admit: (presented, address, requests = 1) =>
      admit({ asked: askedOf(presented, address, requests), presented, address }),
  }
}

const askedOf = (presented: Presented, address: string, requests: number): Asked => ({
  hash: presented.kind === 'secret' ? presented.hash : '',
  clientId: presented.kind === 'access_token' ? presented.token.clientId : null,
  tokenId: presented.kind === 'access_token' ? presented.token.id : '',
  generation: presented.kind === 'access_token' ? presented.token.generation : 0,
  scopes: presented.kind === 'access_token' ? presented.token.scopes.join(' ') : '',
  address: networkOf(address),
  requests,
})

/** The same for requests that ask the same. */
const nameOf = ({ hash, clientId, tokenId, generation, scopes, address, requests }: Asked) =>
  `${hash} ${clientId} ${tokenId} ${generation} ${scopes} ${address} ${requests}`

const oneForAll = (group: Entrant[]): Asked => {
  const { asked } = group[0] as Entrant
  return { ...asked, requests: asked.requests * group.length }
}

const retried = async <T>(ask: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt++)
    try {
      return await ask()
    } catch (error) {
      if (attempt === 5 || !hasCode(error, '40P01', '40001')) throw error
      await Bun.sleep(Math.random() * 10 * attempt)
    }
}

/**
 * A request and what was found for it. `drawn` is 1 if its own window lets it through, so that it counts on its account's, too.
 */
type Entering = { answer: Answered; one: Entrant; place: number; drawn: number }

/** Gives the places of each window to the requests that share it, in the order of arrival. */
const enter = (answers: Answered[], groups: Entrant[][]): Entering[] => {
  const entering = answers
    .toSorted((a, b) => a.no - b.no)
    .flatMap((answer) => (groups[answer.no - 1] ?? []).map((one): Entering => ({ answer, one, place: 0, drawn: 0 })))
  const places = placesOf(
    entering,
    ({ answer }) => answer,
    ({ one }) => one.asked.requests,
  )
  for (const [at, each] of entering.entries()) {
    each.place = places[at] ?? 0
    each.drawn = each.place <= each.answer.limit ? each.one.asked.requests : 0
  }
  return entering
}

/** Counts on the windows of accounts. Most batches have none. */
const drawFor = async (db: Database, { offsetSeconds }: Clock, entering: Entering[]): Promise<Map<string, Counted>> => {
  const drawn = new Map<string, number>()
  for (const { answer, one, drawn: requests } of entering)
    if (answer.draws_on_account && answer.user_id && one.asked.requests > 0)
      drawn.set(answer.user_id, (drawn.get(answer.user_id) ?? 0) + requests)
  if (drawn.size === 0) return new Map()
  const accounts = [...drawn].map(([userId, requests]) => ({ userId, requests }))
  const counted = await retried(() => drawOnAccounts(db.gate.sql, accounts, offsetSeconds))
  return new Map(counted.map((window) => [window.user_id, window]))
}

const handOut = (entering: Entering[], accounts: Map<string, Counted>): Map<Entrant, Admission> => {
  const accountOf = ({ draws_on_account: draws, user_id: userId }: Answered) =>
    draws && userId ? accounts.get(userId) : undefined
  const shared = placesOf(
    entering,
    ({ answer }) => accountOf(answer),
    ({ drawn }) => drawn,
  )
  let caller: Caller | undefined
  return new Map(
    entering.map(({ answer, one, place }, at) => {
      const isSame = answer === entering[at - 1]?.answer && one.address === caller?.address
      caller = isSame && caller ? caller : callerOf(answer, one.presented, one.address)
      const account = accountOf(answer)
      const own = windowOf(answer, place)
      const window = account ? narrower(own, windowOf(account, shared[at] ?? 0)) : own
      return [one, admission(answer, one, caller, window)]
    }),
  )
}

/** The place of each request in its window, worked out from the count after all of them. */
const placesOf = (
  entering: Entering[],
  windowOf: (one: Entering) => Counted | undefined,
  requestsOf: (one: Entering) => number,
): number[] => {
  const places = new Map<string, number>()
  const take = (one: Entering, direction: 1 | -1) => {
    const window = windowOf(one)
    if (!window) return 0
    const place = (places.get(window.key) ?? Number(window.count)) + direction * requestsOf(one)
    places.set(window.key, place)
    return place
  }
  for (const one of entering) take(one, -1)
  return entering.map((one) => take(one, 1))
}

const windowOf = ({ limit, window_seconds: windowSeconds, at, closes_at: closesAt }: Counted, place: number) => {
  const waitMilliseconds = Math.round((closesAt - at) * 1000)
  return windowAt(place, { limit, windowSeconds }, closesAt, Math.max(1, Math.ceil(waitMilliseconds / 1000)))
}

const admission = (answer: Answered, { presented }: Entrant, caller: Caller, window: Window): Admission => ({
  caller,
  window,
  fromCookie: presented.kind === 'secret' && presented.fromCookie && caller.kind === 'session',
  catalogState: answer.catalog_state ?? undefined,
  isMirror: answer.is_mirror,
})

const callerOf = (answer: Answered, presented: Presented, address: string): Caller => {
  const { credential_id: credentialId, kind, user_id: userId } = answer
  if (!credentialId || !userId) return anonymous(address)
  const operator = answer.operator === true
  const entitled = operator || answer.status === 'active' || answer.status === 'trialing'
  const common = { credentialId, userId, operator, entitled, address }
  if (presented.kind === 'access_token')
    return {
      ...common,
      kind: 'access_token',
      scopes: new Set(presented.token.scopes).intersection(new Set(answer.scopes)),
    }
  if (kind === 'session')
    return { ...common, kind: 'session', scopes: new Set<Scope>(operator ? scopes : ['read:published']) }
  if (kind === 'personal_token') {
    const owned = (answer.scopes ?? []).filter(isScope).filter((scope) => scope !== 'internal')
    return { ...common, kind: 'personal_token', scopes: new Set(owned) }
  }
  return { ...common, kind: 'subscriber_key', scopes: new Set<Scope>(['read:published']) }
}
