import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { email, optional, text, time } from '../../jsonapi/fields.ts'
import { answerSchema, defineAction, exampleUrl, renderAnswer } from '../action.ts'
import { limitSubject } from '../limits.ts'
import { example } from '../me/user.ts'
import { requireRecentProof } from '../password/reauthenticate.ts'
import { confirmEmailChange, requestEmailChange } from './change.ts'
import { undoEmailChange } from './undo.ts'

const paths = { change: '/v1/user/email', confirm: '/v1/user/email/confirm', undo: '/v1/user/email/undo' }
const type = 'email_changes'

const change = defineAction(
  type,
  'EmailChange',
  { email: email(), current_password: optional(text(1000)) },
  { email: 'ana.perez@example.org', current_password: 'a long password' },
)
const token = { token: text() }
const exampleToken = { token: 'q3Jx7…64 letters and digits' }
const confirmation = defineAction(type, 'EmailConfirmation', token, exampleToken)
const undoing = defineAction(type, 'EmailUndo', token, exampleToken)

const request = async (context: Context, call: Call): Promise<Reply> => {
  const { email, current_password } = await change.read(call)
  await requireRecentProof(context, call, current_password)
  const id = call.caller.userId ?? ''
  await limitSubject(context, 'emailChange', id)
  const expiresAt = await requestEmailChange(context, call.caller, email, call.now)
  const attributes = { email, expires_at: expiresAt.toISOString() }
  return { status: 200, body: renderAnswer(context.config.baseUrl, paths.change, { type, id, attributes }) }
}

const confirm = async (context: Context, call: Call): Promise<Reply> => {
  const { token } = await confirmation.read(call)
  const { id, email } = await confirmEmailChange(context, token, call.now)
  const attributes = { email, confirmed_at: call.now.toISOString() }
  return { status: 200, body: renderAnswer(context.config.baseUrl, paths.confirm, { type, id, attributes }) }
}

const undo = async (context: Context, call: Call): Promise<Reply> => {
  const { token } = await undoing.read(call)
  const { id, email } = await undoEmailChange(context, token, call.now)
  const attributes = { email, undone_at: call.now.toISOString() }
  return { status: 200, body: renderAnswer(context.config.baseUrl, paths.undo, { type, id, attributes }) }
}

const exampleEmail = 'ana.perez@example.org'

/** How the address of an account is changed: asked for here, confirmed from the new one, undone from the old one. */
export const emailRoutes: Route[] = [
  {
    method: 'PATCH',
    path: paths.change,
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'A mail to the new address brings a link; until it is opened, the account keeps the address that it has. The session must be younger than 15 minutes, or `current_password` come along: else 403 `REAUTHENTICATION_REQUIRED`.',
    tag: 'Account',
    access: 'session',
    body: change.body,
    answers: {
      200: {
        description: 'The new address waits to be confirmed.',
        schema: answerSchema(type, 'EmailChangeAnswer', { email: Type.String(), expires_at: time() }),
        example: renderAnswer(exampleUrl, paths.change, {
          ...{ type, id: example.id },
          attributes: { email: exampleEmail, expires_at: '2026-11-22T12:00:00.000Z' },
        }),
      },
    },
    refusals: [409, 422],
    handle: request,
  },
  {
    method: 'POST',
    path: paths.confirm,
    operationId: 'confirmEmail',
    summary: 'Confirm a new e-mail address',
    description:
      'Redeems the token of the mail, once, within 24 hours. The old address gets a mail with a link that undoes it.',
    tag: 'Account',
    access: 'public',
    body: confirmation.body,
    answers: {
      200: {
        description: 'The address is the account’s.',
        schema: answerSchema(type, 'EmailConfirmed', { email: Type.String(), confirmed_at: time() }),
        example: renderAnswer(exampleUrl, paths.confirm, {
          ...{ type, id: example.id },
          attributes: { email: exampleEmail, confirmed_at: '2026-11-21T12:00:00.000Z' },
        }),
      },
    },
    refusals: [409, 422],
    handle: confirm,
  },
  {
    method: 'POST',
    path: paths.undo,
    operationId: 'undoEmailChange',
    summary: 'Undo a change of your e-mail address',
    description:
      'Redeems the token of the mail that went to the old address, once, within 72 hours of the change. The account has the old address again, and every session of it ends. A 422 too where another account has the old address by now.',
    tag: 'Account',
    access: 'public',
    body: undoing.body,
    answers: {
      200: {
        description: 'The old address is the account’s again.',
        schema: answerSchema(type, 'EmailUndone', { email: Type.String(), undone_at: time() }),
        example: renderAnswer(exampleUrl, paths.undo, {
          ...{ type, id: example.id },
          attributes: { email: example.attributes.email, undone_at: '2026-11-22T12:00:00.000Z' },
        }),
      },
    },
    refusals: [409, 422],
    handle: undo,
  },
]
