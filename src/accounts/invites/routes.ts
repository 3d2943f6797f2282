import { Type } from '@sinclair/typebox'
import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { badRequest, validationFailed } from '../../jsonapi/errors.ts'
import { fieldFaults } from '../../jsonapi/field-faults.ts'
import { boolean, text } from '../../jsonapi/fields.ts'
import { isObject, readJson } from '../../jsonapi/json.ts'
import { limitAddress } from '../limits.ts'
import { checkInvite } from './uses.ts'

const codeSchema = Type.Object({ code: text() }, { $id: 'InviteCode' })

/** Checks whether a code could be used for a sign-up, without using it. */
const validate = async (context: Context, call: Call): Promise<Reply> => {
  await limitAddress(context, call, 'invite')
  const { code, source } = readCode(await call.body())
  const { isPinned } = await checkInvite(context.db, code, call.now, { source })
  return { status: 200, body: { valid: true, email_pinned: isPinned } }
}

/** The code in a flat body, or in a document of type `invites` from clients that send only those. */
const readCode = (bytes: Uint8Array): { code: string; source: { pointer: string } } => {
  const body = readJson(bytes, 100)
  if (!isObject(body)) throw badRequest('The body must be an object.')
  if ('data' in body) {
    const { attributes } = readDocument(bytes, documentShape)
    return { code: String(attributes.code), source: { pointer: '/data/attributes/code' } }
  }
  const source = { pointer: '/code' }
  const faults = 'code' in body ? fieldFaults(codeSchema.properties.code, body.code) : ['Is required.']
  if (faults.length > 0) throw validationFailed(faults.map((detail) => ({ ...source, detail })))
  return { code: String(body.code), source }
}

const documentShape = {
  type: 'invites',
  ignoresId: true,
  attributes: codeSchema.properties,
  relationships: {},
  readOnly: [],
}

/** What invited people can ask before they sign up. */
export const inviteRoutes: Route[] = [
  {
    method: 'POST',
    path: '/v1/invites/validate',
    operationId: 'validateInvite',
    summary: 'Check an invite',
    description:
      'Doesn’t use up the invite. `email_pinned` means that it works for one address only. A 422 has the code `invite_invalid` (unknown, revoked or expired) or `invite_exhausted`.',
    tag: 'Sign-up',
    access: 'public',
    flat: true,
    body: { schema: codeSchema, maxBytes: () => 4096, example: { code: 'f7Kq…' } },
    answers: {
      200: {
        description: 'The invite is valid.',
        schema: Type.Object({ valid: Type.Literal(true), email_pinned: boolean() }, { $id: 'InviteValidity' }),
        example: { valid: true, email_pinned: false },
      },
    },
    refusals: [409, 422],
    handle: validate,
  },
]
