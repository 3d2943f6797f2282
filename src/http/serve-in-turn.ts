/*
 * Turns. After the refusals, a request waits for its caller's turn: one caller has 16 at a time. The room then gets a
 * database that belongs to that caller (`db.servedTo`), where each statement and each transaction waits for a
 * connection of the pool. One caller gets at most a quarter of them; `db.heavy`, the lane for long reads, gets half
 * (`db/turns.ts`). A statement that reads has five seconds in the database, a request that reads has eight, and a
 * write has thirty. Anything that is late, or whose client has left, is canceled. Rows that many callers read together
 * (`db.shared`: rows by id, first pages of checklists) take nobody's turn. Jobs and commands, the gate and `/health`
 * have connections of their own. The embedded database has a single session, where the gate goes first. Decision 12
 * (docs/decisions/0012-fair-turns.md) explains why.
 */

import { hasCode, isAway } from '../../db/faults.ts'
import { OutcomeUnknown } from '../../db/late.ts'
import { type Asker, usualDeadlines } from '../../db/turns.ts'
import { turnKeyOf } from '../access/request-turns.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../jsonapi/errors.ts'
import type { Call, Reply, Route } from './route.ts'

/**
 * Lets the room answer when it is the caller's turn. Its database statements also take turns, and are canceled when the answer
 * is late or its client has left (decisions.md §12).
 */
export const serveInTurn = async (context: Context, route: Route, call: Call, arrivedAt: number): Promise<Reply> => {
  if (route.isVital) return route.handle(context, call)
  const key = turnKeyOf(call.caller)
  const writes = isWrite(route)
  const isPoll = route.waitsForNews?.(call.url) ?? false
  const dueAt = arrivedAt + (writes ? usualDeadlines.write : usualDeadlines.read)
  // A write continues even if its client leaves.
  const leaves = writes ? undefined : () => call.request.signal
  const entered = isPoll ? context.turns.enterPoll(key) : context.turns.enter(key, dueAt, leaves)
  const leave = entered instanceof Promise ? await entered : entered
  let isOver = false
  const isGone = () => isOver || call.request.signal.aborted
  const isStreamed = route.body?.isStreamed
  const asker: Asker = {
    ...{ key, writes, isStreamed, isGone, endsAt: writes || isPoll ? undefined : dueAt },
    purpose: { method: route.method, path: route.path },
    origin: { request_id: call.requestId, ...context.tracing?.current() },
  }
  const served = context.db.servedTo(asker)
  const db = route.readsCatalog ? served.catalog : served
  try {
    return await route.handle({ ...context, db }, call)
  } catch (error) {
    isOver = true
    throw writes && asker.hasCommitted && isAnswerLost(error) ? new OutcomeUnknown(error) : error
  } finally {
    leave()
  }
}

/** Whether the database failed to give what the answer needs. */
const isAnswerLost = (error: unknown) =>
  !(error instanceof ApiError) && (isAway(error) || hasCode(error, '57014', 'NO_TURN'))

/** Whether a route may change something. If so, it has more time, and doesn't end when its client leaves. */
const isWrite = ({ method, scope }: Route) => method !== 'GET' && scope !== 'read'
