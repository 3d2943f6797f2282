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

/** From sign-up to account: sign up, open the link in the e-mail, get the key. */
export const signupRoutes: Route[] = [
  actionRoute({
    path: '/v1/signup',
    operationId: 'signUp',
    summary: 'Sign up',
    description:
      'Sends an e-mail with a link that verifies the address. The response is the same whether or not the address has an account. While the founding pool is full, the address goes on the waiting list. A 422 may have the code `invite_invalid` or `invite_exhausted`.',
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
      description: 'The e-mail is on its way, or the address is on the waiting list (`meta.waitlisted`).',
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
    ownLimit: 'verify',
    summary: 'Verify an e-mail address',
    description: `Redeems the token from the e-mail. It works once, within ${sayDuration(lifetimes.signUpLink.seconds)} (after that, 410 \`token_expired\`). The trial begins, and only this response shows \`meta.api_key\`. If the founding pool has filled up in the meantime, the account waits for a slot (\`meta.waitlisted\`). The account gets the password of the sign-up that sent the e-mail, and any other tokens for the address stop working. Send the password that you signed up with. If it doesn’t match, the e-mail came from someone else’s sign-up: the response is 422 and the token stays valid. Without a password, the token alone is enough.`,
    tag,
    type: 'verifications',
    asks: {
      name: 'Verification',
      attributes: {
        ...tokenAttribute,
        password: optional({ ...text(1000), description: 'The password that you signed up with.', writeOnly: true }),
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
    summary: 'Resend the verification e-mail',
    description:
      'Replaces this token with a new one at once. Repeating the request within 60 seconds gets the same response and sends no second e-mail. The response is the same whether or not the account is verified. A 422 has the code `token_unknown`, `invite_exhausted` or `invite_invalid`.',
    tag,
    query: {},
    type: 'verifications',
    asks: { name: 'VerificationResend', attributes: tokenAttribute, example: exampleToken },
    answers: {
      status: 202,
      description: 'The e-mail is on its way, if one is needed.',
      name: 'VerificationResendAnswer',
      attributes: {},
      example: { attributes: {} },
    },
    handle: async (context, call, read) => {
      // A token in the query is ignored. Anything else there is refused.
      refuseUnknown(call.url.searchParams, ['token'])
      await limitAddress(context, call, 'resend')
      const { token } = await read()
      await limitSubject(context, 'resendToken', token)
      await resendVerification(context, token, call.now)
      return { id: namelessId(context, `verification of ${token}`), attributes: {} }
    },
  }),
]
