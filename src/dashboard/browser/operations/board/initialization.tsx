import { useAgain } from '../../kit/again.ts'
import { get } from '../../kit/api.ts'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { isOpen, type JobStatus, often, Status } from '../jobs/job-list.tsx'
import { Retry } from '../jobs/retry.tsx'
import { OperatorPage } from '../operator-page.tsx'

/** How many sets have got a workflow so far. `job_id` is null if it was done before the answer. */
export type InitializationState = {
  status: JobStatus
  job_id: string | null
  initialized: number
  skipped: number
  errors: { set_id: string; error: { detail?: string } }[]
  resolved_count: number
  meta: { total_draft_sets: number; draft_with_workflow: number }
}

/** Follows a job that gives many sets a workflow, until it ends. */
export const Initialization = ({ id }: { id: string }) => {
  const path = `/internal/todo-initialization-jobs/${id}`
  const read = useLoaded((signal) => get<InitializationState>(path, { signal }), path)
  useAgain(read, often, isOpen(read.value?.status))
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

type InitializedProps = { state: InitializationState }

/** What has been done so far. The total is only known at the end, because the drafts are looked up along the way. */
export const Initialized = ({
  state: { status, initialized, skipped, errors, resolved_count: done, meta },
}: InitializedProps) => (
  <>
    <p>
      {sayCount(initialized, 'set')} got a workflow, {sayNumber(skipped)} already had one. <Status status={status} />
    </p>
    {status !== 'failed' && <Progress label="Sets done" done={done} of={isOpen(status) ? undefined : done} />}
    <p class="faint">
      {sayNumber(meta.draft_with_workflow)} of {sayCount(meta.total_draft_sets, 'draft')} now have a workflow.
    </p>
    {errors.length > 0 && (
      <Notice kind="warning">
        <ul>
          {errors.map(({ set_id, error }) => (
            <li key={set_id}>
              <code>{set_id}</code>: {error.detail}
            </li>
          ))}
        </ul>
      </Notice>
    )}
    {status === 'completed' && (
      <Notice kind="good">
        Done. <a href={at('/operations/board')}>Go to the board</a>
      </Notice>
    )}
  </>
)
