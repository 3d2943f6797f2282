import { date, integer, jsonb, pgTable, primaryKey, smallint, text, uuid } from 'drizzle-orm/pg-core'
import { bigint } from './columns.ts'

/** Numbers that are given once: the last place of a set. The row `sets.erasing` is a lock and counts nothing. */
export const counters = pgTable('counters', {
  name: text().primaryKey(),
  value: bigint().notNull(),
})

/**
 * How many rows of a list belong to an id: totals of lists, what a DELETE must refuse, and what is published. The numbers of
 * lists stand in `src/catalog/model/counts.ts`; an id of all f's is the whole list. Roots are sets without a parent.
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

/** Cards in each 64 sets (level 1: no >> 6) and each 4,096 sets (level 2: no >> 12): any page is found without counting rows. */
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

/** The words of names that may be misspelt, each once: search looks for near misses here first. */
export const words = pgTable('words', { word: text().primaryKey() })

/** The counts of `/v1/stats`, a row a day. */
export const statsDays = pgTable('stats_days', {
  day: date().primaryKey(),
  counts: jsonb().notNull(),
})
