import type { ListName } from '../../model/counts.ts'

/** The catalog's plain entities, by resource type. */
export type EntityType =
  | 'attributes'
  | 'brands'
  | 'genres'
  | 'manufacturers'
  | 'years'
  | 'players'
  | 'teams'
  | 'playerteams'

export type EntityTable = {
  table: string
  /** The columns that a writer sets, in order; the first are texts, `references` are uuids. */
  columns: string[]
  references?: string[]
  /** The list whose rows lead to the entity: its tally row is the entity's lock, and refuses a DELETE. */
  usedBy: Extract<ListName, 'sets' | 'cards'>
  /** The column that stands in other names. */
  naming: string
  noun: string
}

/** How each plain entity is stored. */
export const entityTables: Record<EntityType, EntityTable> = {
  attributes: {
    table: 'attributes',
    columns: ['attribute', 'name', 'description', 'color'],
    usedBy: 'cards',
    naming: 'attribute',
    noun: 'attribute',
  },
  brands: { table: 'brands', columns: ['name', 'description'], usedBy: 'sets', naming: 'name', noun: 'brand' },
  genres: { table: 'genres', columns: ['name', 'description'], usedBy: 'sets', naming: 'name', noun: 'genre' },
  manufacturers: {
    table: 'manufacturers',
    columns: ['name', 'description'],
    usedBy: 'sets',
    naming: 'name',
    noun: 'manufacturer',
  },
  years: { table: 'years', columns: ['name'], usedBy: 'sets', naming: 'name', noun: 'year' },
  players: {
    table: 'players',
    columns: ['first_name', 'last_name', 'position', 'name'],
    usedBy: 'cards',
    naming: 'name',
    noun: 'player',
  },
  teams: {
    table: 'teams',
    columns: ['name', 'location', 'abbreviation'],
    usedBy: 'cards',
    naming: 'name',
    noun: 'team',
  },
  playerteams: {
    table: 'player_teams',
    columns: ['name', 'player_id', 'team_id'],
    references: ['player_id', 'team_id'],
    usedBy: 'cards',
    naming: 'name',
    noun: 'player-team',
  },
}
