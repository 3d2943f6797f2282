import { countOn, readOn } from '../access/limiter.ts'
import type { Context } from '../context.ts'
import type { Call, Reply } from '../http/route.ts'
import { ApiError } from '../jsonapi/errors.ts'
import { readQuery } from '../jsonapi/query.ts'
import { ownWindows } from '../limits.ts'
import { renderOauthError, withOauthWindow } from './refusal.ts'

/** Client management, and that of tokens: 5 changes an hour and user each (interface.md, Limits). */
const allowance = ownWindows.oauthChange

type Handle = (context: Context, call: Call) => Promise<Reply>

/** Counts a change of a person's clients or tokens on a window of its own; looking counts nothing, but tells what is left. */
export const managed =
  (what: 'clients' | 'tokens', handle: Handle): Handle =>
  async (context, call) => {
    const { db, clock } = context
    const key = `oauth-${what} user ${call.caller.userId}`
    const isLooking = call.request.method === 'GET' || call.request.method === 'HEAD'
    const window = await (isLooking ? readOn : countOn)(db, clock, key, allowance)
    return withOauthWindow(window.isOpen ? await refusing(context, call, handle) : { status: 429 }, window)
  }

/** A refusal is an answer, too, and has the window's headers. */
const refusing: (context: Context, call: Call, handle: Handle) => Promise<Reply> = async (context, call, handle) => {
  try {
    readQuery(call.url.searchParams, { include: [], fields: {}, filters: {} })
    return await handle(context, call)
  } catch (error) {
    if (error instanceof ApiError) return renderOauthError(error)
    throw error
  }
}
