import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { boolean, email, name, nullable, optional, password, text, time } from '../../jsonapi/fields.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { emailKey } from '../../lib/email.ts'
import { answerSchema, defineAction, exampleUrl, namelessId, renderAnswer } from '../action.ts'
import { limitAddress, limitSubject } from '../limits.ts'
import { attributes, example, getPerson, type as users } from '../me/user.ts'
import { resendVerification } from './resend.ts'
import { signUp } from './sign-up.ts'
import { verifySignUp } from './verify.ts'

const paths = { signup: '/v1/signup', verify: '/v1/signup/verify', resend: '/v1/signup/resend' }

const signup = defineAction(
  'signups',
  'SignUp',
  { email: email(), password: password(), name: optional(nullable(name())), invite_code: optional(nullable(text())) },
  { email: 'ana@example.org', password: 'a long password', name: 'Ana Pérez' },
)
const token = { token: text() }
const exampleToken = { token: 'q3Jx7…64 letters and digits' }
const verification = defineAction(
  'verifications',
  'Verification',
  { ...token, password: optional({ ...text(1000), description: 'That of the sign-up.', writeOnly: true }) },
  { ...exampleToken, password: 'a long password' },
)
const resend = defineAction('verifications', 'VerificationResend', token, exampleToken)

const takeSignUp = async (context: Context, call: Call): Promise<Reply> => {
  await limitAddress(context, call, 'signup')
  const asked = await signup.read(call)
  const { isWaitlisted } = await signUp(context, asked, call.now, call.request.signal)
  const id = namelessId(context, `sign-up of ${emailKey(asked.email)}`)
  const content = { type: 'signups', id, attributes: { email: asked.email }, meta: { waitlisted: isWaitlisted } }
  return { status: 202, body: renderAnswer(context.config.baseUrl, paths.signup, content) }
}

const verify = async (context: Context, call: Call): Promise<Reply> => {
  await limitAddress(context, call, 'verify')
  const { userId, trial } = await verifySignUp(context, await verification.read(call), call.now, call.request.signal)
  const person = await getPerson(context.db, userId, call.now)
  const meta = trial ? { api_key: trial.key, trial_ends_at: trial.endsAt.toISOString() } : { waitlisted: true }
  return {
    status: 200,
    headers: { 'Cache-Control': 'no-store' },
    body: renderAnswer(context.config.baseUrl, paths.verify, { type: users, ...person, meta }),
  }
}

/** A token in the query is ignored, unlike anything else there. */
const sendAgain = async (context: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams, ['token'])
  await limitAddress(context, call, 'resend')
  const { token } = await resend.read(call)
  await limitSubject(context, 'resendToken', token)
  await resendVerification(context, token, call.now)
  const id = namelessId(context, `verification of ${token}`)
  return {
    status: 202,
    body: renderAnswer(context.config.baseUrl, paths.resend, { type: 'verifications', id, attributes: {} }),
  }
}

const shared: Pick<Route, 'method' | 'tag' | 'access'> = { method: 'POST', tag: 'Sign-up', access: 'public' }

/** How somebody becomes an account: sign up, open the link of the mail, and get the key. */
export const signupRoutes: Route[] = [
  {
    ...shared,
    path: paths.signup,
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'A mail brings the link that verifies the address. The answer is the same whether or not the address has an account. While the founding pool is full, the address is kept on the waiting list. `invite_invalid` and `invite_exhausted` are codes of the 422.',
    body: signup.body,
    answers: {
      202: {
        description: 'The mail is on its way, or the address waits (`meta.waitlisted`).',
        schema: answerSchema('signups', 'SignUpAnswer', { email: Type.String() }, { waitlisted: boolean() }),
        example: renderAnswer(exampleUrl, paths.signup, {
          ...{ type: 'signups', id: example.id, attributes: { email: example.attributes.email } },
          meta: { waitlisted: false },
        }),
      },
    },
    refusals: [409, 422],
    handle: takeSignUp,
  },
  {
    ...shared,
    path: paths.verify,
    operationId: 'verifySignUp',
    summary: 'Verify an e-mail address',
    description:
      'Redeems the token of the mail once, within 24 hours (410 `token_expired` after them). The trial begins, and `meta.api_key` is shown this once. Where the founding pool is full meanwhile, the account waits for a slot: `meta.waitlisted`. The account has the password of the sign-up that the mail was sent for, and other tokens for the address end. Say the password that you signed up with: where it is not that sign-up’s, somebody else asked for this mail, the answer is a 422 and the token stays as it is. Without it the token alone decides.',
    body: verification.body,
    answers: {
      200: {
        description: 'The account.',
        schema: answerSchema(users, 'VerificationAnswer', attributes, {
          api_key: optional(Type.String()),
          trial_ends_at: optional(time()),
          waitlisted: optional(boolean()),
        }),
        example: renderAnswer(exampleUrl, paths.verify, {
          ...{ type: users, ...example },
          meta: { api_key: 'cardstock_live_…x7Qk', trial_ends_at: example.attributes.trial_ends_at },
        }),
      },
    },
    refusals: [409, 410, 422],
    handle: verify,
  },
  {
    ...shared,
    path: paths.resend,
    operationId: 'resendVerification',
    summary: 'Send the verification mail again',
    description:
      'A new token takes the place of this one, which dies at once; for 60 seconds it answers the same without a second mail. The answer is the same whether or not the account is verified. Codes of the 422: `token_unknown`, `invite_exhausted`, `invite_invalid`.',
    query: {},
    body: resend.body,
    answers: {
      202: {
        description: 'The mail is on its way, where one is needed.',
        schema: answerSchema('verifications', 'VerificationResendAnswer', {}),
        example: renderAnswer(exampleUrl, paths.resend, {
          ...{ type: 'verifications', id: example.id, attributes: {} },
        }),
      },
    },
    refusals: [409, 422],
    handle: sendAgain,
  },
]
