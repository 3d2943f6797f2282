import { getTableColumns } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import type { ColumnName } from '../../../db/rows.ts'
import { type StoredType, type Tables, tables } from './tables.ts'

/**
 * A column that is copied with a record. One that is required and has a default may be missing from an older export. `values` are its
 * possible texts, if there are only a few.
 */
export type RecordColumn<Name extends string = string> = {
  name: Name
  sqlType: string
  isRequired: boolean
  hasDefault?: boolean
  values?: string[]
}

/** Columns of every record that copying leaves out: the id and times are copied separately, and the rest is derived again. */
const own = ['id', 'audience', 'version', 'created_at', 'updated_at', 'deleted_at', 'import_id'] as const

/** Other columns that the catalog derives: generated names, positions, counts. */
const derived = {
  players: ['name'],
  playerteams: ['name', 'is_yielded'],
  sets: ['no', 'year_key', 'live_cards', 'parent_hidden'],
  cards: ['set_no', 'number_key', 'name', 'has_player', 'has_team', 'oncard_ids', 'attribute_ids', 'image_ids'],
} as const satisfies { [Type in StoredType]?: readonly ColumnName<Tables[Type]>[] }

type Derived<Type> = Type extends keyof typeof derived ? (typeof derived)[Type][number] : never
type Travels<Type extends StoredType> = Exclude<ColumnName<Tables[Type]>, (typeof own)[number] | Derived<Type>>

const columnsOf = ([type, table]: [string, PgTable]) => {
  const others: readonly string[] = [...own, ...((derived as Record<string, readonly string[]>)[type] ?? [])]
  const columns = Object.values(getTableColumns(table))
    .filter(({ name, generated }) => !generated && !others.includes(name))
    .map((column) => ({
      name: column.name,
      sqlType: column.getSQLType(),
      isRequired: column.notNull,
      hasDefault: column.hasDefault,
      values: column.enumValues,
    }))
  return [type, columns]
}

/** The columns of each type that are copied with its records: in exports, in imports of exports, and in mirrors. */
export const recordColumns = Object.fromEntries(Object.entries(tables).map(columnsOf)) as {
  [Type in StoredType]: RecordColumn<Travels<Type>>[]
}

/** A document's value as its column stores it. A list becomes the lines of one text, trimmed and without duplicates, or null if empty. */
export const columnOf = (value: unknown): string | null => {
  if (!Array.isArray(value)) return value as string | null
  const lines = new Set(value.map((line: string) => line.trim()))
  return lines.size > 0 ? [...lines].join('\n') : null
}

/** The columns that store lists as lines. */
export const listColumns: ReadonlySet<string> = new Set(['aliases'])

/** The names of a type's copied columns. */
export const columnNames = <Type extends keyof typeof recordColumns>(type: Type) =>
  recordColumns[type].map(({ name }) => name) as (typeof recordColumns)[Type][number]['name'][]
