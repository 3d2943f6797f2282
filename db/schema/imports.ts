import { boolean, integer, json, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { bigint, bytea, time } from './columns.ts'
import { jobs } from './jobs.ts'

/**
 * Checklists that were uploaded over HTTP. `job_id` and `bytes` are null during the upload. `agent` is who sent it, as in the
 * audit log. `applies` is the dry run whose file an import reads. One with `undoes` undoes that import, and has no file.
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
  clear_missing: boolean().notNull().default(false),
  dry_run: boolean().notNull().default(false),
  reading: json(),
  applies: uuid(),
  undoes: uuid(),
})

/**
 * Imports that wrote the catalog, over HTTP or by a command, which renews `alive_at`. Kept for as long as they can be undone.
 */
export const importRuns = pgTable('import_runs', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  agent: text(),
  created_at: time().notNull(),
  finished_at: time(),
  alive_at: time(),
})

/**
 * The file of an import in packed pieces, stored here because replicas share nothing else. They are deleted when the import
 * succeeds.
 */
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

/** What an import reports about records: fields that it kept, cards that its file lacks, what it would change. */
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

/** The existing cards that a running import has found in its file. The other cards of its sets are missing in the file. */
export const importSeen = pgTable('import_seen', {
  id: uuid().primaryKey(),
  import_id: uuid().notNull(),
  ids: uuid().array().notNull(),
  file: integer(),
})

/** Card batches that a job writes. */
export const cardBatches = pgTable('card_batches', {
  job_id: uuid()
    .primaryKey()
    .references(() => jobs.id, { onDelete: 'cascade' }),
  total: integer().notNull(),
})

/** The rows of a batch in pieces. Each starts with the row `first`. They are deleted when all are written. */
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

/**
 * The results of a batch's rows, in chunks that start at `first`. Each is written with the chunk's cards, and deleted with the
 * job.
 */
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
