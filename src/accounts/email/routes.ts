import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { email, text, time } from '../../jsonapi/fields.ts'
import { answerSchema, defineAction, exampleUrl, renderAnswer } from '../action.ts'
import { limitSubject } from '../limits.ts'
import { example } from '../me/user.ts'
import { confirmEmailChange, requestEmailChange } from './change.ts'

const paths = { change: '/v1/user/email', confirm: '/v1/user/email/confirm' }
const type = 'email_changes'

const change = defineAction(type, 'EmailChange', { email: email() }, { email: 'ana.perez@example.org' })
const confirmation = defineAction(
  type,
  'EmailConfirmation',
  { token: text() },
  { token: 'q3Jx7…64 letters and digits' },
)

const request = async (context: Context, call: Call): Promise<Reply> => {
  const { email } = await change.read(call)
  const id = call.caller.userId ?? ''
  await limitSubject(context, 'emailChange', id)
  const expiresAt = await requestEmailChange(context, id, email, call.now)
  const attributes = { email, expires_at: expiresAt.toISOString() }
  return { status: 200, body: renderAnswer(context.config.baseUrl, paths.change, { type, id, attributes }) }
}

const confirm = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { token } = await confirmation.read(call)
  const { id, email } = await confirmEmailChange(db, token, call.now)
  const attributes = { email, confirmed_at: call.now.toISOString() }
  return { status: 200, body: renderAnswer(config.baseUrl, paths.confirm, { type, id, attributes }) }
}

const exampleEmail = 'ana.perez@example.org'

/** How the address of an account is changed: asked for here, confirmed from the new one. */
export const emailRoutes: Route[] = [
  {
    method: 'PATCH',
    path: paths.change,
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'A mail to the new address brings a link; until it is opened, the account keeps the address that it has.',
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
    description: 'Redeems the token of the mail, once, within 24 hours.',
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
]
