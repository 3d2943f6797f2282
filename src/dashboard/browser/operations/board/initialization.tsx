import { sayCount, sayNumber } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { at } from '../../kit/settings.ts'
import { FollowedJob, isOpen, type JobStatus, Status } from '../jobs/following.tsx'

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
export const Initialization = ({ id }: { id: string }) => (
  <FollowedJob<InitializationState>
    id={id}
    path={`/internal/todo-initialization-jobs/${id}`}
    title="Workflows for drafts"
  >
    {(state, retry) => (
      <>
        <Initialized {...state} />
        {retry}
      </>
    )}
  </FollowedJob>
)

/** What has been done so far. The total is only known at the end, because the drafts are looked up along the way. */
export const Initialized = ({
  status,
  initialized,
  skipped,
  errors,
  resolved_count: done,
  meta,
}: InitializationState) => (
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
