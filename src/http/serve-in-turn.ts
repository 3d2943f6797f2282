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
  const asker: Asker = { key, writes, isStreamed, isGone, endsAt: writes || isPoll ? undefined : dueAt }
  const db = context.db.servedTo(asker)
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
