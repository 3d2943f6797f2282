import { useState } from 'preact/hooks'
import type { PageMeta } from '../../catalog/content.ts'
import { get, post, type Refused } from '../../kit/api.ts'
import { sayMoment } from '../../kit/format.ts'
import { useAgain, useLoaded } from '../../kit/load.ts'
import { Empty, Failure, Show } from '../../kit/notice.tsx'
import { Pager } from '../../kit/pager.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { isOpen, type JobStatus, often, Status } from '../jobs/job-list.tsx'
import { UndoImport } from './undo-import.tsx'

type Listed = {
  id: string
  attributes: {
    file: string
    status: JobStatus
    dry_run: boolean
    applies: string | null
    undoes: string | null
    has_report: boolean
    can_be_undone: boolean
    undone: boolean
    error: string | null
    agent_id: string | null
    created_at: string
  }
  meta: { agent_name: string | null }
}

type ListProps = { page: string; hrefOf: (page: number) => string }

/** Imports with their files, who sent them, and what became of them; those that failed are tried again, those that are done undone. */
export const ImportList = ({ page, hrefOf }: ListProps) => {
  const path = `/internal/imports?page=${encodeURIComponent(page)}`
  const read = useLoaded((signal) => get<{ data: Listed[]; meta: PageMeta }>(path, { signal }), path)
  const [failure, setFailure] = useState<Refused>()
  useAgain(read, often, read.value?.data.some(({ attributes }) => isOpen(attributes.status)) ?? false)
  const retry = (id: string) => {
    setFailure(undefined)
    return post(`/internal/jobs/${id}/retry`).catch(setFailure).then(read.reload)
  }
  return (
    <>
      {failure && <Failure failure={failure} />}
      <Show of={read}>
        {({ data, meta }) => (
          <>
            {meta.total === 0 && <Empty>No recent imports.</Empty>}
            <Table
              caption="Imports"
              rows={data}
              keyOf={({ id }) => id}
              columns={[
                { title: 'File', cell: (one) => <File {...one} /> },
                { title: 'What', cell: ({ attributes }) => sayWhat(attributes), isWhole: true },
                { title: 'By', cell: ({ attributes, meta }) => meta.agent_name ?? attributes.agent_id ?? '–' },
                { title: 'When', cell: ({ attributes }) => sayMoment(attributes.created_at), isWhole: true },
                { title: 'Status', cell: ({ attributes }) => <State {...attributes} /> },
                {
                  title: 'Actions',
                  isWhole: true,
                  cell: ({ id, attributes: { file, status, has_report, undone, can_be_undone } }) =>
                    status === 'failed' && has_report ? (
                      <button type="button" onClick={() => retry(id)}>
                        Retry<span class="unseen"> {file}</span>
                      </button>
                    ) : (
                      can_be_undone && !undone && <UndoImport id={id} file={file} />
                    ),
                },
              ]}
            />
            <Pager meta={meta} noun="import" hrefOf={hrefOf} />
          </>
        )}
      </Show>
    </>
  )
}

const File = ({ id, attributes: { file, has_report, created_at } }: Listed) =>
  has_report ? (
    <a href={at(`/operations/imports/${id}`)}>
      <bdi>{file}</bdi>
      <span class="unseen"> of {sayMoment(created_at)}</span>
    </a>
  ) : (
    <bdi>{file}</bdi>
  )

const sayWhat = ({ dry_run, undoes }: Listed['attributes']) => (dry_run ? 'Preview' : undoes ? 'Undo' : 'Import')

const State = ({ status, undone, error }: Listed['attributes']) => (
  <>
    <Status status={status} /> {undone && <span class="badge">undone</span>}
    {error && status !== 'completed' && <p>{error}</p>}
  </>
)
