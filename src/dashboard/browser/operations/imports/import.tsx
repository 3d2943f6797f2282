import { sayCount, sayNumber } from '../../kit/format.ts'
import { Notice } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { Progress } from '../../kit/progress.tsx'
import { RecordLink } from '../../kit/records.tsx'
import { at } from '../../kit/settings.ts'
import { FollowedJob, Status } from '../jobs/following.tsx'
import { Apply } from './apply.tsx'
import { Changes, KeptFields } from './changes.tsx'
import { Counts } from './counts.tsx'
import { BadRows, Left, Missing, Notes } from './findings.tsx'
import { type Report, sayRest } from './report.ts'
import { UndoImport } from './undo-import.tsx'
import { Unread } from './unread.tsx'

/** An import: its progress, and the report of what it would change, changed, or undid. */
export const Import = ({ id }: { id: string }) => (
  <FollowedJob<Report>
    id={id}
    path={`/internal/imports/${id}`}
    title="Import"
    actions={<a href={at('/operations/imports')}>All imports</a>}
    lines={12}
    every={1000}
  >
    {(report, retry) => (
      <>
        <p>
          <bdi>{report.file}</bdi> <Status status={report.status} />
        </p>
        {report.status !== 'completed' && <SoFar {...report} />}
        {report.error && report.status !== 'completed' && <Attempt {...report} />}
        {retry}
        {report.status === 'completed' && <Done {...report} />}
        {!report.undoes && <Counts {...report} />}
        {!report.undoes && <Unread {...report} />}
        <BadRows {...report} />
        <KeptFields {...report} />
        <Missing {...report} />
        <Left {...report} />
        {report.dry_run && report.status === 'completed' && <Changes {...report} />}
        <Notes {...report} />
      </>
    )}
  </FollowedJob>
)

/** The progress so far. An undo reads no file. */
const SoFar = ({ undoes, progress, counts }: Report) =>
  undoes ? (
    <p role="status">{sayUndone(counts)} so far.</p>
  ) : (
    <Progress label="Bytes read" done={progress.bytes_read} of={progress.bytes_total} />
  )

/** `8 records deleted, 2 restored`. */
const sayUndone = ({ deleted, put_back }: Report['counts']) =>
  `${sayCount(deleted, 'record')} deleted, ${sayNumber(put_back)} restored`

/** Why the last attempt failed, and whether there will be another one. */
const Attempt = ({ status, error }: Report) =>
  status === 'failed' ? (
    <Notice kind="bad">{error}</Notice>
  ) : (
    <Notice kind="warning">An attempt failed and will be repeated: {error}</Notice>
  )

const Done = (report: Report) => {
  const { counts, dry_run, undoes, job_id, file } = report
  if (dry_run) return <Apply {...report} />
  if (undoes)
    return (
      <Notice kind={counts.left > 0 ? 'warning' : 'good'}>
        Undone: {sayUndone(counts)}.
        {counts.left > 0 &&
          ` ${sayCount(counts.left, 'record stays', 'records stay')}, because somebody has changed or used ${counts.left === 1 ? 'it' : 'them'}.`}
      </Notice>
    )
  return (
    <>
      <Notice kind={counts.bad_rows ? 'warning' : 'good'}>
        {counts.bad_rows
          ? `${sayCount(counts.bad_rows, 'row')} refused. ${sayRest(report)}`
          : 'All rows were imported.'}
      </Notice>
      <UndoImport id={job_id} file={file} />
      <Made {...report} />
    </>
  )
}

/** The sets that an import created, if any. */
const Made = ({ made, counts }: Report) => {
  const sets = made.filter(({ type }) => type === 'sets')
  if (sets.length === 0) return null
  return (
    <Section title={`New sets: ${sayNumber(counts.sets.created)}`}>
      <ul class="plain">
        {sets.map(({ id, name }) => (
          <li key={id}>
            <RecordLink type="sets" id={id} name={name} />
          </li>
        ))}
      </ul>
      {counts.sets.created > sets.length && (
        <p class="faint">And {sayNumber(counts.sets.created - sets.length)} more.</p>
      )}
    </Section>
  )
}
