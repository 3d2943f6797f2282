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

/** Changes an account's address: requested here, confirmed from the new address, undone from the old one. */
export const emailRoutes: Route[] = [
  actionRoute({
    method: 'PATCH',
    path: '/v1/user/email',
    operationId: 'changeEmail',
    summary: 'Change your e-mail address',
    description:
      'Sends an e-mail with a link to the new address. Until you open it, the account keeps its old address. If the session is 15 minutes old or older, send `current_password`, or the response is 403 `REAUTHENTICATION_REQUIRED`.',
    access: 'session',
    type,
    asks: {
      name: 'EmailChange',
      attributes: { email: email(), current_password: optional(text(1000)) },
      example: { email: exampleEmail, current_password: 'a long password' },
    },
    answers: {
      description: 'The new address is waiting to be confirmed.',
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
    ownLimit: 'redeem',
    summary: 'Confirm a new e-mail address',
    description: `Redeems the token from the e-mail. It works once, within ${sayDuration(lifetimes.emailLink.seconds)}. The old address gets an e-mail with a link that undoes the change.`,
    type,
    asks: { name: 'EmailConfirmation', attributes: tokenAttribute, example: exampleToken },
    answers: {
      description: 'The account has its new address.',
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
    ownLimit: 'redeem',
    summary: 'Undo a change of your e-mail address',
    description:
      'Redeems the token from the e-mail to the old address. It works once, within 72 hours of the change. The account gets its old address back, and all its sessions end. Returns 422 as well if another account has taken the old address.',
    type,
    asks: { name: 'EmailUndo', attributes: tokenAttribute, example: exampleToken },
    answers: {
      description: 'The account has its old address back.',
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
