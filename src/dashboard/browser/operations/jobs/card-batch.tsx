import { FactList } from '../../kit/fact.tsx'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { Table } from '../../kit/table.tsx'
import { FollowedJob, type JobStatus, Status } from './following.tsx'

type Result = { id: string | null; status: string; error: { detail?: string; source?: { pointer?: string } } | null }
/** A card batch, as the API shows it. `job_id` is null if it was written before the answer. */
export type Batch = {
  status: JobStatus
  job_id: string | null
  total: number
  created: number
  updated: number
  failed: number
  results: Result[]
}

/** Follows a card batch that a job writes, until it ends. */
export const CardBatch = ({ id }: { id: string }) => (
  <FollowedJob<Batch> id={id} path={`/internal/card-batches/${id}`} title="Card batch" lines={8}>
    {(batch, retry) => (
      <>
        <BatchReport batch={batch} />
        {retry}
      </>
    )}
  </FollowedJob>
)

const fewRows = 100

/** How far a batch has come, and which of its rows were refused. */
export const BatchReport = ({ batch: { status, total, created, updated, failed, results } }: { batch: Batch }) => {
  const refused = results.flatMap((result, at) => (result.status === 'failed' ? [{ ...result, at }] : []))
  return (
    <>
      <p>
        {sayCount(total, 'row')} <Status status={status} />
      </p>
      <Progress label="Rows written" done={created + updated + failed} of={total} />
      <FactList
        facts={[
          ['Created', sayNumber(created)],
          ['Updated', sayNumber(updated)],
          ['Failed', sayNumber(failed)],
        ]}
      />
      {status === 'completed' && (
        <Notice kind={failed ? 'warning' : 'good'}>
          {failed
            ? `${sayCount(failed, 'row')} failed. ${failed < total ? 'The rest was written.' : 'Nothing was written.'}`
            : 'All rows were written.'}
        </Notice>
      )}
      {refused.length > 0 && (
        <Table
          caption={refused.length > fewRows ? `The first ${fewRows} rows that failed` : 'Rows that failed'}
          isCaptionSeen
          rows={refused.slice(0, fewRows)}
          keyOf={({ at }) => String(at)}
          columns={[
            { title: 'Row', cell: ({ at }) => sayNumber(at + 1), isNumber: true },
            { title: 'Id', cell: ({ id }) => (id ? <code>{id}</code> : '–') },
            { title: 'Where', cell: ({ error }) => <code>{error?.source?.pointer ?? '–'}</code> },
            { title: 'Reason', cell: ({ error }) => error?.detail ?? '–' },
          ]}
        />
      )}
    </>
  )
}
