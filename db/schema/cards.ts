import {
  type AnyPgColumn,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { audience, record, time } from './columns.ts'
import { attributes, players, playerTeams, teams } from './entities.ts'
import { sets } from './sets.ts'

/**
 * Cards. A card's set decides who sees it; `set_no` is that set's position. `number_key` sorts numbers as collectors do. `name`
 * says what is on the card. The `…_ids` store its relationships in readers' form, separated by commas: entries as p, t or x
 * with the id of the player, team or player-team, then ids of attributes and of images.
 */
export const cards = pgTable('cards', {
  id: uuid().primaryKey(),
  set_id: uuid()
    .notNull()
    .references(() => sets.id),
  set_no: integer().notNull(),
  number: text(),
  number_key: text().notNull(),
  name: text().notNull(),
  serial_number: text(),
  image_uuid: uuid(),
  title: text(),
  notes: text(),
  parent_id: uuid().references((): AnyPgColumn => cards.id),
  has_player: boolean().notNull().default(false),
  has_team: boolean().notNull().default(false),
  oncard_ids: text(),
  attribute_ids: text(),
  image_ids: text(),
  import_id: uuid(),
  ...record,
})

/**
 * Who is on a card, in order. A player-team entry fills all three ids. `lists_…` is true on the first entry of a live card with
 * that player, team or pair, so that a list shows the card once.
 */
export const oncard = pgTable(
  'oncard',
  {
    card_id: uuid()
      .notNull()
      .references(() => cards.id, { onDelete: 'cascade' }),
    position: smallint().notNull(),
    player_id: uuid().references(() => players.id),
    team_id: uuid().references(() => teams.id),
    player_team_id: uuid().references(() => playerTeams.id),
    set_no: integer().notNull(),
    number_key: text().notNull(),
    lists_player: boolean().notNull(),
    lists_team: boolean().notNull(),
    lists_player_team: boolean().notNull(),
  },
  (t) => [primaryKey({ columns: [t.card_id, t.position] })],
)

/** The attributes of a card, each with the card's position. */
export const cardAttributes = pgTable(
  'card_attributes',
  {
    card_id: uuid()
      .notNull()
      .references(() => cards.id, { onDelete: 'cascade' }),
    attribute_id: uuid()
      .notNull()
      .references(() => attributes.id),
    set_no: integer().notNull(),
    number_key: text().notNull(),
  },
  (t) => [primaryKey({ columns: [t.card_id, t.attribute_id] })],
)

/** The value of an attribute on a card, set, player or team, at most one live value each. It is as visible as that record. */
export const objectAttributes = pgTable('object_attributes', {
  id: uuid().primaryKey(),
  attribute_id: uuid()
    .notNull()
    .references(() => attributes.id),
  attribute_value: text().notNull(),
  object_type: text({ enum: ['card', 'set', 'player', 'team'] }).notNull(),
  object_id: uuid().notNull(),
  audience: audience(),
  ...record,
})

/** Images of cards, a live one of each type. The files are in DATA_DIR or in S3. `variants` lists the sizes that were made. */
export const cardImages = pgTable('card_images', {
  id: uuid().primaryKey(),
  card_id: uuid()
    .notNull()
    .references(() => cards.id, { onDelete: 'cascade' }),
  content_type: text().notNull(),
  width: integer().notNull(),
  height: integer().notNull(),
  bytes: integer().notNull(),
  variants: jsonb().notNull(),
  image_type: text({ enum: ['front', 'back'] })
    .notNull()
    .default('front'),
  audience: audience(),
  ...record,
})

/** Image files that no row owns: an upload in progress, or what was erased. They are deleted after `loose_from`. */
export const looseImages = pgTable('loose_images', {
  id: uuid().primaryKey(),
  loose_from: time().notNull(),
})

/** The words of titles, for finding them by beginnings and near misses. A word may be here twice, or be of no title any more. */
export const titleWords = pgTable('title_words', {
  id: uuid().primaryKey(),
  word: text().notNull(),
})
