import { actOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { smallBody } from '../../http/body.ts'
import { pageParameters } from '../../http/parameters.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { readQuery, refuseUnknown } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import { type InviteTerms, readInvites } from './invite.ts'
import { countInvites, createInvite, endInvite, getInvite } from './managed.ts'
import {
  collection,
  creation,
  example,
  issuedExample,
  issuedSingle,
  names,
  path,
  readParameters,
  readShape,
  renderInvite,
  single,
  type,
  writable,
} from './managed-document.ts'

const list = async ({ db, config }: Context, { url, now }: Call): Promise<Reply> => {
  const { page, perPage, fields } = readQuery(url.searchParams, { ...readShape, paginated: true })
  const invites = await readInvites(db, { now, limit: perPage, offset: (page - 1) * perPage })
  const meta = pageMeta(page, perPage, invites.length, await countInvites(db))
  const address = `${config.baseUrl}${path}`
  const data = invites.map((invite) => renderInvite(config.baseUrl, invite, now, fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, readShape)
  const invite = await getInvite(db, pathId(call), call.now)
  const data = renderInvite(config.baseUrl, invite, call.now, fields.get(type))
  return { status: 200, body: document(`${data.links.self}${call.url.search}`, { data }) }
}

const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  refuseUnknown(call.url.searchParams)
  const { code, ...invite } = await createInvite(db, readTerms(await call.body()), actOf(call))
  const data = renderInvite(config.baseUrl, invite, call.now, undefined, code)
  const headers = { Location: data.links.self, 'Cache-Control': 'no-store' }
  return { status: 201, headers, body: document(data.links.self, { data }) }
}

/** An empty body, or an empty object, asks for an invite on the usual terms (interface.md, Internal endpoints). */
const readTerms = (body: Uint8Array): InviteTerms => {
  if (/^\s*(\{\s*\}\s*)?$/.test(new TextDecoder().decode(body.subarray(0, 100)))) return {}
  const shape = { type, attributes: writable, relationships: {}, readOnly: names }
  const { label, email, max_uses: maxUses, expires_at: expiresAt, code } = readDocument(body, shape).attributes
  return {
    ...{ label: textOf(label), email: textOf(email), code: textOf(code) },
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

/** Invites for operators: make them, see how they were used, end them. */
export const managedInviteRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listInvites',
    summary: 'List invites',
    description: 'The newest first, without their codes.',
    query: {
      ...readParameters,
      ...pageParameters('invites'),
    },
    answers: { 200: { description: 'The invites.', schema: collection } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'createInvite',
    summary: 'Make an invite',
    description:
      'Without a body, or with an empty object, it is for one sign-up by anybody within 14 days. The code is shown this once: a hash of it is kept.',
    body: {
      schema: creation,
      mediaTypes: [jsonApi],
      required: false,
      maxBytes: smallBody,
      example: { data: { type, attributes: { label: 'Card show in May', max_uses: 25 } } },
    },
    answers: { 201: { description: 'The invite and its code.', schema: issuedSingle, example: issuedExample } },
    refusals: [409, 422],
    handle: create,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getInvite',
    summary: 'Look at an invite',
    query: readParameters,
    answers: { 200: { description: 'The invite.', schema: single, example } },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...forOperators,
    method: 'DELETE',
    path: `${path}/:id`,
    operationId: 'revokeInvite',
    summary: 'End an invite',
    description: 'Who signed up with it stays. Done where it has ended, too.',
    answers: { 204: { description: 'It has ended.' } },
    handle: revoke,
  },
]
