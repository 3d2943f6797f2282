import type { PgTable } from 'drizzle-orm/pg-core'
import type { ListName } from '../../model/counts.ts'
import { columnNames } from '../../model/record-columns.ts'
import { tableOf, tables } from '../../model/tables.ts'
import type { EntityType } from '../record.ts'

type EntityTable = {
  schema: PgTable
  table: string
  /** The columns that a writer sets. */
  columns: string[]
  /** The list that keeps the entity in use. Its tally row is the entity's lock, and decides about a DELETE. */
  usedBy: Extract<ListName, 'sets' | 'cards'>
  /** The column that is part of other names. */
  naming: string
  noun: string
}

const entity = (type: EntityType, usedBy: EntityTable['usedBy'], noun: string, naming = 'name'): EntityTable => {
  const columns: string[] = columnNames(type)
  return {
    ...{ schema: tables[type], table: tableOf(type), usedBy, noun, naming },
    columns: columns.includes('name') ? columns : [...columns, 'name'],
  }
}

/** How each plain entity is stored. */
export const entityTables: Record<EntityType, EntityTable> = {
  attributes: entity('attributes', 'cards', 'attribute', 'attribute'),
  brands: entity('brands', 'sets', 'brand'),
  genres: entity('genres', 'sets', 'genre'),
  manufacturers: entity('manufacturers', 'sets', 'manufacturer'),
  years: entity('years', 'sets', 'year'),
  players: entity('players', 'cards', 'player'),
  teams: entity('teams', 'cards', 'team'),
  playerteams: entity('playerteams', 'cards', 'player-team'),
}
