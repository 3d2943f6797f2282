import { get } from '../kit/api.ts'
import { sayCount, sayNumber } from '../kit/format.ts'
import { useEvery, useLoaded } from '../kit/load.ts'
import { Notice, Show } from '../kit/notice.tsx'
import { at } from '../kit/settings.ts'
import { isOpen, type JobStatus, often, Status } from './job-list.tsx'
import { OperatorPage } from './operator-page.tsx'
import { Retry } from './retry.tsx'

/** How far it is to give many sets a workflow; `job_id` is null where it was done before the answer. */
export type InitializationState = {
  status: JobStatus
  job_id: string | null
  initialized: number
  skipped: number
  errors: { set_id: string; error: { detail?: string } }[]
  meta: { total_draft_sets: number; draft_with_workflow: number }
}

/** The job that gives many sets a workflow, to its end. */
export const Initialization = ({ id }: { id: string }) => {
  const path = `/internal/todo-initialization-jobs/${id}`
  const read = useLoaded((signal) => get<InitializationState>(path, { signal }), path)
  useEvery(often, isOpen(read.value?.status), read.reload)
  return (
    <OperatorPage title="Workflows for drafts">
      <Show of={read}>
        {(state) => (
          <>
            <Initialized state={state} />
            {state.status === 'failed' && <Retry id={id} done={read.reload} />}
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

/** What became of the sets so far. */
export const Initialized = ({
  state: { status, initialized, skipped, errors, meta },
}: {
  state: InitializationState
}) => (
  <Notice kind={errors.length > 0 || status === 'failed' ? 'warning' : 'good'}>
    <p>
      <Status status={status} /> {sayCount(initialized, 'set')} got a workflow, {sayNumber(skipped)} had one. Of{' '}
      {sayCount(meta.total_draft_sets, 'draft')} {sayNumber(meta.draft_with_workflow)} have one now.
    </p>
    <ul>
      {errors.map(({ set_id, error }) => (
        <li key={set_id}>
          <code>{set_id}</code>: {error.detail}
        </li>
      ))}
    </ul>
    <p>
      <a href={at('/operations/board')}>To the board</a>
    </p>
  </Notice>
)
