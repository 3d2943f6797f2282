import { Type } from '@sinclair/typebox'
import type { Route } from '../../http/route.ts'
import { email, optional, text, time } from '../../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { actionRoute, exampleToken, tokenAttribute } from '../action.ts'
import { limitSubject } from '../limits.ts'
import { requireRecentProof } from '../password/prove.ts'
import { confirmEmailChange, requestEmailChange, undoEmailChange } from './change.ts'

const type = 'email_changes'
const exampleEmail = 'ana.perez@example.org'

/** How the address of an account is changed: asked for here, confirmed from the new one, undone from the old one. */
export const emailRoutes: Route[] = [
  actionRoute({
    method: 'PATCH',
    path: '/v1/user/email',
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'A mail to the new address brings a link; until it is opened, the account keeps the address that it has. The session must be younger than 15 minutes, or `current_password` come along: else 403 `REAUTHENTICATION_REQUIRED`.',
    access: 'session',
    type,
    asks: {
      name: 'EmailChange',
      attributes: { email: email(), current_password: optional(text(1000)) },
      example: { email: exampleEmail, current_password: 'a long password' },
    },
    answers: {
      description: 'The new address waits to be confirmed.',
      name: 'EmailChangeAnswer',
      attributes: { email: Type.String(), expires_at: time() },
      example: { attributes: { email: exampleEmail, expires_at: '2026-11-22T12:00:00.000Z' } },
    },
    handle: async (context, call, read) => {
      const { email, current_password } = await read()
      await requireRecentProof(context, call, current_password)
      const id = call.caller.userId ?? ''
      await limitSubject(context, 'emailChange', id)
      const expiresAt = await requestEmailChange(context, call.caller, email, call.now)
      return { id, attributes: { email, expires_at: expiresAt.toISOString() } }
    },
  }),
  actionRoute({
    path: '/v1/user/email/confirm',
    operationId: 'confirmEmail',
    summary: 'Confirm a new e-mail address',
    description: `Redeems the token of the mail, once, within ${sayDuration(lifetimes.emailLink.seconds)}. The old address gets a mail with a link that undoes it.`,
    type,
    asks: { name: 'EmailConfirmation', attributes: tokenAttribute, example: exampleToken },
    answers: {
      description: 'The address is the account’s.',
      name: 'EmailConfirmed',
      attributes: { email: Type.String(), confirmed_at: time() },
      example: { attributes: { email: exampleEmail, confirmed_at: '2026-11-21T12:00:00.000Z' } },
    },
    handle: async (context, { now }, read) => {
      const { id, email } = await confirmEmailChange(context, (await read()).token, now)
      return { id, attributes: { email, confirmed_at: now.toISOString() } }
    },
  }),
  actionRoute({
    path: '/v1/user/email/undo',
    operationId: 'undoEmailChange',
    summary: 'Undo a change of your e-mail address',
    description:
      'Redeems the token of the mail that went to the old address, once, within 72 hours of the change. The account has the old address again, and every session of it ends. A 422 too where another account has the old address by now.',
    type,
    asks: { name: 'EmailUndo', attributes: tokenAttribute, example: exampleToken },
    answers: {
      description: 'The old address is the account’s again.',
      name: 'EmailUndone',
      attributes: { email: Type.String(), undone_at: time() },
      example: { attributes: { email: 'ana@example.org', undone_at: '2026-11-22T12:00:00.000Z' } },
    },
    handle: async (context, { now }, read) => {
      const { id, email } = await undoEmailChange(context, (await read()).token, now)
      return { id, attributes: { email, undone_at: now.toISOString() } }
    },
  }),
]
