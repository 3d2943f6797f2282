import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { smallBody } from '../../http/body.ts'
import { pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { plainType, showNew, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { email, integer, line, name, nullable, oneOf, optional, time } from '../../jsonapi/fields.ts'
import { plainDocument, plainResource } from '../../jsonapi/plain-schema.ts'
import { readQuery, refuseUnknown } from '../../jsonapi/query.ts'
import { document } from '../../jsonapi/serialize.ts'
import { exampleId, exampleUrl } from '../action.ts'
import {
  countInvites,
  createInvite,
  endInvite,
  getInvite,
  type Invite,
  type InviteTerms,
  readInvites,
} from './invite.ts'

const path = '/internal/invites'

/** What an operator may set on a new invite. */
const writable = {
  label: optional(nullable(line())),
  email: optional(nullable({ ...email(), description: 'Only for this address.' })),
  max_uses: optional(integer(1, 2 ** 31 - 1)),
  expires_at: optional(nullable({ ...time(), description: 'Null means never; defaults to 14 days.' })),
  code: optional(nullable({ ...name(), description: 'Your own code instead of a random one.' })),
}

const attributes = {
  label: nullable(Type.String()),
  email: nullable(Type.String()),
  max_uses: integer(1),
  claims: Type.Integer({ minimum: 0, description: 'How many verified sign-ups used it.' }),
  holds: Type.Integer({ minimum: 0, description: 'How many unverified sign-ups hold a use.' }),
  status: oneOf(['usable', 'exhausted', 'expired', 'revoked']),
  expires_at: nullable(time()),
  revoked_at: nullable(time()),
  created_at: time(),
  updated_at: time(),
}
const shape = plainType({ type: 'invites', name: 'Invite', attributes, fields: ['label', 'claims'] })

const render = (baseUrl: string, invite: Invite, now: Date, fields?: Set<string>) =>
  shape.render(`${baseUrl}${path}/${invite.id}`, invite.id, { ...invite, status: statusOf(invite, now) }, fields)

const statusOf = ({ revoked_at, expires_at, claims, holds, max_uses }: Invite, now: Date) => {
  if (revoked_at) return 'revoked'
  if (expires_at && Date.parse(expires_at) <= now.getTime()) return 'expired'
  return claims + holds >= max_uses ? 'exhausted' : 'usable'
}

/** A new invite shows its code, only this once. */
const withCode = <T extends { attributes: object }>(invite: T, code: string) => ({
  ...invite,
  attributes: { ...invite.attributes, code },
})

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, { ...shape.query, paginated: true })
  const invites = await readInvites(db, { now: call.now, ...spanOf(query) })
  const data = invites.map((invite) => render(config.baseUrl, invite, call.now, query.fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total: await countInvites(db) }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  return showOne(render(config.baseUrl, await getInvite(db, pathId(call), call.now), call.now, fields), call)
}

const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  const { code, ...invite } = await createInvite(db, readTerms(await call.body()), actOf(call))
  const reply = showNew(withCode(render(config.baseUrl, invite, call.now), code))
  return { ...reply, headers: { ...reply.headers, 'Cache-Control': 'no-store' } }
}

/** An empty body or an empty object asks for an invite with the default terms (interface.md, Internal endpoints). */
const readTerms = (body: Uint8Array): InviteTerms => {
  if (/^\s*(\{\s*\}\s*)?$/.test(new TextDecoder().decode(body.subarray(0, 100)))) return {}
  const asked = { type: shape.type, attributes: writable, relationships: {}, readOnly: shape.names }
  const { label, email, max_uses: maxUses, expires_at: expiresAt, code } = readDocument(body, asked).attributes
  return {
    label: textOf(label),
    email: textOf(email),
    code: textOf(code),
    ...(typeof maxUses === 'number' ? { maxUses } : {}),
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt === null ? null : new Date(String(expiresAt)) }),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

const revoke = async ({ db }: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  const id = pathId(call)
  if (!(await endInvite(db, id, actOf(call)))) await getInvite(db, id, call.now)
  return { status: 204 }
}

const made = '2026-11-21T12:00:00.000Z'
const example = render(
  exampleUrl,
  {
    id: exampleId,
    label: 'Card show in May',
    email: null,
    max_uses: 25,
    claims: 3,
    holds: 1,
    expires_at: '2026-12-05T12:00:00.000Z',
    revoked_at: null,
    created_at: made,
    updated_at: made,
  },
  new Date(made),
)
const issued = plainResource(shape.type, { ...attributes, code: Type.String({ description: 'Shown only here.' }) })

/** Invites for operators: create them, see how they were used, revoke them. */
export const managedInviteRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listInvites',
    summary: 'List invites',
    description: 'Newest first, without their codes.',
    query: { ...shape.parameters, ...pageParameters('invites') },
    answers: { 200: { description: 'The invites.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'createInvite',
    summary: 'Create an invite',
    description:
      'Without a body, or with an empty object, the invite allows one sign-up by anyone within 14 days. Only this response shows the code. The service keeps a hash of it.',
    body: {
      schema: Type.Object(
        {
          data: Type.Optional(
            Type.Object({ type: Type.Literal(shape.type), attributes: Type.Optional(Type.Object(writable)) }),
          ),
        },
        { $id: 'InviteCreation' },
      ),
      required: false,
      maxBytes: smallBody,
      example: { data: { type: shape.type, attributes: { label: 'Card show in May', max_uses: 25 } } },
    },
    answers: {
      201: {
        description: 'The invite and its code.',
        schema: plainDocument(issued, { $id: 'IssuedInviteDocument' }),
        example: document(example.links.self, { data: withCode(example, 'f7KqX2vB9mLt') }),
      },
    },
    refusals: [409, 422],
    handle: create,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getInvite',
    summary: 'Get an invite',
    description:
      'How often it may be used and was used. The code itself is shown only once, when the invite is created.',
    query: shape.parameters,
    answers: { 200: shape.one('The invite.', example) },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...forOperators,
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'revokeInvite',
    summary: 'Revoke an invite',
    description: 'Accounts that signed up with it stay. Succeeds even if it was already revoked.',
    answers: { 204: { description: 'Revoked.' } },
    handle: revoke,
  },
]
