import { type TSchema, Type } from '@sinclair/typebox'
import type { Queryable } from '../../../db/client.ts'
import { type ImportReport, newReport } from '../../catalog/import/write/report.ts'
import { jobStatuses, type Shown } from '../../jobs/read.ts'
import { integer, link, nullable, oneOf, time, uuid } from '../../jsonapi/fields.ts'
import { sizes } from '../../limits.ts'
import type { Import } from './import.ts'
import type { ImportProgress } from './job.ts'
import { listMade, made } from './made.ts'
import { type ReportList, readStretch, reportLists } from './report-lists.ts'

/** The path of imports. */
export const path = '/internal/imports'

const outcomes = () =>
  Type.Object(
    { created: integer(0), updated: integer(0), unchanged: integer(0), failed: integer(0) },
    { $id: 'ImportOutcomes' },
  )

const members = () => Type.Record(Type.String(), Type.Unknown())
const place = {
  file: Type.String({ description: 'The file, or the file inside the archive.' }),
  line: nullable(Type.Integer({ minimum: 1, description: 'Null if the file has no lines, such as a release.' })),
}

const named = { type: Type.String(), id: uuid(), name: Type.String() }

const counts = Type.Object(
  {
    files: integer(0),
    sets: outcomes(),
    cards: outcomes(),
    records: outcomes(),
    players: integer(0),
    teams: integer(0),
    player_teams: integer(0),
    labels: Type.Integer({ minimum: 0, description: 'Genres, years, makers and codes that the import created.' }),
    parallels_left_out: Type.Integer({
      minimum: 0,
      description: 'Cards of parallels and variations in releases, skipped because `parallels` is off.',
    }),
    years: Type.Integer({ minimum: 0, description: 'Years among the labels.' }),
    kept: Type.Integer({ minimum: 0, description: 'Fields that were kept because somebody had changed them.' }),
    missing: Type.Integer({ minimum: 0, description: 'Cards of the file’s sets that aren’t in the file.' }),
    pruned: Type.Integer({ minimum: 0, description: 'Missing cards that the import deleted.' }),
    changes: Type.Integer({ minimum: 0, description: 'For a dry run: sets and cards that would change.' }),
    deleted: Type.Integer({ minimum: 0, description: 'For an undo: records that it deleted.' }),
    put_back: Type.Integer({ minimum: 0, description: 'For an undo: records whose fields it restored.' }),
    left: Type.Integer({
      minimum: 0,
      description: 'For an undo: records that stay because somebody has changed or used them.',
    }),
    bad_rows: integer(0),
  },
  { $id: 'ImportCounts' },
)

/** The answer to the POST. */
export const begun = Type.Object({ job_id: uuid() }, { $id: 'ImportBegun' })

/** The lists of a report. The poll shows the first thousand of each, or fewer if they are long. */
export const lists = {
  bad_rows: Type.Array(Type.Object({ ...place, reason: Type.String() }), {
    maxItems: sizes.badRows.most,
    description: 'The first thousand rows that were refused.',
  }),
  kept: Type.Array(
    Type.Object({
      ...named,
      field: Type.String(),
      kept: Type.Unknown(),
      said: Type.Unknown(),
      change: nullable(
        Type.Partial(Type.Object({ attributes: members(), relationships: members() }), {
          description: 'The PATCH that would give the record the file’s value.',
        }),
      ),
    }),
    {
      maxItems: sizes.findings.most,
      description: 'The first thousand fields that were kept, and what the file says. References are shown by name.',
    },
  ),
  missing: Type.Array(Type.Object({ id: uuid(), set_id: uuid(), name: Type.String(), deleted: Type.Boolean() }), {
    maxItems: sizes.findings.most,
    description: 'The first thousand missing cards.',
  }),
  changes: Type.Array(
    Type.Object({
      ...named,
      before: nullable(Type.Unsafe<object>(Type.Object({}))),
      after: Type.Unsafe<object>(Type.Object({})),
    }),
    {
      maxItems: sizes.findings.most,
      description:
        'For a dry run: the first thousand sets and cards with their changed fields. `before` is null for new ones.',
    },
  ),
  left: Type.Array(Type.Object({ ...named, reason: Type.String() }), {
    maxItems: sizes.findings.most,
    description: 'For an undo: the first thousand records that stay, and why.',
  }),
} satisfies Record<ReportList, TSchema>

/** The answer to the poll. */
export const state = Type.Object(
  {
    job_id: uuid(),
    status: oneOf([...jobStatuses]),
    file: Type.String(),
    publish: Type.Boolean(),
    parallels: Type.Boolean(),
    overwrite: Type.Boolean(),
    prune: Type.Boolean(),
    clear_missing: Type.Boolean(),
    dry_run: Type.Boolean(),
    applies: nullable(uuid()),
    undoes: nullable(uuid()),
    progress: Type.Object({
      bytes_read: integer(0),
      bytes_total: integer(0),
      percent: Type.Integer({ minimum: 0, maximum: 100 }),
    }),
    counts,
    ...lists,
    links: Type.Object(
      { bad_rows: link(), kept: link(), missing: link(), changes: link(), left: link() },
      { description: 'All of each list, in pages.' },
    ),
    made,
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

/** The current state of an import. Its counts are from the last chunk written. */
export const renderImport = async (db: Queryable, baseUrl: string, job: Shown, found: Import) => {
  const { id, name, publish, parallels, overwrite, prune, clear_missing, dry_run, applies, undoes, bytes } = found
  const progress = job.progress as ImportProgress | null
  const report = reportOf(job)
  const read = Math.min(progress?.bytes_read ?? 0, bytes)
  const counts = countsOf(report)
  const shown = await Promise.all(
    reportLists.map(async (list) => [list, (await readStretch(db, id, list, { from: 0, count: counts[list] })).rows]),
  )
  const address = `${baseUrl}${path}/${job.id}`
  return {
    job_id: job.id,
    status: job.status,
    file: name,
    publish,
    parallels,
    overwrite,
    prune,
    clear_missing,
    dry_run,
    applies,
    undoes,
    progress: {
      bytes_read: read,
      bytes_total: bytes,
      percent: job.status === 'completed' ? 100 : Math.floor((read / Math.max(1, bytes)) * 100),
    },
    counts,
    ...(Object.fromEntries(shown) as Record<ReportList, unknown[]>),
    links: Object.fromEntries(reportLists.map((list) => [list, `${address}/${list}`])),
    made: dry_run || undoes ? [] : await listMade(db, id, baseUrl),
    notes: unreadFirst(report.notes).map(([rule, { count, examples }]) => ({
      rule,
      count,
      examples: examples.map(({ file, line, text }) => ({ file, line: line || null, text })),
    })),
    error: job.last_error,
    created_at: job.created_at,
    finished_at: job.finished_at,
  }
}

/** The report so far. That of an earlier release may lack some counts. */
const reportOf = ({ progress }: Pick<Shown, 'progress'>): ImportReport => {
  const { point, undo } = (progress ?? {}) as Partial<ImportProgress>
  return { ...newReport(), ...(point?.report ?? undo?.report) }
}

/** The counts of an import so far. */
export const countsIn = (job: Pick<Shown, 'progress'>) => countsOf(reportOf(job))

/** Unread columns come first, since they matter most. */
const unreadFirst = (notes: ImportReport['notes']) =>
  Object.entries(notes).toSorted(([a], [b]) => Number(b === 'unread-column') - Number(a === 'unread-column'))

export const none = { created: 0, updated: 0, unchanged: 0, failed: 0 }

const countsOf = ({ files, sets, cards, records, players, teams, labels, years, ...report }: ImportReport) => ({
  files,
  sets,
  cards,
  records,
  players,
  teams,
  player_teams: report.playerTeams,
  labels,
  parallels_left_out: report.parallelsLeftOut,
  years,
  kept: report.keptCount,
  missing: report.missingCount,
  pruned: report.pruned,
  changes: report.changeCount,
  deleted: report.deleted,
  put_back: report.putBack,
  left: report.leftCount,
  bad_rows: report.faultCount,
})
