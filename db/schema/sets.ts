import { sql } from 'drizzle-orm'
import { type AnyPgColumn, boolean, date, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { audience, record, time } from './columns.ts'
import { brands, genres, manufacturers, years } from './entities.ts'

/**
 * Sets, and the inserts and parallels below them. `no` is the set's position in the order of the whole catalog. `year_key` is
 * its year's key, `live_cards` counts its cards. `parent_hidden`: it is published, and its parent isn't. The status decides who sees the set and all of its cards.
 */
export const sets = pgTable('sets', {
  id: uuid().primaryKey(),
  no: integer().notNull(),
  name: text().notNull(),
  name_key: text().generatedAlwaysAs(sql`lower(name)`),
  folded: text().generatedAlwaysAs(sql`name_fold(name)`),
  aliases: text(),
  description: text(),
  status: text({ enum: ['draft', 'published'] })
    .notNull()
    .default('draft'),
  kind: text({ enum: ['base', 'parallel', 'insert', 'autograph', 'variation'] })
    .notNull()
    .default('base'),
  release_date: date(),
  genre_id: uuid().references(() => genres.id),
  year_id: uuid().references(() => years.id),
  year_key: text(),
  brand_id: uuid().references(() => brands.id),
  manufacturer_id: uuid().references(() => manufacturers.id),
  parent_id: uuid().references((): AnyPgColumn => sets.id),
  parent_hidden: boolean().notNull().default(false),
  live_cards: integer().notNull().default(0),
  import_id: uuid(),
  audience: audience().default(1),
  ...record,
})

/** Pages and documents that a set's checklist was taken from. They are as visible as the set. */
export const setSources = pgTable('set_sources', {
  id: uuid().primaryKey(),
  set_id: uuid()
    .notNull()
    .references(() => sets.id, { onDelete: 'cascade' }),
  source_url: text().notNull(),
  title: text(),
  notes: text(),
  source_type: text({ enum: ['checklist', 'metadata', 'images'] })
    .notNull()
    .default('checklist'),
  verified_at: time(),
  audience: audience(),
  ...record,
})
