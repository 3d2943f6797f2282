import { getTableName } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import * as schema from '../../../../db/schema/index.ts'
import type { ListName } from '../../model/counts.ts'
import { columnNames } from '../../model/record-columns.ts'
import type { EntityType } from '../record.ts'

type EntityTable = {
  schema: PgTable
  table: string
  /** The columns that a writer sets. */
  columns: string[]
  /** The list whose rows lead to the entity: its tally row is the entity's lock, and refuses a DELETE. */
  usedBy: Extract<ListName, 'sets' | 'cards'>
  /** The column that is part of other names. */
  naming: string
  noun: string
}

const entity = (
  type: EntityType,
  table: PgTable,
  usedBy: EntityTable['usedBy'],
  noun: string,
  naming = 'name',
): EntityTable => {
  const columns: string[] = columnNames(type)
  return {
    ...{ schema: table, table: getTableName(table), usedBy, noun, naming },
    columns: columns.includes('name') ? columns : [...columns, 'name'],
  }
}

/** How each plain entity is stored. */
export const entityTables: Record<EntityType, EntityTable> = {
  attributes: entity('attributes', schema.attributes, 'cards', 'attribute', 'attribute'),
  brands: entity('brands', schema.brands, 'sets', 'brand'),
  genres: entity('genres', schema.genres, 'sets', 'genre'),
  manufacturers: entity('manufacturers', schema.manufacturers, 'sets', 'manufacturer'),
  years: entity('years', schema.years, 'sets', 'year'),
  players: entity('players', schema.players, 'cards', 'player'),
  teams: entity('teams', schema.teams, 'cards', 'team'),
  playerteams: entity('playerteams', schema.playerTeams, 'cards', 'player-team'),
}
