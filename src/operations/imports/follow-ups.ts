import { Type } from '@sinclair/typebox'
import { agentOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { findJob } from '../../jobs/read.ts'
import { conflict, notFound } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { flagIn, readAsked } from '../asked.ts'
import { begun, path } from './document.ts'
import { example } from './example.ts'
import { beginImport, findImport, findUndo, listFaults, settleImport } from './import.ts'
import { importChecklist, type Reading } from './job.ts'
import { csvOf } from './refused.ts'
import { endBroken, findRun } from './runs.ts'

const flags = ['publish', 'parallels', 'overwrite', 'prune'] as const

const accepted = ({ config }: Context, jobId: string): Reply => ({
  status: 202,
  headers: { Location: `${config.baseUrl}${path}/${jobId}` },
  body: { job_id: jobId },
})

const findKept = async ({ db }: Context, { params, now }: Call) => {
  const { job_id: id = '' } = params
  const job = isUuid(id) ? await findJob(db, importChecklist.name, id, now) : undefined
  const found = job && (await findImport(db, job.id))
  if (!job || !found) throw notFound('There is no such import, or its results are no longer kept.')
  return { job, found }
}

/** Does what a dry run said, with the file that it read. */
const apply = async (context: Context, call: Call): Promise<Reply> => {
  const asked = readFlags(call.url.searchParams)
  const { job, found } = await findKept(context, call)
  if (!found.dry_run) throw conflict('It was not a dry run: its rows are imported.')
  if (job.status !== 'completed') throw conflict('The dry run is not completed.')
  const { name, publish, parallels, overwrite, prune, bytes, reading } = found
  const id = Bun.randomUUIDv7()
  const wanted = { ...{ id, name, publish, parallels, overwrite, prune, reading }, ...asked, applies: found.id }
  await context.db.transaction(async (tx) => {
    await beginImport(tx, { ...wanted, agent: agentOf(call.caller) }, call.now)
    await enqueue(tx, importChecklist, (reading ?? {}) as Reading, { id, now: call.now })
    await settleImport(tx, id, id, bytes)
  })
  return accepted(context, id)
}

const readFlags = (search: URLSearchParams): Partial<Record<(typeof flags)[number], boolean>> => {
  const asked: Partial<Record<(typeof flags)[number], boolean>> = {}
  readAsked(search, {}, (name, values, refuse) => {
    const flag = flags.find((one) => one === name)
    if (flag) asked[flag] = flagIn(values, refuse)
    return flag !== undefined
  })
  return asked
}

/** Takes back what an import did; asked again it answers the same job. */
const undo = async (context: Context, call: Call): Promise<Reply> => {
  const { db } = context
  const { job_id: of = '' } = call.params
  const run = isUuid(of) ? await findRun(db, of.toLowerCase(), call.now) : undefined
  if (!run) throw notFound('There is no such import, or it can no longer be undone.')
  if (!run.isDone && !(await endBroken(db, run.id, call.now))) throw conflict('The import is not completed.')
  const id = Bun.randomUUIDv7()
  const wanted = { id, name: run.name, publish: false, parallels: false, undoes: run.id, agent: agentOf(call.caller) }
  const jobId = await db.transaction(async (tx) => {
    if (!(await beginImport(tx, wanted, call.now))) return (await findUndo(tx, run.id))?.job_id
    await enqueue(tx, importChecklist, {}, { id, now: call.now })
    await settleImport(tx, id, id, 0)
    return id
  })
  if (!jobId) throw conflict('The import is being undone.')
  return accepted(context, jobId)
}

/** The refused rows as a table to mend and send again. */
const refused = async (context: Context, call: Call): Promise<Reply> => {
  const { found } = await findKept(context, call)
  return {
    status: 200,
    mediaType: 'text/csv',
    headers: { 'Content-Disposition': 'attachment; filename="refused-rows.csv"' },
    body: csvOf(await listFaults(context.db, found.id)),
  }
}

const shared = { ...forOperators, flat: true } as const
const flag = (description: string) => ({ schema: Type.Boolean(), description, example: true })

const begunAnswer = {
  202: {
    description: 'A job does it.',
    schema: begun,
    example: { job_id: example.job_id },
    headers: { Location: 'The URL of the status of the import.' },
  },
}

/** What follows an import: applying a dry run, undoing it, its refused rows. */
export const followUps: Route[] = [
  {
    ...shared,
    method: 'POST',
    needsWrite: true,
    writesCatalog: true,
    path: `${path}/:job_id/apply`,
    operationId: 'applyImport',
    summary: 'Apply a dry run',
    description: `Imports the file of a dry run, which is kept for ${sayDuration(lifetimes.doneJob.seconds)}, as a new import. Parameters that are left out are those of the dry run.`,
    query: {
      publish: flag('Whether the sets of the checklist are published.'),
      parallels: flag('Whether the parallels and variations of a release become child sets.'),
      overwrite: flag('Whether the file counts for fields that somebody changed, too.'),
      prune: flag('Whether cards that the file does not have are deleted.'),
    },
    answers: begunAnswer,
    refusals: [400, 404, 409],
    handle: apply,
  },
  {
    ...shared,
    method: 'POST',
    needsWrite: true,
    writesCatalog: true,
    path: `${path}/:job_id/undo`,
    operationId: 'undoImport',
    summary: 'Undo an import',
    description: `Deletes what the import made and nobody touched, and puts back the fields that it changed and nobody changed since; the report of the undo lists the rest. For ${sayDuration(lifetimes.importUndo.seconds)}; also for imports by command, by the id that these print, and for one that broke off.`,
    answers: begunAnswer,
    refusals: [404, 409],
    handle: undo,
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/:job_id/refused`,
    operationId: 'getRefusedRows',
    summary: 'Get the refused rows of an import',
    description:
      'The first thousand refused rows of tables as CSV, with the headings of their file and the reason in `refused_because`, which an import passes over: mend them and send them again.',
    answers: {
      200: {
        description: 'The rows.',
        schema: Type.String(),
        mediaType: 'text/csv',
        example: 'set,number,player,refused_because\r\n,58,Michael Jordan,the row names no set\r\n',
      },
    },
    refusals: [404],
    handle: refused,
  },
]
