import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import { findEntry, readEntries } from '../../audit/read.ts'
import { writeAudit } from '../../audit/write.ts'
import type { Context } from '../../context.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { jsonApi } from '../../jsonapi/negotiate.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import {
  collection,
  creation,
  exampleDocument,
  listParameters,
  listShape,
  path,
  readParameters,
  readShape,
  renderEntry,
  single,
  type,
  writable,
} from './document.ts'
import { readRange } from './range.ts'

const list = async ({ db, config }: Context, { url, now }: Call): Promise<Reply> => {
  const { page, perPage, fields, filters } = readQuery(url.searchParams, listShape)
  const filter = {
    ...readRange(filters.start_date?.value, filters.end_date?.value, now),
    eventType: filters.event_type?.value,
    auditableType: filters.auditable_type?.value,
    auditableId: filters.auditable_id?.value,
  }
  const { entries, total } = await readEntries(db, filter, { limit: perPage, offset: (page - 1) * perPage })
  const meta = pageMeta(page, perPage, entries.length, total)
  const address = `${config.baseUrl}${path}`
  const data = entries.map((entry) => renderEntry(config.baseUrl, entry, fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const retrieve = async ({ db, config }: Context, { url, params }: Call): Promise<Reply> => {
  const { fields } = readQuery(url.searchParams, readShape)
  const { id = '' } = params
  const entry = /^[1-9]\d{0,17}$/.test(id) ? await findEntry(db, id) : undefined
  if (!entry) throw notFound()
  const data = renderEntry(config.baseUrl, entry, fields.get(type))
  return { status: 200, body: document(`${data.links.self}${url.search}`, { data }) }
}

const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, readShape)
  const { attributes } = readDocument(await call.body(), {
    ...{ type, attributes: writable, relationships: {}, readOnly: [] },
  })
  const entry = {
    eventType: String(attributes.event_type),
    auditableType: textOf(attributes.auditable_type),
    auditableId: textOf(attributes.auditable_id),
    data: attributes.data as object | null | undefined,
  }
  const { agent, now } = actOf(call)
  const by = { agent: attributes.agent_id === undefined ? agent : textOf(attributes.agent_id), now }
  const [id = ''] = await db.transaction((tx) => writeAudit(tx, by, entry))
  const written = await findEntry(db, id)
  if (!written) throw notFound()
  const data = renderEntry(config.baseUrl, written, fields.get(type))
  return { status: 201, headers: { Location: data.links.self }, body: document(data.links.self, { data }) }
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

/** What was done by whom. Entries are only added: nobody changes or removes one. */
export const auditRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listAuditLogs',
    summary: 'List what was done',
    description: 'The newest first; of the last 30 days, unless asked otherwise. Both bounds are included.',
    query: listParameters,
    answers: { 200: { description: 'The entries.', schema: collection } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'createAuditLog',
    summary: 'Add an entry',
    description: 'For what is done outside of the service. It cannot be changed or removed.',
    query: readParameters,
    body: {
      schema: creation,
      mediaTypes: [jsonApi],
      example: {
        data: {
          type,
          attributes: {
            ...{ event_type: 'checklist.reviewed', auditable_type: 'set' },
            ...{ auditable_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', data: { against: 'the printed checklist' } },
          },
        },
      },
    },
    answers: { 201: { description: 'The entry.', schema: single, example: exampleDocument } },
    refusals: [400, 409, 422],
    handle: create,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getAuditLog',
    summary: 'Look at an entry',
    query: readParameters,
    params: { id: { schema: Type.Integer({ minimum: 1 }), description: 'The id of the entry.', example: 4711 } },
    answers: { 200: { description: 'The entry.', schema: single, example: exampleDocument } },
    refusals: [400],
    handle: retrieve,
  },
]
