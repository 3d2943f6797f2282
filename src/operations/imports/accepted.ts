import type { Context } from '../../context.ts'
import type { Call, Reply, Route } from '../../http/route.ts'
import { findJob } from '../../jobs/read.ts'
import { notFound } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { begun, path } from './document.ts'
import { example } from './example.ts'
import { findImport } from './import.ts'
import { importChecklist } from './job.ts'

/** 202 for an import that a job will do. */
export const accepted = ({ config }: Context, jobId: string): Reply => ({
  status: 202,
  headers: { Location: `${config.baseUrl}${path}/${jobId}` },
  body: { job_id: jobId },
})

/** That answer, as the OpenAPI document shows it. */
export const acceptedAnswer = (description: string): Route['answers'] => ({
  202: {
    description,
    schema: begun,
    example: { job_id: example.job_id },
    headers: { Location: 'The URL of the import’s status.' },
  },
})

/** The import in a path, with its job. Throws 404 if its report is no longer kept. */
export const findKept = async ({ db }: Context, { params, now }: Call) => {
  const { job_id: id = '' } = params
  const job = isUuid(id) ? await findJob(db, importChecklist.name, id, now) : undefined
  const found = job && (await findImport(db, job.id))
  if (!job || !found) throw notFound('There is no such import, or its results are no longer kept.')
  return { job, found }
}
