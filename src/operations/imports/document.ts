import { type Static, Type } from '@sinclair/typebox'
import type { ImportReport } from '../../catalog/import/write/report.ts'
import { jobStatuses, type Shown } from '../../jobs/read.ts'
import { integer, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { sizes } from '../../limits.ts'
import type { Import } from './import.ts'
import type { ImportProgress } from './job.ts'

/** The path of imports. */
export const path = '/internal/imports'

const outcomes = () =>
  Type.Object(
    { created: integer(0), updated: integer(0), unchanged: integer(0), failed: integer(0) },
    { $id: 'ImportOutcomes' },
  )

const place = {
  file: Type.String({ description: 'The file, or the file inside the archive.' }),
  line: nullable(Type.Integer({ minimum: 1, description: 'Null if the file has no lines, such as a release.' })),
}

const counts = Type.Object(
  {
    ...{ files: integer(0), sets: outcomes(), cards: outcomes(), records: outcomes() },
    ...{ players: integer(0), teams: integer(0), player_teams: integer(0) },
    labels: Type.Integer({ minimum: 0, description: 'Genres, years, makers and codes that the import created.' }),
    parallels_left_out: Type.Integer({
      minimum: 0,
      description: 'Cards of parallels and variations in releases, skipped because `parallels` is off.',
    }),
    bad_rows: integer(0),
  },
  { $id: 'ImportCounts' },
)

/** The answer of the POST. */
export const begun = Type.Object({ job_id: uuid() }, { $id: 'ImportBegun' })

/** The answer of the poll. */
export const state = Type.Object(
  {
    job_id: uuid(),
    status: oneOf([...jobStatuses]),
    file: Type.String(),
    publish: Type.Boolean(),
    parallels: Type.Boolean(),
    progress: Type.Object({
      bytes_read: integer(0),
      bytes_total: integer(0),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    counts,
    bad_rows: Type.Array(Type.Object({ ...place, reason: Type.String() }), {
      maxItems: sizes.badRows.most,
      description: 'The first thousand rows that failed; the rest of the file was imported.',
    }),
    notes: Type.Array(
      Type.Object({
        rule: Type.String(),
        count: integer(1),
        examples: Type.Array(Type.Object({ ...place, text: Type.String() })),
      }),
      { description: 'Remarks on rows that were imported.' },
    ),
    error: nullable(Type.String({ description: 'Why the last attempt failed.' })),
    created_at: time(),
    finished_at: nullable(time()),
  },
  { $id: 'Import' },
)

type BadRow = { file: string; line: number; reason: string }

/** The current state of an import; its counts are as of the last chunk written. */
export const renderImport = (job: Shown, { name, publish, parallels, bytes }: Import, badRows: BadRow[]) => {
  const progress = job.progress as ImportProgress | null
  const read = Math.min(progress?.bytes_read ?? 0, bytes)
  return {
    ...{ job_id: job.id, status: job.status, file: name, publish, parallels },
    progress: {
      ...{ bytes_read: read, bytes_total: bytes },
      percent: job.status === 'completed' ? 100 : Math.floor((read / bytes) * 100),
    },
    counts: countsOf(progress?.point.report),
    bad_rows: badRows.map(({ file, line, reason }) => ({ file, line: line || null, reason })),
    notes: unreadFirst(progress?.point.report.notes ?? {}).map(([rule, { count, examples }]) => ({
      ...{ rule, count },
      examples: examples.map(({ file, line, text }) => ({ file, line: line || null, text })),
    })),
    ...{ error: job.last_error, created_at: job.created_at, finished_at: job.finished_at },
  }
}

/** Unread columns come first: they matter most. */
const unreadFirst = (notes: ImportReport['notes']) =>
  Object.entries(notes).toSorted(([a], [b]) => Number(b === 'unread-column') - Number(a === 'unread-column'))

const none = { created: 0, updated: 0, unchanged: 0, failed: 0 }

const countsOf = (report: ImportReport | undefined) => ({
  files: report?.files ?? 0,
  sets: report?.sets ?? none,
  cards: report?.cards ?? none,
  records: report?.records ?? none,
  players: report?.players ?? 0,
  teams: report?.teams ?? 0,
  player_teams: report?.playerTeams ?? 0,
  labels: report?.labels ?? 0,
  parallels_left_out: report?.parallelsLeftOut ?? 0,
  bad_rows: report?.faultCount ?? 0,
})

/** An import as the OpenAPI document shows it. */
export const example: Static<typeof state> = {
  ...{ job_id: '0195a3c2-7d1e-7c3a-9d4e-2f6a8b0c1d2e', status: 'completed', file: '1986-87-fleer.csv' },
  ...{ publish: true, parallels: false, progress: { bytes_read: 9120, bytes_total: 9120, percent: 100 } },
  counts: {
    ...{ files: 1, sets: { ...none, created: 2 }, cards: { ...none, created: 142, failed: 1 }, records: none },
    ...{ players: 131, teams: 23, player_teams: 133, labels: 5, parallels_left_out: 0, bad_rows: 1 },
  },
  bad_rows: [{ file: '1986-87-fleer.csv', line: 58, reason: 'the row names no set' }],
  ...{ notes: [], error: null },
  ...{ created_at: '2026-11-21T12:00:00.000Z', finished_at: '2026-11-21T12:00:01.000Z' },
}
