import { useAgain } from '../../kit/again.ts'
import { get } from '../../kit/api.ts'
import { Fact } from '../../kit/fact.tsx'
import { sayCount, sayNumber } from '../../kit/format.ts'
import { useLoaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { Progress } from '../../kit/progress.tsx'
import { Table } from '../../kit/table.tsx'
import { OperatorPage } from '../operator-page.tsx'
import { isOpen, type JobStatus, often, Status } from './job-list.tsx'
import { Retry } from './retry.tsx'

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
export const CardBatch = ({ id }: { id: string }) => {
  const read = useLoaded((signal) => get<Batch>(`/internal/card-batches/${id}`, { signal }), id)
  useAgain(read, often, isOpen(read.value?.status))
  return (
    <OperatorPage title="Card batch">
      <Show of={read} lines={8}>
        {(batch) => (
          <>
            <BatchReport batch={batch} />
            {batch.status === 'failed' && <Retry id={id} done={read.reload} />}
          </>
        )}
      </Show>
    </OperatorPage>
  )
}

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
      <dl class="facts">
        <Fact name="Created">{sayNumber(created)}</Fact>
        <Fact name="Updated">{sayNumber(updated)}</Fact>
        <Fact name="Failed">{sayNumber(failed)}</Fact>
      </dl>
      {status === 'completed' && (
        <Notice kind={failed ? 'warning' : 'good'}>
          {failed ? `${sayCount(failed, 'row')} failed. The rest was written.` : 'All rows were written.'}
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
