import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { password, text, time } from '../../jsonapi/fields.ts'
import { emailKey } from '../../lib/email.ts'
import { actionRoute, exampleToken, namelessId, tokenAttribute } from '../action.ts'
import { forgetPassword, redeemReset } from './reset.ts'
import { changePassword } from './set.ts'

const passwords = 'passwords'
const resets = 'password_resets'
const changed = {
  attributes: { changed_at: time() },
  example: { attributes: { changed_at: '2026-11-21T12:00:00.000Z' } },
}

/** Changes a known password, and resets a forgotten one. */
export const passwordRoutes: Route[] = [
  actionRoute({
    method: 'PATCH',
    path: '/v1/user/password',
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Ends every other session of the account. A wrong current password returns 422 and counts as a failed sign-in.',
    access: 'session',
    type: passwords,
    asks: {
      name: 'PasswordChange',
      attributes: { current_password: text(1000), password: password() },
      example: { current_password: 'a long password', password: 'a longer password' },
    },
    answers: { description: 'Changed.', name: 'PasswordChanged', ...changed },
    handle: async (context, call, read) => {
      const { current_password: current, password: wanted } = await read()
      const id = await changePassword(context, call, { current, wanted })
      return { id, attributes: { changed_at: call.now.toISOString() } }
    },
  }),
  actionRoute({
    path: '/v1/user/password/forgot',
    operationId: 'forgetPassword',
    ownLimit: 'forgot',
    summary: 'Request a password reset',
    description:
      'Sends an e-mail with a link if the address has an account. The response is the same either way, and for a text that is no address.',
    type: resets,
    asks: { name: 'PasswordForgotten', attributes: { email: Type.String() }, example: { email: 'ana@example.org' } },
    answers: {
      status: 202,
      description: 'The e-mail is on its way, if there is an account.',
      name: 'PasswordForgottenAnswer',
      attributes: { email: Type.String() },
      example: { attributes: { email: 'ana@example.org' } },
    },
    handle: async (context, call, read) => {
      const { email } = await read()
      await forgetPassword(context, email, call.now)
      return { id: namelessId(context, `forgotten by ${emailKey(email) ?? email}`), attributes: { email } }
    },
  }),
  actionRoute({
    path: '/v1/user/password/reset',
    operationId: 'resetPassword',
    ownLimit: 'redeem',
    summary: 'Reset your password',
    description: 'Redeems the token from the e-mail. It works once, within an hour. Ends every session of the account.',
    type: resets,
    asks: {
      name: 'PasswordReset',
      attributes: { ...tokenAttribute, password: password() },
      example: { ...exampleToken, password: 'a longer password' },
    },
    answers: { description: 'Changed.', name: 'PasswordResetAnswer', ...changed },
    handle: async (context, call, read) => {
      const { token, password } = await read()
      const id = await redeemReset(context, call, token, password)
      return { id, attributes: { changed_at: call.now.toISOString() } }
    },
  }),
]
