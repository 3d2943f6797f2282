import { type Static, Type } from '@sinclair/typebox'
import type { AuditLog } from '../../audit/read.ts'
import { fieldsParameter, pageParameters } from '../../http/parameters.ts'
import type { Parameter } from '../../http/route.ts'
import { integer, name, nullable, optional, text, time, uuid } from '../../jsonapi/fields.ts'
import { plainDocument, plainPage, plainResource } from '../../jsonapi/plain-schema.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'

export const type = 'audit_logs'
/** Where operators read what was done. */
export const path = '/internal/audit-logs'

const data = () => Type.Record(Type.String(), Type.Unknown(), { description: 'What about it; any object.' })

/** What an entry that is posted may say. */
export const writable = {
  event_type: name(),
  auditable_type: optional(nullable(name())),
  auditable_id: optional(nullable(uuid())),
  agent_id: optional(
    nullable({ ...name(), description: 'Who did it; whoever posts the entry, where it is left out.' }),
  ),
  data: optional(nullable(data())),
}

const shown = {
  event_type: Type.String({ description: 'What was done to what: `set.published`.' }),
  auditable_type: nullable(Type.String({ description: 'What kind of record it was done to: `set`.' })),
  auditable_id: nullable(uuid()),
  agent_id: nullable(
    Type.String({ description: 'Who did it: `user:{id}`, `client:{id}`, `command-line` or `service`.' }),
  ),
  data: nullable(data()),
  created_at: time(),
}
const names = Object.keys(shown)

const entryId = Type.String({ pattern: '^[0-9]+$', description: 'An integer.' })
const resource = plainResource(type, shown, { $id: 'AuditLog' }, entryId)

/** The document of one entry. */
export const single = plainDocument(resource, { $id: 'AuditLogDocument' })

const pageMeta = Type.Object(
  {
    ...{ current_page: integer(1), from: nullable(integer(1)), to: nullable(integer(1)) },
    ...{ per_page: integer(1, 500), total: integer(0), last_page: integer(1) },
  },
  { $id: 'AuditLogPageMeta' },
)

/** The document of a page of them. */
export const collection = plainPage(resource, { $id: 'AuditLogCollection' }, pageMeta)

/** The body of a POST. */
export const creation = Type.Object(
  { data: Type.Object({ type: Type.Literal(type), attributes: Type.Object(writable) }) },
  { $id: 'AuditLogCreation' },
)

/** What reading one entry takes of the query. */
export const readShape: QueryShape = { include: [], fields: { [type]: names }, filters: {} }

/** What a list takes of it. */
export const listShape: QueryShape = {
  ...readShape,
  paginated: true,
  pageSize: { usual: 50, most: 500 },
  filters: {
    event_type: { kind: 'text' },
    auditable_type: { kind: 'text' },
    auditable_id: { kind: 'uuid' },
    start_date: { kind: 'text' },
    end_date: { kind: 'text' },
  },
}

/** The parameters of `readShape`. */
export const readParameters = fieldsParameter(type, names, ['event_type', 'created_at'])

const bound = (description: string, example: string) => ({ schema: Type.String(), description, example })

/** The parameters of `listShape`. */
export const listParameters: Record<string, Parameter> = {
  'filter[event_type]': { schema: text(), description: 'Only this event.', example: 'set.published' },
  'filter[auditable_type]': { schema: text(), description: 'Only what was done to such records.', example: 'set' },
  'filter[auditable_id]': {
    schema: uuid(),
    description: 'Only what was done to this record.',
    example: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  },
  'filter[start_date]': bound(
    'From when on, in ISO 8601: a day (UTC) or a time. 30 days ago where it is left out.',
    '2026-11-01',
  ),
  'filter[end_date]': bound(
    'Until when, in ISO 8601: a day to its end (UTC), or a time. Now where it is left out.',
    '2026-11-21T12:00:00Z',
  ),
  ...pageParameters('entries', 500, 50),
  ...readParameters,
}

/** An entry as a resource object. */
export const renderEntry = (baseUrl: string, { id, ...attributes }: AuditLog, fields?: Set<string>) => ({
  type,
  id,
  attributes: sparse<unknown>(
    attributes satisfies Record<keyof Static<typeof resource>['attributes'], unknown>,
    fields,
  ),
  links: { self: `${baseUrl}${path}/${id}` },
})

/** An entry as the OpenAPI document shows it. */
export const example = renderEntry('https://cards.example.org', {
  ...{ id: '4711', event_type: 'set.published', auditable_type: 'set' },
  ...{ auditable_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', agent_id: 'user:0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2f' },
  ...{ data: { name: '1986-87 Fleer Basketball' }, created_at: '2026-11-21T12:00:00.000Z' },
})

export const exampleDocument = document(example.links.self, { data: example })
