import { sayCount, sayNumber } from '../../kit/format.ts'
import { Section } from '../../kit/page.tsx'
import { at } from '../../kit/settings.ts'
import { Table } from '../../kit/table.tsx'
import { placeOf } from '../curation/records.ts'
import { Growing } from './growing.tsx'
import { type Report, unreadRule } from './report.ts'

/** Cards that the sets of a file have and the file does not. */
export const Missing = ({ missing, counts, prune, dry_run }: Report) =>
  missing.length === 0 ? null : (
    <Section title={`Missing from the file: ${sayCount(counts.missing, 'card')}`}>
      <p class="faint">
        {prune
          ? `${dry_run ? 'The import deletes them' : 'Deleted'}, except those that a person added or changed.`
          : 'They stay. To delete them, tick “Delete cards that the file does not have”.'}
        {counts.missing > missing.length && ` These are the first ${sayNumber(missing.length)}.`}
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

/** What an undo did not take back, and why. */
export const Left = ({ left, counts }: Report) =>
  left.length === 0 ? null : (
    <Section title={`What stays: ${sayCount(counts.left, 'record')}`}>
      {counts.left > left.length && <p class="faint">These are the first {sayNumber(left.length)}.</p>}
      <Growing
        rows={left}
        label="Records that stay"
        row={({ type, id, name, reason }) => {
          const href = placeOf(type, id)
          return (
            <span>
              {href ? <a href={href}>{name}</a> : <bdi>{name}</bdi>}: <span class="faint">{reason}</span>
            </span>
          )
        }}
      />
    </Section>
  )

/** Rows that were refused, with the table to mend them in. */
export const BadRows = ({ job_id, bad_rows: rows, counts, dry_run }: Report) =>
  rows.length === 0 ? null : (
    <Section
      title={`Refused rows: ${sayNumber(counts.bad_rows)}`}
      actions={
        <a class="button" href={at(`/internal/imports/${job_id}/refused`)} download>
          CSV to fix
        </a>
      }
    >
      <p class="faint">
        {counts.bad_rows > rows.length && `These are the first ${sayNumber(rows.length)}. `}
        {dry_run ? 'The import leaves them out.' : 'The rest is in.'} Fix them in the CSV, and import it by itself.
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

/** What is worth knowing of rows that were read. */
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
