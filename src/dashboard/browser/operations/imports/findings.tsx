import { sayCount, sayNumber } from '../../kit/format.ts'
import { Section } from '../../kit/page.tsx'
import { RecordLink } from '../../kit/records.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { Growing } from './growing.tsx'
import { type Report, sayRest, unreadRule } from './report.ts'

/** Cards of the file's sets that aren't in the file. */
export const Missing = ({ missing, counts, prune, dry_run }: Report) =>
  missing.length === 0 ? null : (
    <Section title={`Missing from the file: ${sayCount(counts.missing, 'card')}`}>
      <p class="faint">
        {prune
          ? `${dry_run ? 'The import will delete them' : 'Deleted'}, except those that a person added or changed.`
          : 'They stay. To delete them, select “Delete cards that aren’t in the file”.'}
        {counts.missing > missing.length && ` Showing the first ${sayNumber(missing.length)}.`}
      </p>
      <Growing
        rows={missing}
        label="Missing cards"
        row={({ id, name, deleted }) => (
          <span>
            {deleted && !dry_run ? <bdi>{name}</bdi> : <a href={at(`/cards/${id}`)}>{name}</a>}{' '}
            {deleted && <span class="badge bad">{dry_run ? 'would be deleted' : 'deleted'}</span>}
          </span>
        )}
      />
    </Section>
  )

/** What an undo left alone, and why. */
export const Left = ({ left, counts }: Report) =>
  left.length === 0 ? null : (
    <Section title={`What stays: ${sayCount(counts.left, 'record')}`}>
      {counts.left > left.length && <p class="faint">Showing the first {sayNumber(left.length)}.</p>}
      <Growing
        rows={left}
        label="Records that stay"
        row={({ reason, ...record }) => (
          <span>
            <RecordLink {...record} />: <span class="faint">{reason}</span>
          </span>
        )}
      />
    </Section>
  )

/** Refused rows, with a CSV file to fix them in. */
export const BadRows = (report: Report) => {
  const { job_id, bad_rows: rows, counts, dry_run, status } = report
  const rest = dry_run ? 'The import will leave these out.' : status === 'completed' && sayRest(report)
  return rows.length === 0 ? null : (
    <Section
      title={`Refused rows: ${sayNumber(counts.bad_rows)}`}
      actions={
        <a class="button" href={at(`/internal/imports/${job_id}/refused`)} download>
          Download as CSV
        </a>
      }
    >
      <p class="faint">
        {counts.bad_rows > rows.length && `Showing the first ${sayNumber(rows.length)}. `}
        {rest} Fix them in the CSV file, and import that file.
      </p>
      <Table
        caption="Refused rows"
        rows={rows.map((row, place) => ({ ...row, place }))}
        keyOf={({ place }) => String(place)}
        columns={[
          { title: 'File', cell: ({ file }) => file },
          { title: 'Line', cell: ({ line }) => (line === null ? '–' : sayNumber(line)), isNumber: true },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
    </Section>
  )
}

/** Notes on rows that were read. */
export const Notes = ({ notes }: Report) => (
  <>
    {notes
      .filter(({ rule }) => rule !== unreadRule)
      .map(({ rule, count, examples }) => (
        <Section key={rule} title={`${rule}: ${sayCount(count, 'row')}`}>
          <ul>
            {examples.map(({ file, line, text }) => (
              <li key={`${file} ${line} ${text}`}>
                {file}
                {line && `, line ${line}`}: {text}
              </li>
            ))}
          </ul>
        </Section>
      ))}
  </>
)
