import { date, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bigint } from './columns.ts'

/** Numbers that are assigned once, such as the last position of a set. The row `sets.erasing` is a lock and counts nothing. */
export const counters = pgTable('counters', {
  name: text().primaryKey(),
  value: bigint().notNull(),
})

/**
 * How many rows of a list belong to an id, for totals of lists, refusals of DELETE, and what is published. The numbers of lists
 * are in `src/catalog/model/counts.ts`. An id of all f's is the whole list. Roots are sets without a parent.
 */
export const tallies = pgTable(
  'tallies',
  {
    list: smallint().notNull(),
    id: uuid().notNull(),
    live: bigint().notNull().default('0'),
    published: bigint().notNull().default('0'),
    live_roots: bigint().notNull().default('0'),
    published_roots: bigint().notNull().default('0'),
  },
  (t) => [primaryKey({ columns: [t.list, t.id] })],
)

/**
 * The number of cards per 64 sets (level 1: no >> 6) and per 4,096 sets (level 2: no >> 12), so that any page is found without
 * counting rows.
 */
export const cardBlocks = pgTable(
  'card_blocks',
  {
    level: smallint().notNull(),
    block: integer().notNull(),
    live: integer().notNull().default(0),
    published: integer().notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.level, t.block] })],
)

/** The counts of `/v1/stats`, one row per day. */
export const statsDays = pgTable('stats_days', {
  day: date().primaryKey(),
  counts: jsonb().notNull(),
})
