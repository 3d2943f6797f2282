import { type JobStatus, jobStatuses, listJobs, retryJob, type Shown } from '../jobs/read.ts'
import { isUuid } from '../jsonapi/fields.ts'
import { lifetimes, sayDuration } from '../limits.ts'
import { answer, jsonFlag, positive } from './answers.ts'
import { type Command, Failed, WrongUsage } from './command.ts'
import { readFlags, text } from './flags.ts'

export const jobsList: Command = {
  name: 'jobs list',
  summary: 'list queued, running, done and failed jobs',
  help: `Usage: cardstock jobs list [--status S] [--name N] [--limit N] [--json]

Lists jobs, newest first. A failed job is out of attempts and is kept for ${sayDuration(lifetimes.failedJob.seconds)}. Other finished jobs are kept for ${sayDuration(lifetimes.doneJob.seconds)}.

  --status S   ${jobStatuses.join(', ')}
  --name N     only this kind, such as send_mail
  --limit N    at most this many; 100 by default
  --json       print {"jobs":[{"id","name","status","attempts","max_attempts","run_at","created_at","finished_at","progress","result","last_error"}]}
`,
  run: async ({ db }, args, io) => {
    const { flags } = readFlags(args, { status: text, name: text, limit: text, ...jsonFlag })
    const { status, name } = flags
    if (status !== undefined && !isStatus(status))
      throw new WrongUsage(`--status must be one of ${jobStatuses.join(', ')}`)
    const limit = flags.limit === undefined ? undefined : positive(flags.limit, 'limit')
    const jobs = await listJobs(db, { name, status, limit })
    return answer(io, flags.json, { jobs }, jobs.length > 0 ? jobs.map(lineOf) : ['No jobs found.'])
  },
}

export const jobsRetry: Command = {
  name: 'jobs retry',
  summary: 'run a failed job again',
  help: `Usage: cardstock jobs retry ID [--json]

The job continues where it stopped, as soon as a server is running.

  ID       the job
  --json   print {"id","name","status"}
`,
  run: async ({ db, clock }, args, io) => {
    const { flags, words } = readFlags(args, jsonFlag, ['ID'])
    const id = words[0] ?? ''
    const job = isUuid(id) ? await retryJob(db, id, clock.now()) : undefined
    if (!job) throw new Failed(`There is no failed job ${id}. To list failed jobs: cardstock jobs list --status failed`)
    const { name, status } = job
    return answer(io, flags.json, { id, name, status }, [`Job ${id} (${name}) is queued again.`])
  },
}

const isStatus = (text: string): text is JobStatus => (jobStatuses as readonly string[]).includes(text)

const lineOf = ({ id, name, status, attempts, max_attempts, created_at, last_error }: Shown) =>
  [
    id,
    created_at.slice(0, 19).replace('T', ' '),
    status.padEnd(9),
    `${attempts}/${max_attempts}`.padEnd(5),
    name.padEnd(14),
    last_error?.split('\n')[0] ?? '',
  ]
    .join('  ')
    .trimEnd()
