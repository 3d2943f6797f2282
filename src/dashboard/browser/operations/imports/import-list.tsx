import { sayMoment } from '../../kit/moments.ts'
import { at } from '../../kit/settings.ts'
import { JobListing, type JobStatus, Status } from '../jobs/following.tsx'
import { UndoImport } from './undo-import.tsx'

type Import = {
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

type ListProps = { page: string; hrefOf: (change: { page: string }) => string }

/** Imports with their files, who sent them, and their status. Failed ones can be retried, and completed ones undone. */
export const ImportList = ({ page, hrefOf }: ListProps) => (
  <JobListing<Import>
    path={`/internal/imports?page=${encodeURIComponent(page)}`}
    caption="Imports"
    empty="No recent imports."
    noun="import"
    hrefOf={hrefOf}
    columns={(retry) => [
      { title: 'File', cell: (one) => <File {...one} /> },
      { title: 'Kind', cell: ({ attributes }) => sayKind(attributes), isWhole: true },
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
)

const File = ({ id, attributes: { file, has_report, created_at } }: Import) =>
  has_report ? (
    <a href={at(`/operations/imports/${id}`)}>
      <bdi>{file}</bdi>
      <span class="unseen"> from {sayMoment(created_at)}</span>
    </a>
  ) : (
    <bdi>{file}</bdi>
  )

const sayKind = ({ dry_run, undoes }: Import['attributes']) => (dry_run ? 'Preview' : undoes ? 'Undo' : 'Import')

const State = ({ status, undone, error }: Import['attributes']) => (
  <>
    <Status status={status} /> {undone && <span class="badge">undone</span>}
    {error && status !== 'completed' && <p>{error}</p>}
  </>
)
