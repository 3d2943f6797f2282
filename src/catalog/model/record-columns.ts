import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ColumnName } from '../../../db/rows.ts'
import * as schema from '../../../db/schema/index.ts'

/** A column that travels with a record. `values` are its possible texts, if there are only a few. */
export type RecordColumn<Name extends string = string> = {
  name: Name
  sqlType: string
  isRequired: boolean
  values?: string[]
}

/** Columns of every record that a copy does not set: its id and times travel separately, the rest is derived again. */
const own = ['id', 'audience', 'version', 'created_at', 'updated_at', 'deleted_at', 'import_id'] as const

const columnsOf = <Table extends PgTable, Derived extends ColumnName<Table> = never>(
  table: Table,
  derived: readonly Derived[] = [],
) =>
  Object.values(getTableColumns(table))
    .filter(({ name, generated }) => !generated && ![...own, ...derived].some((other) => other === name))
    .map((column) => ({
      name: column.name,
      sqlType: column.getSQLType(),
      isRequired: column.notNull,
      values: column.enumValues,
    })) as RecordColumn<Exclude<ColumnName<Table>, (typeof own)[number] | Derived>>[]

/**
 * The columns of each type that travel with its records: in exports, in imports of these, and in mirrors. What the
 * catalog derives (generated names, positions, counts) is not among them.
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
    'set_no',
    'number_key',
    'name',
    'has_player',
    'has_team',
    'oncard_ids',
    'attribute_ids',
    'image_ids',
  ]),
  'object-attributes': columnsOf(schema.objectAttributes),
  card_images: columnsOf(schema.cardImages),
  set_sources: columnsOf(schema.setSources),
  identifiers: columnsOf(schema.identifiers),
}

/** A value of a document as its column keeps it: aliases are lines of one text, trimmed and each once; none is null. */
export const columnOf = (value: unknown): string | null => {
  if (!Array.isArray(value)) return value as string | null
  const lines = new Set(value.map((line: string) => line.trim()))
  return lines.size > 0 ? [...lines].join('\n') : null
}

/** The columns that keep lists so. */
export const listColumns: ReadonlySet<string> = new Set(['aliases'])

/** The names of these columns. */
export const columnNames = <Type extends keyof typeof recordColumns>(type: Type) =>
  recordColumns[type].map(({ name }) => name) as (typeof recordColumns)[Type][number]['name'][]
