/**
 * Every table, in a file per room, and the only place where a table is described. Columns are named as in SQL, so that a row
 * has one type however it is read: `Row<typeof sets>`. Times, dates and bigints are texts. Indexes, checks, views and functions
 * are in `db/migrations`.
 */
export * from './access.ts'
export * from './accounts.ts'
export * from './audit.ts'
export * from './billing.ts'
export * from './cards.ts'
export * from './collection.ts'
export type { NewRow, Row } from './columns.ts'
export * from './counts.ts'
export * from './curation.ts'
export * from './entities.ts'
export * from './feed.ts'
export * from './imports.ts'
export * from './jobs.ts'
export * from './migrations.ts'
export * from './mirror.ts'
export * from './sets.ts'
export * from './webhooks.ts'
export * from './workflow.ts'
