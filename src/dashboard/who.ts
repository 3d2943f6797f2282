import type { Caller } from '../access/caller.ts'
import { readPresented, sessionCookie } from '../access/read-credential.ts'
import { getPerson } from '../accounts/me/user.ts'
import { dropCookie } from '../accounts/sessions/session.ts'
import type { Context } from '../context.ts'
import type { Call } from '../http/route.ts'
import type { Person } from './browser/settings.ts'

/** Who is signed in, as a person for the pages and as a caller, and headers to answer with. */
export type Who = { person: Person | null; caller?: Caller; headers: Record<string, string> }

/**
 * Finds out who requested a page, without counting it. The cookie of an ended session is dropped. If the database is down, the
 * page is shown as if nobody were signed in.
 */
export const whoAsks = async (
  context: Context,
  { request, caller, now }: Pick<Call, 'request' | 'caller' | 'now'>,
): Promise<Who> => {
  const { brand, baseUrl } = context.config
  const headers = new Headers({ cookie: request.headers.get('cookie') ?? '' })
  const presented = await readPresented(headers, context.tokens, sessionCookie(brand, baseUrl), now)
  if (presented.kind === 'none') return { person: null, headers: {} }
  try {
    const admitted = await context.gate.admit(presented, caller.address, 0)
    const { kind, userId, operator } = admitted.caller
    if (kind !== 'session' || !userId) return { person: null, headers: { 'Set-Cookie': dropCookie(context.config) } }
    const { email, name } = await getPerson(context.db, userId, now)
    return { person: { email, name, operator }, caller: admitted.caller, headers: {} }
  } catch (error) {
    context.log.warn('page without its person', { message: (error as Error).message })
    return { person: null, headers: {} }
  }
}
