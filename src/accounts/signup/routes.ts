import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { boolean, email, name, nullable, optional, password, text, time } from '../../jsonapi/fields.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { emailKey } from '../../lib/email.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { actionRoute, exampleToken, namelessId, tokenAttribute } from '../action.ts'
import { limitAddress, limitSubject } from '../limits.ts'
import { example, getPerson, person } from '../me/user.ts'
import { signUp } from './sign-up.ts'
import { resendVerification } from './verification.ts'
import { verifySignUp } from './verify.ts'

const tag = 'Sign-up'
const given = { email: 'ana@example.org' }

/** How somebody becomes an account: sign up, open the link of the mail, and get the key. */
export const signupRoutes: Route[] = [
  actionRoute({
    path: '/v1/signup',
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'A mail brings the link that verifies the address. The answer is the same whether or not the address has an account. While the founding pool is full, the address is kept on the waiting list. `invite_invalid` and `invite_exhausted` are codes of the 422.',
    tag,
    type: 'signups',
    asks: {
      name: 'SignUp',
      attributes: {
        email: email(),
        password: password(),
        name: optional(nullable(name())),
        invite_code: optional(nullable(text())),
      },
      example: { ...given, password: 'a long password', name: 'Ana Pérez' },
    },
    answers: {
      status: 202,
      description: 'The mail is on its way, or the address waits (`meta.waitlisted`).',
      name: 'SignUpAnswer',
      attributes: { email: Type.String() },
      meta: { waitlisted: boolean() },
      example: { attributes: given, meta: { waitlisted: false } },
    },
    handle: async (context, call, read) => {
      await limitAddress(context, call, 'signup')
      const asked = await read()
      const { isWaitlisted } = await signUp(context, asked, call.now, call.request.signal)
      const id = namelessId(context, `sign-up of ${emailKey(asked.email)}`)
      return { id, attributes: { email: asked.email }, meta: { waitlisted: isWaitlisted } }
    },
  }),
  actionRoute({
    path: '/v1/signup/verify',
    operationId: 'verifySignUp',
    summary: 'Verify an e-mail address',
    description: `Redeems the token of the mail once, within ${sayDuration(lifetimes.signUpLink.seconds)} (410 \`token_expired\` after them). The trial begins, and \`meta.api_key\` is shown this once. Where the founding pool is full meanwhile, the account waits for a slot: \`meta.waitlisted\`. The account has the password of the sign-up that the mail was sent for, and other tokens for the address end. Say the password that you signed up with: where it is not that sign-up’s, somebody else asked for this mail, the answer is a 422 and the token stays as it is. Without it the token alone decides.`,
    tag,
    type: 'verifications',
    asks: {
      name: 'Verification',
      attributes: {
        ...tokenAttribute,
        password: optional({ ...text(1000), description: 'That of the sign-up.', writeOnly: true }),
      },
      example: { ...exampleToken, password: 'a long password' },
    },
    answers: {
      description: 'The account.',
      type: person.type,
      name: 'VerificationAnswer',
      attributes: person.attributes,
      meta: {
        api_key: optional(Type.String()),
        trial_ends_at: optional(time()),
        waitlisted: optional(boolean()),
      },
      example: {
        attributes: example,
        meta: { api_key: 'cardstock_live_…x7Qk', trial_ends_at: example.trial_ends_at },
      },
    },
    refusals: [409, 410, 422],
    handle: async (context, call, read) => {
      await limitAddress(context, call, 'verify')
      const { userId: id, trial } = await verifySignUp(context, await read(), call.now, call.request.signal)
      return {
        id,
        attributes: await getPerson(context.db, id, call.now),
        meta: trial ? { api_key: trial.key, trial_ends_at: trial.endsAt.toISOString() } : { waitlisted: true },
        headers: { 'Cache-Control': 'no-store' },
      }
    },
  }),
  actionRoute({
    path: '/v1/signup/resend',
    operationId: 'resendVerification',
    summary: 'Send the verification mail again',
    description:
      'A new token takes the place of this one, which dies at once; for 60 seconds it answers the same without a second mail. The answer is the same whether or not the account is verified. Codes of the 422: `token_unknown`, `invite_exhausted`, `invite_invalid`.',
    tag,
    query: {},
    type: 'verifications',
    asks: { name: 'VerificationResend', attributes: tokenAttribute, example: exampleToken },
    answers: {
      status: 202,
      description: 'The mail is on its way, where one is needed.',
      name: 'VerificationResendAnswer',
      attributes: {},
      example: { attributes: {} },
    },
    handle: async (context, call, read) => {
      // A token in the query is ignored; anything else there is refused.
      refuseUnknown(call.url.searchParams, ['token'])
      await limitAddress(context, call, 'resend')
      const { token } = await read()
      await limitSubject(context, 'resendToken', token)
      await resendVerification(context, token, call.now)
      return { id: namelessId(context, `verification of ${token}`), attributes: {} }
    },
  }),
]
