import { Type } from '@sinclair/typebox'
import { fieldsParameter, pageParameters } from '../../http/parameters.ts'
import type { Parameter } from '../../http/route.ts'
import { type JobStatus, jobStatuses, type Shown } from '../../jobs/read.ts'
import { integer, nullable, oneOf, time } from '../../jsonapi/fields.ts'
import { plainDocument, plainPage, plainResource } from '../../jsonapi/plain-schema.ts'
import type { QueryShape } from '../../jsonapi/query.ts'
import { document, sparse } from '../../jsonapi/serialize.ts'

export const type = 'jobs'
/** Where operators find the queue. */
export const path = '/internal/jobs'

const shown = {
  name: Type.String({ description: 'What kind of job it is.' }),
  status: oneOf([...jobStatuses]),
  attempts: Type.Integer({ minimum: 0, description: 'Attempts that began; a retry begins again at 0.' }),
  max_attempts: integer(1),
  progress: nullable(
    Type.Record(Type.String(), Type.Number(), { description: 'What the job counts of itself, where it does.' }),
  ),
  error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
  run_at: Type.String({ format: 'date-time', description: 'When it is due, or was.' }),
  created_at: time(),
  finished_at: nullable(time()),
}

const attributeNames = Object.keys(shown)

const resource = plainResource(type, shown, { $id: 'Job' })

/** The document of one job. */
export const single = plainDocument(resource, { $id: 'JobDocument' })

/** The document of a page of them. */
export const collection = plainPage(resource, { $id: 'JobCollection' })

/** What reading one job takes of the query. */
export const readShape: QueryShape = { include: [], fields: { [type]: attributeNames }, filters: {} }

/** What a list takes of it. */
export const listShape: QueryShape = {
  ...readShape,
  paginated: true,
  filters: {
    name: { kind: 'text', alias: 'name', aliasStays: true },
    status: { kind: 'text', values: [...jobStatuses], alias: 'status', aliasStays: true },
  },
}

/** The parameters of `readShape`. */
export const readParameters = fieldsParameter(type, attributeNames, ['name', 'status'])

const nameFilter = { schema: Type.String(), description: 'Only jobs of this kind.', example: 'catalog_import' }
const statusFilter = { schema: oneOf([...jobStatuses]), description: 'Only jobs of this status.', example: 'failed' }
const same = (name: string) => `The same as \`filter[${name}]\`, which wins where both are given.`

/** The parameters of `listShape`. */
export const listParameters: Record<string, Parameter> = {
  ...readParameters,
  ...pageParameters('jobs'),
  'filter[name]': nameFilter,
  name: { ...nameFilter, description: same('name') },
  'filter[status]': statusFilter,
  status: { ...statusFilter, description: same('status') },
}

/** A job as a resource object: of its progress the numbers, of its payload and result nothing. */
export const renderJob = (baseUrl: string, job: Shown, fields?: Set<string>) => ({
  type,
  id: job.id,
  attributes: sparse<unknown>(
    {
      name: job.name,
      status: job.status,
      attempts: job.attempts,
      max_attempts: job.max_attempts,
      progress: numbersOf(job.progress),
      error: job.last_error,
      run_at: job.run_at,
      created_at: job.created_at,
      finished_at: job.finished_at,
    },
    fields,
  ),
  links: { self: `${baseUrl}${path}/${job.id}` },
})

const numbersOf = (progress: unknown) =>
  progress && typeof progress === 'object'
    ? Object.fromEntries(Object.entries(progress).filter(([, value]) => typeof value === 'number'))
    : null

/** A job as the OpenAPI document shows it. */
export const example = renderJob('https://cards.example.org', {
  ...{ id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', name: 'catalog_import', status: 'failed' satisfies JobStatus },
  ...{ attempts: 10, max_attempts: 10, progress: { bytes_read: 1_048_576, bytes_total: 4_194_304 }, result: null },
  ...{ last_error: 'The process ended in the middle of it.', run_at: '2026-11-21T12:00:00.000Z' },
  ...{ created_at: '2026-11-21T12:00:00.000Z', finished_at: '2026-11-21T12:40:00.000Z' },
})

export const exampleDocument = document(example.links.self, { data: example })
