import type { ComponentChildren } from 'preact'
import { sayName, sayNumber } from '../../kit/format.ts'
import { sayMoment } from '../../kit/moments.ts'
import { at } from '../../kit/settings.ts'
import { queryOf } from '../address.ts'
import { JobListing, type JobStatus, Status } from './following.tsx'

type Job = {
  id: string
  attributes: {
    name: string
    status: JobStatus
    attempts: number
    max_attempts: number
    progress: Record<string, number> | null
    error: string | null
    created_at: string
  }
}
type JobListProps = {
  name?: string
  status?: string
  page?: string
  hrefOf: (change: { page: string }) => string
  empty: ComponentChildren
}

const pages: Record<string, string> = {
  card_batch: '/operations/batches',
  catalog_import: '/operations/imports',
  todo_initialization: '/operations/workflows',
}

/** Jobs with a name and status. */
export const JobList = ({ name = '', status = '', page = '1', hrefOf, empty }: JobListProps) => (
  <JobListing<Job>
    path={`/internal/jobs?${queryOf({ 'filter[name]': name, 'filter[status]': status, page })}`}
    caption="Jobs"
    empty={empty}
    noun="job"
    hrefOf={hrefOf}
    columns={(retry) => [
      { title: 'Job', cell: (job) => <JobName {...job} />, isWhole: true },
      { title: 'Status', cell: ({ attributes }) => <Status status={attributes.status} /> },
      { title: 'Started', cell: ({ attributes }) => sayMoment(attributes.created_at), isWhole: true },
      {
        title: 'Attempts',
        cell: ({ attributes: { attempts, max_attempts } }) => `${attempts} of ${max_attempts}`,
        isWhole: true,
      },
      { title: 'Progress', cell: ({ attributes }) => sayProgress(attributes.progress) },
      { title: 'Error', cell: ({ attributes }) => attributes.error ?? '–' },
      {
        title: 'Actions',
        isWhole: true,
        cell: ({ id, attributes: { name, status } }) =>
          status === 'failed' && (
            <button type="button" onClick={() => retry(id)}>
              Retry<span class="unseen"> {name}</span>
            </button>
          ),
      },
    ]}
  />
)

const JobName = ({ id, attributes: { name, created_at } }: Job) => {
  const path = pages[name]
  if (!path) return <>{sayName(name)}</>
  return (
    <a href={at(`${path}/${id}`)}>
      {sayName(name)}
      <span class="unseen"> from {sayMoment(created_at)}</span>
    </a>
  )
}

const sayProgress = (progress: Record<string, number> | null) =>
  Object.entries(progress ?? {})
    .map(([name, value]) => `${sayName(name)} ${sayNumber(value)}`)
    .join(', ') || '–'
