import { getTableName } from 'drizzle-orm'
import * as schema from '../../../db/schema/index.ts'

/** The Drizzle table of each type. */
export const tables = {
  genres: schema.genres,
  years: schema.years,
  brands: schema.brands,
  manufacturers: schema.manufacturers,
  attributes: schema.attributes,
  teams: schema.teams,
  players: schema.players,
  playerteams: schema.playerTeams,
  sets: schema.sets,
  cards: schema.cards,
  'object-attributes': schema.objectAttributes,
  card_images: schema.cardImages,
  set_sources: schema.setSources,
  identifiers: schema.identifiers,
}

export type Tables = typeof tables
export type StoredType = keyof Tables

/** The name of a type's table. */
export const tableOf = <Type extends StoredType>(type: Type): Tables[Type]['_']['name'] => getTableName(tables[type])
