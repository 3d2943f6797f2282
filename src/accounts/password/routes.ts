import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { email, password, text, time } from '../../jsonapi/fields.ts'
import { emailKey } from '../../lib/email.ts'
import { answerSchema, defineAction, exampleUrl, namelessId, renderAnswer } from '../action.ts'
import { limitAddress } from '../limits.ts'
import { example } from '../me/user.ts'
import { changePassword } from './change.ts'
import { forgetPassword, redeemReset } from './reset.ts'

const paths = {
  change: '/v1/user/password',
  forgot: '/v1/user/password/forgot',
  reset: '/v1/user/password/reset',
}
const [passwords, resets] = ['passwords', 'password_resets']

const change = defineAction(
  passwords,
  'PasswordChange',
  { current_password: text(1000), password: password() },
  { current_password: 'a long password', password: 'a longer password' },
)
const forgotten = defineAction(resets, 'PasswordForgotten', { email: email() }, { email: 'ana@example.org' })
const reset = defineAction(
  resets,
  'PasswordReset',
  { token: text(), password: password() },
  { token: 'q3Jx7…64 letters and digits', password: 'a longer password' },
)

const changed = (baseUrl: string, path: string, type: string, id: string, now: Date) =>
  renderAnswer(baseUrl, path, { type, id, attributes: { changed_at: now.toISOString() } })

const takeChange = async (context: Context, call: Call): Promise<Reply> => {
  const { current_password: current, password: wanted } = await change.read(call)
  const userId = await changePassword(context, call, { current, wanted })
  return { status: 200, body: changed(context.config.baseUrl, paths.change, passwords, userId, call.now) }
}

const takeForgotten = async (context: Context, call: Call): Promise<Reply> => {
  await limitAddress(context, call, 'forgot')
  const { email } = await forgotten.read(call)
  await forgetPassword(context, email, call.now)
  const id = namelessId(context, `forgotten by ${emailKey(email)}`)
  return {
    status: 202,
    body: renderAnswer(context.config.baseUrl, paths.forgot, { type: resets, id, attributes: { email } }),
  }
}

const takeReset = async (context: Context, call: Call): Promise<Reply> => {
  const { token, password } = await reset.read(call)
  const userId = await redeemReset(context, call, token, password)
  return { status: 200, body: changed(context.config.baseUrl, paths.reset, resets, userId, call.now) }
}

const exampleNow = new Date('2026-11-21T12:00:00Z')

/** How a password is changed by who knows it, and by who does not. */
export const passwordRoutes: Route[] = [
  {
    method: 'PATCH',
    path: paths.change,
    operationId: 'changePassword',
    summary: 'Change your password',
    description:
      'Every session of the account ends but the one that asks. A wrong current password is a 422, and counts as a failed sign-in.',
    tag: 'Account',
    access: 'session',
    body: change.body,
    answers: {
      200: {
        description: 'The password is changed.',
        schema: answerSchema(passwords, 'PasswordChanged', { changed_at: time() }),
        example: changed(exampleUrl, paths.change, passwords, example.id, exampleNow),
      },
    },
    refusals: [409, 422],
    handle: takeChange,
  },
  {
    method: 'POST',
    path: paths.forgot,
    operationId: 'forgetPassword',
    summary: 'Say that you forgot your password',
    description: 'A mail brings a link, where the address has an account. The answer is always the same.',
    tag: 'Account',
    access: 'public',
    body: forgotten.body,
    answers: {
      202: {
        description: 'The mail is on its way, where there is an account.',
        schema: answerSchema(resets, 'PasswordForgottenAnswer', { email: Type.String() }),
        example: renderAnswer(exampleUrl, paths.forgot, {
          ...{ type: resets, id: example.id, attributes: { email: example.attributes.email } },
        }),
      },
    },
    refusals: [409, 422],
    handle: takeForgotten,
  },
  {
    method: 'POST',
    path: paths.reset,
    operationId: 'resetPassword',
    summary: 'Choose a new password',
    description: 'Redeems the token of the mail, once, within an hour. Every session of the account ends.',
    tag: 'Account',
    access: 'public',
    body: reset.body,
    answers: {
      200: {
        description: 'The password is changed.',
        schema: answerSchema(resets, 'PasswordResetAnswer', { changed_at: time() }),
        example: changed(exampleUrl, paths.reset, resets, example.id, exampleNow),
      },
    },
    refusals: [409, 422],
    handle: takeReset,
  },
]
