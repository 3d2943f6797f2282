import type { ComponentChildren } from 'preact'
import { useAnswer } from '../../kit/answer.ts'
import { post } from '../../kit/api.ts'
import { Form } from '../../kit/form.tsx'
import { Failure, Show } from '../../kit/notice.tsx'
import type { Column } from '../../kit/table.tsx'
import { useAct } from '../../kit/use-action.ts'
import { useAgain } from '../../kit/use-polling.ts'
import { Listing, type ListingProps, useListed } from '../listing.tsx'
import { OperatorPage, type OperatorPageProps } from '../operator-page.tsx'

export type JobStatus = 'queued' | 'running' | 'completed' | 'failed'

/** Whether a job is still waiting or running. */
export const isOpen = (status: JobStatus | undefined) => status === 'queued' || status === 'running'

const kinds: Record<JobStatus, string> = { queued: '', running: 'warning', completed: 'good', failed: 'bad' }

export const jobStatuses = Object.keys(kinds)

/** A job's status as a badge. */
export const Status = ({ status }: { status: JobStatus }) => <span class={`badge ${kinds[status]}`}>{status}</span>

/** How often to check on running jobs, in milliseconds. */
const often = 4000

/** Runs a failed job again, with all its attempts. */
const retryJob = (id: string) => post(`/internal/jobs/${id}/retry`)

type FollowedJobProps<T> = Omit<OperatorPageProps, 'children'> & {
  id: string
  /** The path of its state. */
  path: string
  lines?: number
  /** How often to check on it, in milliseconds. */
  every?: number
  /** Shows the state. `retry` is a button if the job has failed. */
  children: (state: T, retry: ComponentChildren) => ComponentChildren
}

/** A page that follows a job until it ends. */
export const FollowedJob = <T extends { status: JobStatus }>(props: FollowedJobProps<T>) => {
  const { id, path, lines, every = often, children, ...page } = props
  const read = useAnswer<T>(path)
  useAgain(read, every, isOpen(read.value?.status))
  const retry = <Form label="Retry" onSubmit={() => retryJob(id).then(read.reload)} />
  return (
    <OperatorPage {...page}>
      <Show of={read} lines={lines}>
        {(state) => children(state, state.status === 'failed' && retry)}
      </Show>
    </OperatorPage>
  )
}

type JobListingProps<T> = Omit<ListingProps<T>, 'of' | 'columns'> & {
  path: string
  columns: (retry: (id: string) => void) => Column<T>[]
}

/** A list of jobs, refreshed while one of them is running. Failed ones can be retried. */
export const JobListing = <T extends { id: string; attributes: { status: JobStatus } }>(props: JobListingProps<T>) => {
  const { path, columns, ...listing } = props
  const read = useListed<T>(path)
  const { act, failure } = useAct()
  useAgain(read, often, read.value?.data.some(({ attributes }) => isOpen(attributes.status)) ?? false)
  const retry = (id: string) => act(() => retryJob(id).finally(read.reload))
  return (
    <>
      {failure && <Failure failure={failure} />}
      <Listing {...listing} of={read} columns={columns(retry)} />
    </>
  )
}
