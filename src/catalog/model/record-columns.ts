import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../db/schema/index.ts'

/** A column that a record takes along wherever it goes. `values` are the texts that it can have, where they are few. */
export type RecordColumn = { name: string; sqlType: string; isRequired: boolean; values?: string[] }

/** What every record has and no copy sets: its id and times go beside the columns, the rest is made anew. */
const own = new Set(['id', 'audience', 'version', 'created_at', 'updated_at', 'deleted_at'])

const columnsOf = (table: PgTable, derived: string[] = []): RecordColumn[] =>
  Object.values(getTableColumns(table))
    .filter(({ name, generated }) => !generated && !own.has(name) && !derived.includes(name))
    .map((column) => ({
      name: column.name,
      sqlType: column.getSQLType(),
      isRequired: column.notNull,
      values: column.enumValues,
    }))

/**
 * The columns of each type that leave and arrive with its records: in exports and imports of them, and in mirrors. What the
 * catalog derives by itself (names made of others, places, counts) is not among them.
 */
export const recordColumns = {
  genres: columnsOf(schema.genres),
  years: columnsOf(schema.years),
  brands: columnsOf(schema.brands),
  manufacturers: columnsOf(schema.manufacturers),
  attributes: columnsOf(schema.attributes),
  teams: columnsOf(schema.teams),
  players: columnsOf(schema.players, ['name']),
  playerteams: columnsOf(schema.playerTeams, ['name', 'is_yielded']),
  sets: columnsOf(schema.sets, ['no', 'year_key', 'live_cards']),
  cards: columnsOf(schema.cards, [
    ...['set_no', 'number_key', 'name', 'has_player', 'has_team'],
    ...['oncard_ids', 'attribute_ids', 'image_ids'],
  ]),
  'object-attributes': columnsOf(schema.objectAttributes),
  card_images: columnsOf(schema.cardImages),
  set_sources: columnsOf(schema.setSources),
}
