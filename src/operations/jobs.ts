import { Type } from '@sinclair/typebox'
import type { Context } from '../context.ts'
import { pageParameters } from '../http/parameters.ts'
import { pathId } from '../http/path-id.ts'
import { plainType, showOne, showPage, spanOf } from '../http/plain-type.ts'
import { type Call, forOperators, type Parameter, type Reply, type Route } from '../http/route.ts'
import {
  countListed,
  getJob,
  type JobFilter,
  type JobStatus,
  jobStatuses,
  listJobs,
  retryJob,
  type Shown,
} from '../jobs/read.ts'
import { conflict, notFound } from '../jsonapi/errors.ts'
import { integer, nullable, oneOf, time } from '../jsonapi/fields.ts'
import { type QueryShape, readQuery } from '../jsonapi/query.ts'
import { document } from '../jsonapi/serialize.ts'
import { lifetimes, sayDuration } from '../limits.ts'

const path = '/internal/jobs'

const shape = plainType({
  type: 'jobs',
  name: 'Job',
  attributes: {
    name: Type.String({ description: 'The kind of job.' }),
    status: oneOf([...jobStatuses]),
    attempts: Type.Integer({ minimum: 0, description: 'Attempts started. A retry starts over at 0.' }),
    max_attempts: integer(1),
    progress: nullable(
      Type.Record(Type.String(), Type.Number(), { description: 'Progress that the job reports, if any.' }),
    ),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    run_at: Type.String({ format: 'date-time', description: 'When it is or was due.' }),
    created_at: time(),
    finished_at: nullable(time()),
  },
  fields: ['name', 'status'],
})

/** A job as a resource object. It shows only the numbers of its progress, and neither payload nor result. */
const render = (baseUrl: string, job: Shown, fields?: Set<string>) => {
  const row = { ...job, progress: numbersOf(job.progress), error: job.last_error }
  return shape.render(`${baseUrl}${path}/${job.id}`, job.id, row, fields)
}

const numbersOf = (progress: unknown) =>
  progress && typeof progress === 'object'
    ? Object.fromEntries(Object.entries(progress).filter(([, value]) => typeof value === 'number'))
    : null

const listShape: QueryShape = {
  ...shape.query,
  paginated: true,
  filters: {
    name: { kind: 'text', alias: 'name', aliasStays: true },
    status: { kind: 'text', values: [...jobStatuses], alias: 'status', aliasStays: true },
  },
}

const list = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const query = readQuery(call.url.searchParams, listShape)
  const { fields, filters } = query
  const filter: JobFilter = { name: filters.name?.value, status: filters.status?.value as JobStatus | undefined }
  const [jobs, total] = await Promise.all([listJobs(db, { ...filter, ...spanOf(query) }), countListed(db, filter)])
  const data = jobs.map((job) => render(config.baseUrl, job, fields.get(shape.type)))
  return showPage(`${config.baseUrl}${path}`, query, { data, total }, call)
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const job = await getJob(db, pathId(call))
  if (!job) throw notFound()
  return showOne(render(config.baseUrl, job, fields), call)
}

const retry = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const fields = shape.readFields(call)
  const id = pathId(call)
  const job = await retryJob(db, id, call.now)
  if (!job) {
    const other = await getJob(db, id)
    throw other ? conflict(`The job is ${other.status}. Only failed jobs can be retried.`) : notFound()
  }
  const data = render(config.baseUrl, job, fields)
  return { status: 200, body: document(data.links.self, { data }) }
}

const nameFilter = { schema: Type.String(), description: 'Only jobs of this kind.', example: 'catalog_import' }
const statusFilter = { schema: oneOf([...jobStatuses]), description: 'Only jobs with this status.', example: 'failed' }
const same = (name: string) => `The same as \`filter[${name}]\`, which wins if you send both.`

const listParameters: Record<string, Parameter> = {
  ...shape.parameters,
  ...pageParameters('jobs'),
  'filter[name]': nameFilter,
  name: { ...nameFilter, description: same('name') },
  'filter[status]': statusFilter,
  status: { ...statusFilter, description: same('status') },
}

const example = render('https://cards.example.org', {
  id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e',
  name: 'catalog_import',
  status: 'failed',
  attempts: 10,
  max_attempts: 10,
  progress: { bytes_read: 1_048_576, bytes_total: 4_194_304 },
  result: null,
  last_error: 'The process ended in the middle of it.',
  run_at: '2026-11-21T12:00:00.000Z',
  created_at: '2026-11-21T12:00:00.000Z',
  finished_at: '2026-11-21T12:40:00.000Z',
})

/** Operators' routes for the queue: list jobs, and retry failed ones. */
export const jobRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listJobs',
    summary: 'List jobs',
    description: `Newest first. Completed jobs are kept for ${sayDuration(lifetimes.doneJob.seconds)}, failed ones for ${sayDuration(lifetimes.failedJob.seconds)}.`,
    query: listParameters,
    answers: { 200: { description: 'The jobs.', schema: shape.page } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getJob',
    summary: 'Get a job',
    description: 'Its status, attempts, progress and last error.',
    query: shape.parameters,
    answers: { 200: shape.one('The job.', example) },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...forOperators,
    method: 'POST',
    path: `${path}/:id/retry`,
    operationId: 'retryJob',
    summary: 'Retry a failed job',
    description:
      'Gives the job all its attempts again. It continues where it stopped. Returns 409 if it hasn’t failed.',
    query: shape.parameters,
    answers: { 200: shape.one('The job, queued.') },
    refusals: [400, 409],
    handle: retry,
  },
]
