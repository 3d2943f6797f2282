import { Type } from '@sinclair/typebox'
import { agentOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { conflict, notFound } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { flagIn, readAsked } from '../preview-query.ts'
import { accepted, acceptedAnswer, findKept } from './accepted.ts'
import { path } from './document.ts'
import { beginImport, findUndo, listFaults, settleImport } from './import.ts'
import { importChecklist } from './job.ts'
import { csvOf } from './refused.ts'
import { endBroken, findRun } from './runs.ts'

const flags = ['publish', 'parallels', 'overwrite', 'prune', 'clear_missing'] as const

/** Imports the file of a dry run. */
const apply = async (context: Context, call: Call): Promise<Reply> => {
  const asked = readFlags(call.url.searchParams)
  const { job, found } = await findKept(context, call)
  if (!found.dry_run) throw conflict('This was not a dry run. Its rows are already imported.')
  if (job.status !== 'completed') throw conflict('The dry run is not completed.')
  const { name, publish, parallels, overwrite, prune, clear_missing, bytes, reading } = found
  const id = Bun.randomUUIDv7()
  const wanted = {
    id,
    name,
    publish,
    parallels,
    overwrite,
    prune,
    clear_missing,
    reading,
    ...asked,
    applies: found.id,
  }
  await context.db.transaction(async (tx) => {
    await beginImport(tx, { ...wanted, agent: agentOf(call.caller) }, call.now)
    await enqueue(tx, importChecklist, reading ?? {}, { id, now: call.now })
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

/** Undoes an import. A second request returns the same job. */
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

/** The refused rows as a table, to fix and send again. */
const refused = async (context: Context, call: Call): Promise<Reply> => {
  const { found } = await findKept(context, call)
  return {
    status: 200,
    mediaType: 'text/csv',
    headers: { 'Content-Disposition': 'attachment; filename="refused-rows.csv"' },
    body: csvOf(await listFaults(context.db, found.id), found.reading?.map),
  }
}

const flag = (description: string) => ({ schema: Type.Boolean(), description, example: true })

/** What follows an import: applying a dry run, undoing it, its refused rows. */
export const followUps: Route[] = [
  {
    ...flatForOperators,
    method: 'POST',
    path: `${path}/:job_id/apply`,
    needsWrite: true,
    writesCatalog: true,
    operationId: 'applyImport',
    summary: 'Apply a dry run',
    description: `Imports the file of a dry run, which is kept for ${sayDuration(lifetimes.doneJob.seconds)}, as a new import. Parameters that you leave out stay as in the dry run.`,
    query: {
      publish: flag('Whether to publish the checklist’s sets.'),
      parallels: flag('Whether to create child sets for a release’s parallels and variations.'),
      overwrite: flag('Whether to overwrite fields that somebody changed.'),
      prune: flag('Whether to delete cards that aren’t in the file.'),
      clear_missing: flag('Whether to clear fields that the file has no column for.'),
    },
    answers: acceptedAnswer('A job has been queued.'),
    refusals: [400, 404, 409],
    handle: apply,
  },
  {
    ...flatForOperators,
    method: 'POST',
    path: `${path}/:job_id/undo`,
    needsWrite: true,
    writesCatalog: true,
    operationId: 'undoImport',
    summary: 'Undo an import',
    description: `Deletes what the import created and restores the fields it changed, except for what somebody has touched since: the undo’s report lists that. Possible for ${sayDuration(lifetimes.importUndo.seconds)}, also for interrupted imports, and for imports by command, by the id they print.`,
    answers: acceptedAnswer('A job has been queued.'),
    refusals: [404, 409],
    handle: undo,
  },
  {
    ...flatForOperators,
    method: 'GET',
    path: `${path}/:job_id/refused`,
    operationId: 'getRefusedRows',
    summary: 'Get the refused rows of an import',
    description:
      'Returns the refused rows as CSV, with their file’s headings, or the columns that `map` gave them, and the reason in `refused_because`. Fix them and send them again. Imports ignore that column.',
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
