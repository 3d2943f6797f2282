import { Type } from '@sinclair/typebox'
import { revokeCredential } from '../../access/credentials.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { text, time } from '../../jsonapi/fields.ts'
import { lifetimes, sayDuration, sayWindow, tighterLimits } from '../../limits.ts'
import { actionRoute } from '../action.ts'
import { dropCookie, keepCookie } from './session.ts'
import { signIn } from './sign-in.ts'

const path = '/v1/session'
const cookieHeader = { 'Set-Cookie': 'Sets the session cookie, or clears it.' }

const end = async ({ db, config }: Context, { caller, now }: Call): Promise<Reply> => {
  await revokeCredential(db, caller.credentialId ?? '', now)
  return { status: 204, headers: { 'Set-Cookie': dropCookie(config) } }
}

/** Signs in and out. */
export const sessionRoutes: Route[] = [
  actionRoute({
    path,
    operationId: 'signIn',
    ownLimit: 'session',
    summary: 'Sign in',
    description: `Starts a session of ${sayDuration(lifetimes.session.seconds)}, as a token (\`meta.token\`, shown only here; send it as a bearer token) and as a cookie for browsers. A wrong address and a wrong password get the same 401. If both are right but the address isn’t verified, the response is 403 \`EMAIL_NOT_VERIFIED\`. It is 429 after ${tighterLimits.sessionAccountAddress.limit} wrong passwords ${sayWindow(tighterLimits.sessionAccountAddress.windowSeconds)} for one account from one IP address, or ${tighterLimits.sessionAccount.limit} from all IP addresses that it hasn’t recently signed in from.`,
    type: 'sessions',
    asks: {
      name: 'SignIn',
      attributes: { email: text(), password: text(1000) },
      example: { email: 'ana@example.org', password: 'a long password' },
    },
    answers: {
      status: 201,
      description: 'The session.',
      name: 'Session',
      attributes: { created_at: time(), expires_at: time() },
      meta: { token: Type.String() },
      headers: cookieHeader,
      example: {
        attributes: { created_at: '2026-11-21T12:00:00.000Z', expires_at: '2026-12-21T12:00:00.000Z' },
        meta: { token: 'cardstock_session_…' },
      },
    },
    refusals: [401, 403, 409, 422],
    handle: async (context, call, read) => {
      const { config } = context
      const { id, token, createdAt, expiresAt } = await signIn(context, call, await read())
      return {
        id,
        meta: { token },
        attributes: { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() },
        headers: {
          Location: `${config.baseUrl}${path}`,
          'Set-Cookie': keepCookie(config, token),
          'Cache-Control': 'no-store',
        },
      }
    },
  }),
  {
    method: 'DELETE',
    path,
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session that made the request.',
    tag: 'Account',
    access: 'session',
    answers: { 204: { description: 'The session has ended.', headers: cookieHeader } },
    handle: end,
  },
]
