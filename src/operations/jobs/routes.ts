import type { Context } from '../../context.ts'
import { pathId } from '../../http/path-id.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { countListed, getJob, type JobFilter, type JobStatus, listJobs, retryJob } from '../../jobs/read.ts'
import { conflict, notFound } from '../../jsonapi/errors.ts'
import { readQuery } from '../../jsonapi/query.ts'
import { document, pageLinks, pageMeta } from '../../jsonapi/serialize.ts'
import {
  collection,
  exampleDocument,
  listParameters,
  listShape,
  path,
  readParameters,
  readShape,
  renderJob,
  single,
  type,
} from './document.ts'

const list = async ({ db, config }: Context, { url }: Call): Promise<Reply> => {
  const { page, perPage, fields, filters } = readQuery(url.searchParams, listShape)
  const filter: JobFilter = { name: filters.name?.value, status: filters.status?.value as JobStatus | undefined }
  const [jobs, total] = await Promise.all([
    listJobs(db, { ...filter, limit: perPage, offset: (page - 1) * perPage }),
    countListed(db, filter),
  ])
  const meta = pageMeta(page, perPage, jobs.length, total)
  const address = `${config.baseUrl}${path}`
  const data = jobs.map((job) => renderJob(config.baseUrl, job, fields.get(type)))
  const links = pageLinks(address, url.searchParams, page, meta.last_page)
  return { status: 200, body: document(`${address}${url.search}`, { data, links, meta }) }
}

const retrieve = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, readShape)
  const job = await getJob(db, pathId(call))
  if (!job) throw notFound()
  const data = renderJob(config.baseUrl, job, fields.get(type))
  return { status: 200, body: document(`${data.links.self}${call.url.search}`, { data }) }
}

const retry = async ({ db, config }: Context, call: Call): Promise<Reply> => {
  const { fields } = readQuery(call.url.searchParams, readShape)
  const id = pathId(call)
  const job = await retryJob(db, id, call.now)
  if (!job) {
    const other = await getJob(db, id)
    throw other ? conflict(`The job is ${other.status}: only one that has failed can be retried.`) : notFound()
  }
  const data = renderJob(config.baseUrl, job, fields.get(type))
  return { status: 200, body: document(data.links.self, { data }) }
}

/** The queue for operators: what waits, runs, is done and has failed, and another try for what has failed. */
export const jobRoutes: Route[] = [
  {
    ...forOperators,
    method: 'GET',
    path,
    operationId: 'listJobs',
    summary: 'List jobs',
    description: 'The newest first. What is done is kept for 24 hours, what has failed for 30 days.',
    query: listParameters,
    answers: { 200: { description: 'The jobs.', schema: collection } },
    refusals: [400],
    handle: list,
  },
  {
    ...forOperators,
    method: 'GET',
    path: `${path}/:id`,
    operationId: 'getJob',
    summary: 'Look at a job',
    query: readParameters,
    answers: { 200: { description: 'The job.', schema: single, example: exampleDocument } },
    refusals: [400],
    handle: retrieve,
  },
  {
    ...forOperators,
    method: 'POST',
    path: `${path}/:id/retry`,
    operationId: 'retryJob',
    summary: 'Give a failed job all its attempts again',
    description: 'It goes on from its progress. 409 where it has not failed.',
    query: readParameters,
    answers: { 200: { description: 'The job, queued.', schema: single } },
    refusals: [400, 409],
    handle: retry,
  },
]
