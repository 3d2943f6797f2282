import { type Static, Type } from '@sinclair/typebox'
import type { Database } from '../../../db/client.ts'
import { actOf } from '../../access/caller.ts'
import { findTargets, replaced } from '../../catalog/show/merged.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { findJob, type JobStatus, jobStatuses } from '../../jobs/read.ts'
import { errorObject } from '../../jsonapi/error-schema.ts'
import { type Fault, notFound, validationFailed } from '../../jsonapi/errors.ts'
import { boolean, integer, isUuid, nullable, oneOf, optional, text, uuid } from '../../jsonapi/fields.ts'
import { flatFaults, readFlat } from '../../jsonapi/flat-body.ts'
import { lifetimes, sayDuration, sizes } from '../../limits.ts'
import { begun, failureOf, initializeNow, initializeTodos, type Progress } from './job.ts'
import { countDrafts, findDrafts, type Wanted } from './wanted-sets.ts'

const mostSets = sizes.initializedSets.most

/** The body of a POST: sets by id, or all drafts, optionally only those of a genre and a year. */
const body = Type.Object(
  {
    set_ids: optional(Type.Array(text(), { minItems: 1, maxItems: mostSets })),
    all_draft: optional(boolean()),
    genre_id: optional(uuid()),
    year: optional(text()),
  },
  {
    $id: 'TodoInitialization',
    description:
      'Either `set_ids` or `all_draft`. Only `all_draft` can be combined with `genre_id` and `year` (its name).',
  },
)

/** What a route does with a POST that has no body. */
type WithoutBody = 'refuse' | 'all drafts'

/** Reads the body. Throws 400 if it isn't a JSON object, or else 422 with one error per member and rule. */
const readWanted = (bytes: Uint8Array, withoutBody: WithoutBody): Wanted => {
  if (bytes.byteLength === 0 && withoutBody === 'all drafts') return { drafts: {} }
  const members = readFlat(bytes, mostSets + 1000)
  const faults = flatFaults(body, members)
  const alone = faults.length > 0 ? [] : togetherFaults(members)
  if (faults.length + alone.length > 0) throw validationFailed([...faults, ...alone])
  const { set_ids: setIds, genre_id: genreId, year } = members as Static<typeof body>
  if (setIds) return { setIds: [...new Set(setIds.map((id) => (isUuid(id) ? id.toLowerCase() : id)))] }
  return { drafts: { genreId: genreId?.toLowerCase(), year } }
}

const togetherFaults = ({ set_ids: setIds, all_draft: allDraft, ...narrowing }: Record<string, unknown>): Fault[] => {
  if (setIds && allDraft) return [{ pointer: '/all_draft', detail: 'Cannot be combined with set_ids.' }]
  if (!setIds && !allDraft) return [{ pointer: '/set_ids', detail: 'Either set_ids or all_draft: true is required.' }]
  const unfit = setIds ? Object.keys(narrowing) : []
  return unfit.map((name) => ({ pointer: `/${name}`, detail: 'Can only be combined with all_draft.' }))
}

/** More sets than this are initialized by a job (interface.md, Limits). */
const mostAtOnce = 100

const startWith =
  (withoutBody: WithoutBody) =>
  async ({ db, config }: Context, call: Call): Promise<Reply> => {
    const wanted = await followMerged(db, readWanted(await call.body(), withoutBody))
    const act = actOf(call)
    const setIds = 'setIds' in wanted ? wanted.setIds : await findDrafts(db, wanted.drafts, mostAtOnce + 1)
    if (setIds.length > mostAtOnce) {
      const id = await enqueue(db, initializeTodos, { ...payloadOf(wanted), agent: act.agent }, { now: call.now })
      const headers = { Location: `${config.baseUrl}${path}/${id}` }
      return { ...(await answer(db, id, 'queued', begun)), status: 202, headers }
    }
    const done = setIds.length > 0 ? await initializeNow(db, setIds, act) : begun
    return answer(db, null, 'completed', done)
  }

/** Replaces a merged set or genre with the one it was merged into. */
const followMerged = async (db: Database, wanted: Wanted): Promise<Wanted> => {
  if (!('setIds' in wanted)) {
    const { genreId } = wanted.drafts
    return genreId ? { drafts: replaced(wanted.drafts, await findTargets(db, [genreId])) } : wanted
  }
  const targets = await findTargets(db, wanted.setIds.filter(isUuid))
  return { setIds: [...new Set(replaced(wanted.setIds, targets))] }
}

const payloadOf = (wanted: Wanted) => ('setIds' in wanted ? wanted : wanted.drafts)

const poll = async ({ db }: Context, { params, now }: Call): Promise<Reply> => {
  const { job: id = '' } = params
  const job = isUuid(id) ? await findJob(db, initializeTodos.name, id, now) : undefined
  if (!job) throw notFound('There is no such job, or its result is no longer kept.')
  return answer(db, job.id, job.status, ((job.result ?? job.progress) as Progress | null) ?? begun)
}

const answer = async (
  db: Context['db'],
  jobId: string | null,
  status: JobStatus,
  reached: Progress,
): Promise<Reply> => ({ status: 200, body: render(jobId, status, reached, await countDrafts(db)) })

const render = (
  jobId: string | null,
  status: JobStatus,
  { initialized, skipped, missing }: Omit<Progress, 'place'>,
  { drafts, withWorkflow }: Awaited<ReturnType<typeof countDrafts>>,
) => ({
  status,
  job_id: jobId,
  initialized,
  skipped,
  errors: missing.map(failureOf),
  resolved_count: initialized + skipped + missing.length,
  meta: {
    total_draft_sets: drafts,
    draft_with_workflow: withWorkflow,
    draft_without_workflow: drafts - withWorkflow,
  },
})

const schema = Type.Object(
  {
    status: oneOf([...jobStatuses]),
    job_id: nullable(uuid()),
    initialized: integer(0),
    skipped: integer(0),
    errors: Type.Array(Type.Object({ set_id: Type.String(), error: errorObject() })),
    resolved_count: Type.Integer({
      minimum: 0,
      description: 'The sets done so far: initialized, skipped and errors.',
    }),
    meta: Type.Object({
      total_draft_sets: integer(0),
      draft_with_workflow: integer(0),
      draft_without_workflow: integer(0),
    }),
  },
  { $id: 'TodoInitializationResult' },
)

const exampleId = '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d34'
const exampleDrafts = { drafts: 412, withWorkflow: 372 }
const exampleMissing = ['0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d35']
const path = '/internal/todo-initialization-jobs'

const create: Route = {
  ...flatForOperators,
  method: 'POST',
  path,
  operationId: 'createTodoInitializationJob',
  summary: 'Start the workflow of many sets',
  description:
    'Adds all eight todos to each set, pending. Sets that already have a workflow are skipped. Ids that don’t exist are listed in `errors`. Up to 100 sets are done before the answer, more by a job.',
  body: { schema: body, example: { all_draft: true, year: '2025-26' } },
  answers: {
    200: {
      description: 'Done.',
      schema,
      example: render(null, 'completed', { initialized: 40, skipped: 3, missing: exampleMissing }, exampleDrafts),
    },
    202: {
      description: 'A job will do it. Poll its `Location`.',
      schema,
      headers: { Location: 'The URL of the job’s status.' },
      example: render(exampleId, 'queued', begun, exampleDrafts),
    },
  },
  refusals: [422],
  handle: startWith('refuse'),
}

const get: Route = {
  ...flatForOperators,
  method: 'GET',
  path: `${path}/:job`,
  operationId: 'getTodoInitializationJob',
  summary: 'Get the status of starting many workflows',
  description: `The result is available for ${sayDuration(lifetimes.doneJob.seconds)} after the job is done. After that, and for an unknown job, returns 404.`,
  answers: {
    200: {
      description: 'The job’s progress or result.',
      schema,
      example: render(exampleId, 'running', { initialized: 250, skipped: 0, missing: [] }, exampleDrafts),
    },
  },
  refusals: [400, 404],
  handle: poll,
}

/** Starting the workflows of many sets at once. */
export const initializationRoutes: Route[] = [create, get]

/** The same for clients of a hosted service (decisions.md §21), whose POST without a body means all drafts. */
export const bulkRoutes: Route[] = [
  { ...create, body: { schema: body, ...create.body, required: false }, handle: startWith('all drafts') },
  get,
]
