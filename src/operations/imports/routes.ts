import { Type } from '@sinclair/typebox'
import { hasCode } from '../../../db/faults.ts'
import { agentOf } from '../../access/caller.ts'
import { readHeadingMap } from '../../catalog/import/read/rows/row.ts'
import { isEncoding } from '../../catalog/import/read/source/text.ts'
import type { Context } from '../../context.ts'
import { type Call, flatForOperators, type Reply, type Route } from '../../http/route.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { badRequest, quoteSent, unavailable } from '../../jsonapi/errors.ts'
import { lifetimes, sayDuration } from '../../limits.ts'
import { flagIn, readAsked } from '../preview-query.ts'
import { accepted, acceptedAnswer, findKept } from './accepted.ts'
import { path, renderImport, state } from './document.ts'
import { example } from './example.ts'
import { fileNameOf } from './file-name.ts'
import { followUps } from './follow-ups.ts'
import { abandonImport, beginImport, type Reading, settleImport } from './import.ts'
import { importChecklist } from './job.ts'
import { listRoute } from './list-route.ts'
import { reportRoutes } from './list-routes.ts'
import { keepPieces } from './pieces.ts'

const flags = ['publish', 'parallels', 'overwrite', 'prune', 'clear_missing', 'dry_run'] as const

const begin = async (context: Context, call: Call): Promise<Reply> => {
  const { db, log } = context
  const wanted = { id: Bun.randomUUIDv7(), name: fileNameOf(call.request.headers.get('content-disposition')) }
  const asked = readWanted(call.url.searchParams)
  await beginImport(db, { ...wanted, ...asked, agent: agentOf(call.caller) }, call.now)
  try {
    const bytes = await keepPieces(db, wanted.id, call.stream())
    if (bytes === 0) throw badRequest('The request needs a body.')
    return await call.commit(context, async (own) => {
      const jobId = await own.db.transaction(async (tx) => {
        const id = await enqueue(tx, importChecklist, asked.reading, { id: wanted.id, now: call.now })
        if (!(await settleImport(tx, wanted.id, id, bytes))) throw tookTooLong()
        return id
      })
      return accepted(own, jobId)
    })
  } catch (error) {
    await abandonImport(db, wanted.id).catch(({ message }: Error) => log.warn('import_file_left', { message }))
    // Its pieces belong to an import that was swept.
    throw hasCode(error, '23503') ? tookTooLong() : error
  }
}

const tookTooLong = () => unavailable('The upload took too long. Try again.')

type Flags = Record<(typeof flags)[number], boolean>
const noFlags = Object.fromEntries(flags.map((name) => [name, false])) as Flags
type Asked = Flags & { reading: Reading }

/** Reads the query. A missing or empty flag is false, except that `dry_run` must not be empty, to be safe. `map` may be repeated. */
const readWanted = (search: URLSearchParams): Asked => {
  const asked: Asked = { ...noFlags, reading: {} }
  readAsked(search, { lists: ['map'] }, (name, values, refuse) => {
    const [value = ''] = values
    const flag = flags.find((one) => one === name)
    if (flag === 'dry_run' && value === '') refuse('Must be true or false.')
    else if (flag) asked[flag] = flagIn(values, refuse)
    else if (name === 'hidden') asked.reading.hidden = flagIn(values, refuse)
    else if (name === 'encoding') {
      asked.reading.encoding = value
      if (!isEncoding(value)) refuse('Must be the name of an encoding, such as windows-1252.')
    } else if (name === 'map') {
      const { headings, wrong } = readHeadingMap(values)
      asked.reading.map = headings
      if (wrong) refuse(`${quoteSent(wrong)}.`)
    } else return false
    return true
  })
  return asked
}

const poll = async (context: Context, call: Call): Promise<Reply> => {
  const { job, found } = await findKept(context, call)
  return { status: 200, body: await renderImport(context.db, context.config.baseUrl, job, found) }
}

const flag = (description: string) => ({ schema: Type.Boolean({ default: false }), description, example: true })

/** Checklists over HTTP, read into the catalog by a job. */
export const importRoutes: Route[] = [
  listRoute,
  {
    ...flatForOperators,
    method: 'POST',
    path,
    writesCatalog: true,
    operationId: 'beginImport',
    summary: 'Import a checklist',
    description:
      'The body is the file itself, in any form that `cardstock import` reads: CSV with a header row, JSON Lines, a workbook (`.xlsx`), a release of the CardLists collection, a bulk file of Scryfall, release files of pokemon-tcg-data, or a `.zip` or `.tar` of them, which may be compressed. Checklists in YAML of the open checklist project come in an archive. It can have up to IMPORT_MAX_BYTES (256 MiB). `Content-Disposition: attachment; filename="…"` gives its name, which supplies the release, genre and year if the rows leave them out. A job reads the file after the answer: poll the job until it is `completed`. Sending the file again is safe: existing records are updated, and a row with nothing new changes nothing.',
    query: {
      publish: flag('Whether to publish the checklist’s sets.'),
      parallels: flag('Whether to create child sets for a release’s parallels and variations.'),
      overwrite: flag('Whether to overwrite fields that somebody changed.'),
      prune: flag('Whether to delete cards that aren’t in the file, except those that a person added or changed.'),
      clear_missing: flag('Whether to clear fields that the file has no column for. Otherwise, they stay.'),
      dry_run: flag('Whether to write nothing and only report what would change. `/apply` then imports the file.'),
      map: {
        schema: Type.Array(Type.String()),
        description: 'Maps another heading of a table to a column, as `Heading=column`. Repeatable.',
        example: ['Crd Nmbr=number'],
      },
      hidden: flag('Whether to read the hidden rows, columns and sheets of workbooks, too.'),
      encoding: {
        schema: Type.String(),
        description: 'The text encoding. If you leave it out, it is detected.',
        example: 'windows-1252',
      },
    },
    body: {
      schema: Type.Unsafe<string>({ type: 'string', format: 'binary' }),
      mediaTypes: [
        'text/csv',
        'text/plain',
        'text/tab-separated-values',
        'application/octet-stream',
        'application/json',
        'application/x-ndjson',
        'application/jsonl',
        'application/x-tar',
        'application/gzip',
        'application/x-xz',
        'application/zip',
        'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      ],
      isStreamed: true,
      maxBytes: ({ importMaxBytes }) => importMaxBytes,
    },
    answers: acceptedAnswer('The file has arrived, and a job will read it.'),
    refusals: [400],
    commitsItself: true,
    handle: begin,
  },
  {
    ...flatForOperators,
    method: 'GET',
    path: `${path}/:job_id`,
    operationId: 'getImport',
    summary: 'Get the status of an import',
    description: `Returns status, progress, counts, and the rows that failed. Available for ${sayDuration(lifetimes.doneJob.seconds)} after the import is done. After that, returns 404. A failed import can be retried for ${sayDuration(lifetimes.failedJob.seconds)} (\`/internal/jobs/{id}/retry\`).`,
    answers: { 200: { description: 'The import.', schema: state, example } },
    refusals: [404],
    handle: poll,
  },
  ...reportRoutes,
  ...followUps,
]
