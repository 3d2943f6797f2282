import { useState } from 'preact/hooks'
import { get } from '../../kit/api.ts'
import { sayCount, sayName, sayNumber } from '../../kit/format.ts'
import { useAgain, useLoaded } from '../../kit/load.ts'
import { Notice, Show } from '../../kit/notice.tsx'
import { Section } from '../../kit/page.tsx'
import { Progress } from '../../kit/progress.tsx'
import { Table } from '../../kit/table.tsx'
import { isOpen, type JobStatus, often, Status } from '../jobs/job-list.tsx'
import { Retry } from '../jobs/retry.tsx'
import { OperatorPage } from '../operator-page.tsx'

type Outcomes = { created: number; updated: number; unchanged: number; failed: number }
type Place = { file: string; line: number | null }
type State = {
  status: JobStatus
  file: string
  progress: { bytes_read: number; bytes_total: number }
  counts: { sets: Outcomes; cards: Outcomes; records: Outcomes; bad_rows: number }
  bad_rows: (Place & { reason: string })[]
  notes: { rule: string; count: number; examples: (Place & { text: string })[] }[]
  kept: (Named & { field: string; kept: unknown; said: unknown })[]
  missing: { id: string; name: string; deleted: boolean }[]
  left: (Named & { reason: string })[]
  error: string | null
}
type Named = { type: string; id: string; name: string }

/** An import: how far it is, and the report of what it made and what it refused. */
export const Import = ({ id }: { id: string }) => {
  const read = useLoaded((signal) => get<State>(`/internal/imports/${id}`, { signal }), id)
  useAgain(read, often, isOpen(read.value?.status))
  return (
    <OperatorPage title="Import">
      <Show of={read} lines={12}>
        {(state) => (
          <>
            <p>
              {state.file} <Status status={state.status} />
            </p>
            <Progress label="Bytes read" done={state.progress.bytes_read} of={state.progress.bytes_total} />
            {state.error && <Attempt status={state.status} error={state.error} />}
            {state.status === 'failed' && <Retry id={id} done={read.reload} />}
            {state.status === 'completed' && (
              <Notice kind={state.counts.bad_rows ? 'warning' : 'good'}>
                {state.counts.bad_rows
                  ? `${sayCount(state.counts.bad_rows, 'row')} refused; the rest is in.`
                  : 'Every row is in.'}
              </Notice>
            )}
            <Counts counts={state.counts} />
            <BadRows rows={state.bad_rows} total={state.counts.bad_rows} />
            <Findings
              title="Kept as somebody changed it"
              lines={state.kept.map(
                ({ name, field, kept, said }) => `${name}: ${field} is ${say(kept)}, the file says ${say(said)}`,
              )}
            />
            <Findings
              title="Missing in the file"
              lines={state.missing.map(({ name, deleted }) => (deleted ? `${name}: deleted` : name))}
            />
            <Findings title="Left as it is" lines={state.left.map(({ name, reason }) => `${name}: ${reason}`)} />
            {state.notes.map(({ rule, count, examples }) => (
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
        )}
      </Show>
    </OperatorPage>
  )
}

const say = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value ?? null))

const Findings = ({ title, lines }: { title: string; lines: string[] }) =>
  lines.length === 0 ? null : (
    <Section title={title}>
      <ul>
        {lines.slice(0, fewRows).map((line, at) => (
          <li key={`${at} ${line}`}>{line}</li>
        ))}
      </ul>
      {lines.length > fewRows && <p>And {sayNumber(lines.length - fewRows)} more.</p>}
    </Section>
  )

/** Why the last attempt failed, and whether another takes its place. */
const Attempt = ({ status, error }: Pick<State, 'status'> & { error: string }) =>
  status === 'failed' ? (
    <Notice kind="bad">{error}</Notice>
  ) : (
    <Notice kind="warning">An attempt failed; another one will follow: {error}</Notice>
  )

const Counts = ({ counts }: { counts: State['counts'] }) => {
  const rows = (['sets', 'cards', 'records'] as const).map((what) => ({ what, ...counts[what] }))
  const outcome = (name: keyof Outcomes) => ({
    title: sayName(name),
    isNumber: true,
    cell: (row: Outcomes) => sayNumber(row[name]),
  })
  return (
    <Table
      caption="What was written"
      isCaptionSeen
      rows={rows}
      keyOf={({ what }) => what}
      columns={[
        { title: 'What', cell: ({ what }) => sayName(what) },
        outcome('created'),
        outcome('updated'),
        outcome('unchanged'),
        outcome('failed'),
      ]}
    />
  )
}

const fewRows = 50

const BadRows = ({ rows, total }: { rows: State['bad_rows']; total: number }) => {
  const [isAll, setAll] = useState(false)
  if (rows.length === 0) return null
  return (
    <Section title="Refused rows">
      {total > rows.length && <p>Here are the first {sayNumber(rows.length)}.</p>}
      <Table
        caption="Refused rows"
        rows={(isAll ? rows : rows.slice(0, fewRows)).map((row, at) => ({ ...row, at }))}
        keyOf={({ at }) => String(at)}
        columns={[
          { title: 'File', cell: ({ file }) => file },
          { title: 'Line', cell: ({ line }) => (line === null ? '–' : sayNumber(line)), isNumber: true },
          { title: 'Reason', cell: ({ reason }) => reason },
        ]}
      />
      {!isAll && rows.length > fewRows && (
        <button type="button" onClick={() => setAll(true)}>
          Show all {sayNumber(rows.length)}
        </button>
      )}
    </Section>
  )
}
