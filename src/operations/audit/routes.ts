import { Type } from '@sinclair/typebox'
import { actOf } from '../../access/caller.ts'
import { type AuditLog, findEntry, readEntries } from '../../audit/read.ts'
import { writeAudit } from '../../audit/write.ts'
import type { Context } from '../../context.ts'
import { pageNameParameter, pageParameters } from '../../http/parameters.ts'
import { plainType, showNew, showOne, showPage, spanOf } from '../../http/plain-type.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { readDocument } from '../../jsonapi/document.ts'
import { type Fault, notFound } from '../../jsonapi/errors.ts'
import { name, nullable, optional, time, uuid } from '../../jsonapi/fields.ts'
import { type QueryShape, readQuery } from '../../jsonapi/query.ts'
import { pageNumbers } from '../../jsonapi/schema.ts'
import { sayNumber, sizes } from '../../limits.ts'
import { filterParameters, filters, readFilter } from './filter.ts'
import { type Names, readNames } from './names.ts'

const path = '/internal/audit-logs'

const data = () => Type.Record(Type.String(), Type.Unknown(), { description: 'Details: any object.' })

/** A page holds up to 500 entries, so each has an end (decisions.md §22). */
const tooMuchData = ({ data }: Record<string, unknown>): Fault[] =>
  Buffer.byteLength(JSON.stringify(data ?? null)) > sizes.auditData.most
    ? [
        {
          pointer: '/data/attributes/data',
          detail: `Must have at most ${sayNumber(sizes.auditData.most)} bytes as JSON.`,
        },
      ]
    : []

/** What a posted entry may contain. */
const writable = {
  event_type: name(),
  auditable_type: optional(nullable(name())),
  auditable_id: optional(nullable(uuid())),
  agent_id: optional(nullable({ ...name(), description: 'Who did it. Defaults to the caller.' })),
  data: optional(nullable(data())),
}

const shape = plainType({
  type: 'audit_logs',
  name: 'AuditLog',
  attributes: {
    event_type: Type.String({ description: 'What happened, such as `set.published`.' }),
    auditable_type: nullable(Type.String({ description: 'The type of record, such as `set`.' })),
    auditable_id: nullable(uuid()),
    agent_id: nullable(
      Type.String({ description: 'Who did it: `user:{id}`, `client:{id}`, `command-line` or `service`.' }),
    ),
    data: nullable(data()),
    created_at: time(),
  },
  fields: ['event_type', 'created_at'],
  id: Type.String({ pattern: '^[0-9]+$', description: 'An integer.' }),
  more: {
    meta: Type.Object({
      agent_name: nullable(Type.String({ description: 'The agent’s current name. Null if it has none.' })),
      record_name: nullable(
        Type.String({ description: 'The record’s current name (for a todo, its set’s). Null if it has none.' }),
      ),
    }),
  },
  meta: Type.Object(pageNumbers(500), { $id: 'AuditLogPageMeta' }),
})

const render = (baseUrl: string, entry: AuditLog, names: Names, fields?: Set<string>) => ({
  ...shape.render(`${baseUrl}${path}/${entry.id}`, entry.id, entry, fields),
  meta: names,
})

const listShape: QueryShape = {
  ...shape.query,
  paginated: true,
  pageSize: { usual: 50, most: 500 },
  oldPageNames: ['pageName'],
  filters,
}

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const filter = readFilter(query, call.now)
  const { entries, total } = await readEntries(db, filter, spanOf(query))
  const namesOf = await readNames(db, entries)
  const data = entries.map((entry) => render(config.baseUrl, entry, namesOf(entry), query.fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const { id = '' } = call.params
  const entry = /^[1-9]\d{0,17}$/.test(id) ? await findEntry(db, id) : undefined
  if (!entry) throw notFound()
  const namesOf = await readNames(db, [entry])
  return showOne(render(config.baseUrl, entry, namesOf(entry), fields), call)
}

const create = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const { attributes } = readDocument(await call.body(), {
    type: shape.type,
    attributes: writable,
    relationships: {},
    readOnly: [],
    together: tooMuchData,
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
  const namesOf = await readNames(db, [written])
  return showNew(render(config.baseUrl, written, namesOf(written), fields))
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

const exampleEntry = {
  id: '4711',
  event_type: 'set.published',
  auditable_type: 'set',
  auditable_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  agent_id: 'user:0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f',
  data: { name: '1986-87 Fleer Basketball' },
  created_at: '2026-11-21T12:00:00.000Z',
}
const exampleNames = { agent_name: 'Ann', record_name: '1986-87 Fleer Basketball' }
const example = render('https://cards.example.org', exampleEntry, exampleNames)
const one = shape.one('The entry.', example)

/** The audit log for operators. Entries are only added, never changed or removed. */
export const auditRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listAuditLogs',
    summary: 'List the audit log',
    description: 'Newest first. Defaults to the last 30 days. Both bounds are inclusive.',
    query: { ...filterParameters, ...pageParameters('entries', 500, 50), ...pageNameParameter, ...shape.parameters },
    answers: { 200: { description: 'The entries.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'POST',
    path,
    operationId: 'createAuditLog',
    summary: 'Add an entry',
    description:
      'For actions taken outside the service. An entry can’t be changed or removed. Its `data` has up to 65,536 bytes as JSON.',
    query: shape.parameters,
    body: {
      schema: shape.written('AuditLogCreation', writable),
      example: {
        data: {
          type: shape.type,
          attributes: {
            event_type: 'checklist.reviewed',
            auditable_type: 'set',
            auditable_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
            data: { against: 'the printed checklist' },
          },
        },
      },
    },
    answers: { 201: one },
    refusals: [400, 409, 422],
    handle: create,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getAuditLog',
    summary: 'Get an entry',
    description: 'Entries are never changed or removed.',
    query: shape.parameters,
    params: { id: { schema: Type.Integer({ minimum: 1 }), description: 'The id of the entry.', example: 4711 } },
    answers: { 200: one },
    refusals: [400],
    handle: retrieve,
  },
]
