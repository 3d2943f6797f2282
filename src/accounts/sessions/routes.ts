import { Type } from '@sinclair/typebox'
import { revokeCredential } from '../../access/credentials.ts'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { text, time } from '../../jsonapi/fields.ts'
import { emailKey } from '../../lib/email.ts'
import { answerSchema, defineAction, exampleUrl, renderAnswer } from '../action.ts'
import { limitAddress, limitSubject } from '../limits.ts'
import { example } from '../me/user.ts'
import { dropCookie, keepCookie } from './session.ts'
import { signIn } from './sign-in.ts'

const path = '/v1/session'
const type = 'sessions'

const session = defineAction(
  type,
  'SignIn',
  { email: text(), password: text(1000) },
  { email: 'ana@example.org', password: 'a long password' },
)

const begin = async (context: Context, call: Call): Promise<Reply> => {
  await limitAddress(context, call, 'session')
  const asked = await session.read(call)
  await limitSubject(context, 'sessionAccount', emailKey(asked.email) ?? asked.email)
  const { id, token, createdAt, expiresAt } = await signIn(context, asked, call.now)
  const { config } = context
  const attributes = { created_at: createdAt.toISOString(), expires_at: expiresAt.toISOString() }
  return {
    status: 201,
    headers: {
      Location: `${config.baseUrl}${path}`,
      'Set-Cookie': keepCookie(config, token),
      'Cache-Control': 'no-store',
    },
    body: renderAnswer(config.baseUrl, path, { type, id, attributes, meta: { token } }),
  }
}

const end = async ({ db, config }: Context, { caller, now }: Call): Promise<Reply> => {
  await revokeCredential(db, caller.credentialId ?? '', now)
  return { status: 204, headers: { 'Set-Cookie': dropCookie(config) } }
}

const cookieHeader = { 'Set-Cookie': 'The cookie that a browser keeps the session in, or drops it from.' }

/** Signing in and out. */
export const sessionRoutes: Route[] = [
  {
    method: 'POST',
    path,
    operationId: 'signIn',
    summary: 'Sign in',
    description:
      'The session is a token (`meta.token`, shown this once; send it as a bearer token) and a cookie for browsers, for 30 days. A wrong address and a wrong password are the same 401. Where both are right but the address is not verified: 403 `EMAIL_NOT_VERIFIED`.',
    tag: 'Account',
    access: 'public',
    body: session.body,
    answers: {
      201: {
        description: 'The session.',
        schema: answerSchema(type, 'Session', { created_at: time(), expires_at: time() }, { token: Type.String() }),
        headers: cookieHeader,
        example: renderAnswer(exampleUrl, path, {
          ...{ type, id: example.id },
          attributes: { created_at: '2026-11-21T12:00:00.000Z', expires_at: '2026-12-21T12:00:00.000Z' },
          meta: { token: 'cardstock_session_…' },
        }),
      },
    },
    refusals: [401, 403, 409, 422],
    handle: begin,
  },
  {
    method: 'DELETE',
    path,
    operationId: 'signOut',
    summary: 'Sign out',
    description: 'Ends the session that the request came with; its next request is refused.',
    tag: 'Account',
    access: 'session',
    answers: { 204: { description: 'The session has ended.', headers: cookieHeader } },
    handle: end,
  },
]
