import { sql } from 'drizzle-orm'
import { boolean, date, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { audience, record } from './columns.ts'

/**
 * What sets and cards refer to. A `…_key` is the lower-cased form for sorting and lookups. An entity is a draft until something
 * published refers to it. `import_id` is the last import that mentioned it.
 */
const entity = { id: uuid().primaryKey(), audience: audience().default(1), import_id: uuid(), ...record }

/** What entities with a name share. */
const named = { ...entity, name: text().notNull(), name_key: text().generatedAlwaysAs(sql`lower(name)`) }

/** The name in the form that duplicates are compared in. */
const folded = { folded: text().generatedAlwaysAs(sql`name_fold(name)`) }

/** Other names, separated by line breaks. */
const aliased = { aliases: text() }

/** Sports and other subjects: Baseball, Basketball. Live names are unique. */
export const genres = pgTable('genres', { ...named, ...aliased, description: text() })

/** Brands: Topps Chrome, Fleer. Live names are unique. */
export const brands = pgTable('brands', { ...named, ...folded, ...aliased, description: text() })

/** Companies that print cards: Topps, Panini. Live names are unique. */
export const manufacturers = pgTable('manufacturers', { ...named, ...folded, ...aliased, description: text() })

/** Years and seasons, by name: 1986-87. Live names are unique. A year may have another as its parent, but is never its own ancestor. */
export const years = pgTable('years', { ...named, ...aliased, parent_year: uuid() })

/** Marks on a card: RC, AU. `attribute` is the code, unique among live ones, case included. `name` is its full name. */
export const attributes = pgTable('attributes', {
  ...named,
  attribute: text().notNull(),
  description: text(),
  color: text(),
  attribute_key: text().generatedAlwaysAs(sql`lower(attribute)`),
})

/** Teams. Two may have the same name. */
export const teams = pgTable('teams', { ...named, ...folded, ...aliased, location: text(), abbreviation: text() })

/** Players. `name` is the first and last name together. Two players may have the same name. */
export const players = pgTable('players', {
  ...named,
  ...folded,
  ...aliased,
  first_name: text().notNull(),
  last_name: text().notNull(),
  position: text(),
  disambiguation: text(),
  born_on: date(),
  first_name_key: text().generatedAlwaysAs(sql`lower(first_name)`),
  last_name_key: text().generatedAlwaysAs(sql`lower(last_name)`),
})

/**
 * A player on a team. Each pair exists once. The name contains both names and may be long, so the key is cut to fit an index
 * row. In a mirror, a yielded pair is one that the source has since given to another record. Its own change is on the way, and
 * until it arrives both exist.
 */
export const playerTeams = pgTable('player_teams', {
  ...entity,
  player_id: uuid()
    .notNull()
    .references(() => players.id),
  team_id: uuid()
    .notNull()
    .references(() => teams.id),
  name: text().notNull(),
  name_key: text().generatedAlwaysAs(sql`"left"(lower(name), 600)`),
  is_yielded: boolean().notNull().default(false),
})
