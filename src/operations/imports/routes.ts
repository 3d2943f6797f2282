import { Type } from '@sinclair/typebox'
import { agentOf } from '../../access/caller.ts'
import type { Context } from '../../context.ts'
import { type Call, forOperators, type Reply, type Route } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { findJob } from '../../jobs/read.ts'
import { badRequest, invalidParameter, mergeErrors, notFound, unavailable } from '../../jsonapi/errors.ts'
import { isUuid } from '../../jsonapi/fields.ts'
import { refuseUnknown } from '../../jsonapi/query.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { begun, example, path, renderImport, state } from './document.ts'
import { fileNameOf } from './file-name.ts'
import { abandonImport, beginImport, findImport, listFaults, settleImport } from './import.ts'
import { importChecklist } from './job.ts'
import { keepPieces } from './pieces.ts'

const flags = ['publish', 'parallels'] as const

const begin = async ({ config, db, log }: Context, call: Call): Promise<Reply> => {
  const wanted = { id: Bun.randomUUIDv7(), name: fileNameOf(call.request.headers.get('content-disposition')) }
  await beginImport(db, { ...wanted, ...readFlags(call.url.searchParams), agent: agentOf(call.caller) }, call.now)
  try {
    const bytes = await keepPieces(db, wanted.id, call.stream())
    if (bytes === 0) throw badRequest('The request needs a body.')
    const jobId = await db.transaction(async (tx) => {
      const id = await enqueue(tx, importChecklist, {}, { now: call.now })
      if (!(await settleImport(tx, wanted.id, id, bytes))) throw unavailable('The upload took too long: try again.')
      return id
    })
    return {
      status: 202,
      mediaType: 'application/json',
      headers: { Location: `${config.baseUrl}${path}/${jobId}` },
      body: { job_id: jobId },
    }
  } catch (error) {
    await abandonImport(db, wanted.id).catch(({ message }: Error) => log.warn('import_file_left', { message }))
    throw error
  }
}

/** Each is false where it is left out or empty. */
const readFlags = (search: URLSearchParams): Record<(typeof flags)[number], boolean> => {
  refuseUnknown(search, flags)
  const wrong = flags.filter((name) => !['true', 'false', '1', '0', ''].includes(search.get(name) ?? ''))
  const error = mergeErrors(wrong.map((name) => invalidParameter(name, 'Must be true or false.')))
  if (error) throw error
  const isSet = (name: string) => ['true', '1'].includes(search.get(name) ?? '')
  return { publish: isSet('publish'), parallels: isSet('parallels') }
}

const poll = async ({ db }: Context, { params, now }: Call): Promise<Reply> => {
  const { job_id: id = '' } = params
  const job = isUuid(id) ? await findJob(db, importChecklist.name, id, now) : undefined
  const found = job && (await findImport(db, job.id))
  if (!job || !found) throw notFound('There is no such import, or its results are no longer kept.')
  return {
    status: 200,
    mediaType: 'application/json',
    body: renderImport(job, found, await listFaults(db, found.id)),
  }
}

const shared = { ...forOperators, flat: true } as const

const flag = (description: string) => ({ schema: Type.Boolean({ default: false }), description, example: true })

/** Checklists over HTTP, read into the catalog by a job. */
export const importRoutes: Route[] = [
  {
    ...shared,
    method: 'POST',
    writesCatalog: true,
    path,
    operationId: 'beginImport',
    summary: 'Import a checklist',
    description:
      'The file itself is the body, as `cardstock import` reads it: CSV with a header row, JSON Lines, a release of the CardLists collection, or a `.tar` of them, also packed; at most IMPORT_MAX_BYTES (256 MiB). `Content-Disposition: attachment; filename="…"` tells its name, which says of which release, genre and year it is where its rows do not. It is read behind the answer: ask for the job until it is `completed`. It may be sent again: what is there is updated, and a row that says nothing new changes nothing.',
    query: {
      publish: flag('Whether the sets of the checklist are published.'),
      parallels: flag('Whether child sets are made of the parallels and variations of a release.'),
    },
    body: {
      schema: Type.Unsafe<string>({ type: 'string', format: 'binary' }),
      mediaTypes: [
        ...['text/csv', 'text/plain', 'text/tab-separated-values', 'application/octet-stream', 'application/json'],
        ...['application/x-ndjson', 'application/jsonl', 'application/x-tar', 'application/gzip', 'application/x-xz'],
      ],
      isStreamed: true,
      maxBytes: ({ importMaxBytes }) => importMaxBytes,
    },
    answers: {
      202: {
        description: 'The file is here; a job reads it.',
        schema: begun,
        mediaType: 'application/json',
        example: { job_id: example.job_id },
        headers: { Location: 'Where to ask how the import stands.' },
      },
    },
    refusals: [400],
    handle: begin,
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/:job_id`,
    operationId: 'getImport',
    summary: 'See how an import stands',
    description: `Status, progress, counts, and the rows that were refused. Kept for ${sayDuration(lifetimes.doneJob.seconds)} after the end, then 404; one that failed can be retried for ${sayDuration(lifetimes.failedJob.seconds)} (\`/internal/jobs/{id}/retry\`).`,
    answers: {
      200: { description: 'The import.', schema: state, mediaType: 'application/json', example },
    },
    refusals: [404],
    handle: poll,
  },
]
