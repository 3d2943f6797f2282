import { sql } from 'drizzle-orm'
import { integer, jsonb, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { audience, bigint, record, time } from './columns.ts'

/** Records of one type that a curator marked as different. A group of duplicates with only these isn't shown. */
export const duplicateDismissals = pgTable('duplicate_dismissals', {
  id: uuid().primaryKey(),
  object_type: text({ enum: ['players', 'teams', 'brands', 'manufacturers', 'sets', 'cards'] }).notNull(),
  ids: uuid().array().notNull(),
  agent_id: text(),
  created_at: time().notNull(),
})

/** A record's id in another catalog. It is as visible as the record. */
export const identifiers = pgTable('identifiers', {
  id: uuid().primaryKey(),
  object_type: text({
    enum: ['cards', 'sets', 'players', 'teams', 'brands', 'manufacturers', 'genres', 'years'],
  }).notNull(),
  object_id: uuid().notNull(),
  source: text().notNull(),
  value: text().notNull(),
  audience: audience(),
  ...record,
})

/** The history of records: each change, by whom and how, with the changed fields before and after. */
export const revisions = pgTable('revisions', {
  id: bigint().primaryKey().default(sql`nextval('revisions_id'::regclass)`),
  object_type: text().notNull(),
  object_id: uuid().notNull(),
  cause: text({ enum: ['request', 'import', 'prune', 'undo', 'merge', 'split', 'revert', 'command'] }).notNull(),
  cause_id: uuid(),
  agent_id: text(),
  changed_at: time().notNull(),
  before: jsonb().notNull(),
  after: jsonb().notNull(),
})

/**
 * Fields that somebody changed after an import wrote the record. `said` is what imports say about them. Imports leave them as
 * they are. `deleted` marks a record that a person deleted.
 */
export const curatedFields = pgTable(
  'curated_fields',
  {
    object_id: uuid().notNull(),
    field: text().notNull(),
    object_type: text().notNull(),
    said: jsonb().notNull(),
  },
  (t) => [primaryKey({ columns: [t.object_id, t.field] })],
)

/** What an import created, a few thousand ids per row. */
export const importMade = pgTable('import_made', {
  id: uuid().primaryKey(),
  import_id: uuid().notNull(),
  object_type: text().notNull(),
  ids: uuid().array().notNull(),
  file: integer(),
})

/** Records of one type that were merged into another. Undone merges stay. */
export const merges = pgTable('merges', {
  id: uuid().primaryKey(),
  object_type: text().notNull(),
  from_ids: uuid().array().notNull(),
  into_id: uuid().notNull(),
  note: text(),
  agent_id: text(),
  created_at: time().notNull(),
  undone_at: time(),
})

/** Where a merged record's id leads to, which may itself have been merged since. On a mirror the merge is unknown. */
export const redirects = pgTable('redirects', {
  id: uuid().primaryKey(),
  object_type: text().notNull(),
  into_id: uuid().notNull(),
  merge_id: uuid().references(() => merges.id),
})
