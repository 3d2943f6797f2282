import { boolean, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigint, bytea, time } from './columns.ts'
import { jobs } from './jobs.ts'

/**
 * Checklists that came over HTTP. `job_id` and `bytes` are null while the file is being uploaded; `agent` is who sent it, as
 * the audit log names them. `applies` is the dry run whose file an import reads; one with `undoes` takes back what that import
 * did, and has no file.
 */
export const imports = pgTable('imports', {
  id: uuid().primaryKey(),
  job_id: uuid(),
  name: text().notNull(),
  publish: boolean().notNull(),
  parallels: boolean().notNull(),
  bytes: bigint(),
  created_at: time().notNull(),
  agent: text(),
  overwrite: boolean().notNull().default(false),
  prune: boolean().notNull().default(false),
  dry_run: boolean().notNull().default(false),
  reading: json(),
  applies: uuid(),
  undoes: uuid(),
})

/** Imports that wrote the catalog, for as long as they can be undone: over HTTP, or by a command, which renews `alive_at`. */
export const importRuns = pgTable('import_runs', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  agent: text(),
  created_at: time().notNull(),
  finished_at: time(),
  alive_at: time(),
})

/** The file of an import in packed pieces, here because replicas share nothing else. They go when the import ends well. */
export const importPieces = pgTable(
  'import_pieces',
  {
    import_id: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    no: integer().notNull(),
    bytes: bytea().notNull(),
  },
  (t) => [primaryKey({ columns: [t.import_id, t.no] })],
)

/** The rows of an import that were refused, and why. */
export const importFaults = pgTable(
  'import_faults',
  {
    import_id: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    no: integer().notNull(),
    file: text().notNull(),
    line: integer().notNull(),
    reason: text().notNull(),
    cells: json(),
  },
  (t) => [primaryKey({ columns: [t.import_id, t.no] })],
)

/** What an import reports about records: fields that it kept, cards that its file does not have, what it would change. */
export const importFindings = pgTable(
  'import_findings',
  {
    import_id: uuid()
      .notNull()
      .references(() => imports.id, { onDelete: 'cascade' }),
    kind: text({ enum: ['kept', 'missing', 'changes', 'left'] }).notNull(),
    no: integer().notNull(),
    finding: json().notNull(),
  },
  (t) => [primaryKey({ columns: [t.import_id, t.kind, t.no] })],
)

/** The cards that an import met and did not make, while it runs: what else its sets have is missing in its file. */
export const importSeen = pgTable('import_seen', {
  id: uuid().primaryKey(),
  import_id: uuid().notNull(),
  ids: uuid().array().notNull(),
})

/** Card batches that a job writes. */
export const cardBatches = pgTable('card_batches', {
  job_id: uuid()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  total: integer().notNull(),
})

/** The rows of a batch in pieces, each from the row `first` on. They go when all are written. */
export const cardBatchRows = pgTable(
  'card_batch_rows',
  {
    job_id: uuid()
      .notNull()
      .references(() => cardBatches.job_id, { onDelete: 'cascade' }),
    first: integer().notNull(),
    rows: json().notNull(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.first] })],
)

/** What became of a batch's rows, by chunks from `first` on: written with the chunk's cards, gone with the job. */
export const cardBatchResults = pgTable(
  'card_batch_results',
  {
    job_id: uuid()
      .notNull()
      .references(() => cardBatches.job_id, { onDelete: 'cascade' }),
    first: integer().notNull(),
    results: json().notNull(),
  },
  (t) => [primaryKey({ columns: [t.job_id, t.first] })],
)
