// Made from the OpenAPI document by `bun run docs`.
import type { Filter } from './filter.ts'
import type { Reference } from './reference.ts'

/** For each type: what is read, what may be written, and what a list takes. */
export interface Schema {
  attributes: {
    attributes: {
      attribute: string
      name: string
      description: string | null
      color: string | null
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: object
    create: { attribute: string; name: string; description?: string | null; color?: string | null }
    update: { attribute?: string; name?: string; description?: string | null; color?: string | null }
    include: never
    sort: 'attribute' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      attribute?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  brands: {
    attributes: {
      name: string
      description: string | null
      aliases: string[]
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: { sets: 'sets' }
    create: { name: string; description?: string | null; aliases?: string[] }
    update: { name?: string; description?: string | null; aliases?: string[] }
    include:
      | 'sets'
      | 'sets.genre'
      | 'sets.year'
      | 'sets.brand'
      | 'sets.manufacturer'
      | 'sets.parent'
      | 'sets.children'
      | 'sets.identifiers'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  manufacturers: {
    attributes: {
      name: string
      description: string | null
      aliases: string[]
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: { sets: 'sets' }
    create: { name: string; description?: string | null; aliases?: string[] }
    update: { name?: string; description?: string | null; aliases?: string[] }
    include:
      | 'sets'
      | 'sets.genre'
      | 'sets.year'
      | 'sets.brand'
      | 'sets.manufacturer'
      | 'sets.parent'
      | 'sets.children'
      | 'sets.identifiers'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  genres: {
    attributes: {
      name: string
      description: string | null
      aliases: string[]
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: { sets: 'sets' }
    create: { name: string; description?: string | null; aliases?: string[] }
    update: { name?: string; description?: string | null; aliases?: string[] }
    include:
      | 'sets'
      | 'sets.genre'
      | 'sets.year'
      | 'sets.brand'
      | 'sets.manufacturer'
      | 'sets.parent'
      | 'sets.children'
      | 'sets.identifiers'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  years: {
    attributes: {
      name: string
      parent_year: string | null
      aliases: string[]
      created_at: string
      updated_at: string
      url: string
    }
    one: { parent: 'years' }
    many: { children: 'years'; sets: 'sets' }
    create: { name: string; parent_year?: string | null; aliases?: string[] }
    update: { name?: string; parent_year?: string | null; aliases?: string[] }
    include:
      | 'parent'
      | 'parent.parent'
      | 'parent.children'
      | 'parent.sets'
      | 'children'
      | 'children.parent'
      | 'children.children'
      | 'children.sets'
      | 'sets'
      | 'sets.genre'
      | 'sets.year'
      | 'sets.brand'
      | 'sets.manufacturer'
      | 'sets.parent'
      | 'sets.children'
      | 'sets.identifiers'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      parent_year?: Filter<'ne' | 'null'>
    }
  }
  teams: {
    attributes: {
      name: string
      location: string | null
      abbreviation: string | null
      mascot: string
      aliases: string[]
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: { identifiers: 'identifiers' }
    create: {
      name?: string
      location?: string | null
      abbreviation?: string | null
      mascot?: string
      aliases?: string[]
    }
    update: {
      name?: string
      location?: string | null
      abbreviation?: string | null
      mascot?: string
      aliases?: string[]
    }
    include: 'identifiers' | 'identifiers.object'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  players: {
    attributes: {
      name: string
      first_name: string
      last_name: string
      position: string | null
      aliases: string[]
      disambiguation: string | null
      born_on: string | null
      created_at: string
      updated_at: string
      url: string
    }
    one: object
    many: { identifiers: 'identifiers' }
    create: {
      first_name?: string
      last_name?: string
      position?: string | null
      full_name?: string
      aliases?: string[]
      disambiguation?: string | null
      born_on?: string | null
    }
    update: {
      first_name?: string
      last_name?: string
      position?: string | null
      aliases?: string[]
      disambiguation?: string | null
      born_on?: string | null
    }
    include: 'identifiers' | 'identifiers.object'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      first_name?: Filter<'ne' | 'like' | 'prefix'>
      last_name?: Filter<'ne' | 'like' | 'prefix'>
    }
  }
  playerteams: {
    attributes: {
      name: string
      player_id: string | null
      team_id: string | null
      created_at: string
      updated_at: string
      url: string
    }
    one: { player: 'players'; team: 'teams' }
    many: object
    create: { player_id: string; team_id: string }
    update: { player_id?: string; team_id?: string }
    include: 'player' | 'player.identifiers' | 'team' | 'team.identifiers'
    sort: 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      player?: Filter<'ne'>
      team?: Filter<'ne'>
    }
  }
  sets: {
    attributes: {
      name: string
      description: string | null
      status: 'draft' | 'published'
      kind: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
      release_date: string | null
      cards_count: number
      card_count: number
      is_subset: boolean
      is_variation: boolean
      parent_set_id: string | null
      aliases: string[]
      cards_count_total?: number
      created_at: string
      updated_at: string
      url: string
    }
    one: { genre: 'genres'; year: 'years'; brand: 'brands'; manufacturer: 'manufacturers'; parent: 'sets' }
    many: { children: 'sets'; identifiers: 'identifiers' }
    create: {
      name: string
      description?: string | null
      status?: 'draft' | 'published'
      kind?: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
      release_date?: string | null
      genre_id?: string | null
      year_id?: string | null
      brand_id?: string | null
      manufacturer_id?: string | null
      parent_id?: string | null
      parent_set_id?: string | null
      aliases?: string[]
      genre?: Reference<'genres'> | null
      year?: Reference<'years'> | null
      brand?: Reference<'brands'> | null
      manufacturer?: Reference<'manufacturers'> | null
      parent?: Reference<'sets'> | null
    }
    update: {
      name?: string
      description?: string | null
      status?: 'draft' | 'published'
      kind?: 'base' | 'parallel' | 'insert' | 'autograph' | 'variation'
      release_date?: string | null
      genre_id?: string | null
      year_id?: string | null
      brand_id?: string | null
      manufacturer_id?: string | null
      parent_id?: string | null
      parent_set_id?: string | null
      aliases?: string[]
      genre?: Reference<'genres'> | null
      year?: Reference<'years'> | null
      brand?: Reference<'brands'> | null
      manufacturer?: Reference<'manufacturers'> | null
      parent?: Reference<'sets'> | null
    }
    include:
      | 'genre'
      | 'genre.sets'
      | 'year'
      | 'year.parent'
      | 'year.children'
      | 'year.sets'
      | 'brand'
      | 'brand.sets'
      | 'manufacturer'
      | 'manufacturer.sets'
      | 'parent'
      | 'parent.genre'
      | 'parent.year'
      | 'parent.brand'
      | 'parent.manufacturer'
      | 'parent.parent'
      | 'parent.children'
      | 'parent.identifiers'
      | 'children'
      | 'children.genre'
      | 'children.year'
      | 'children.brand'
      | 'children.manufacturer'
      | 'children.parent'
      | 'children.children'
      | 'children.identifiers'
      | 'identifiers'
      | 'identifiers.object'
    sort: 'name' | 'year' | 'release_date' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      genre?: Filter<'ne' | 'null'>
      year?: Filter<'ne' | 'null'>
      brand?: Filter<'ne' | 'null'>
      manufacturer?: Filter<'ne' | 'null'>
      parent?: Filter<'ne' | 'null'>
      status?: Filter<'ne'>
      kind?: Filter<'ne'>
      release_date?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'null'>
    }
  }
  cards: {
    attributes: {
      name: string
      number: string | null
      serial_number: string | null
      image_uuid: string | null
      title: string | null
      notes: string | null
      has_player: boolean
      has_team: boolean
      created_at: string
      updated_at: string
      url: string
    }
    one: { set: 'sets'; parent: 'cards' }
    many: {
      oncard: 'players' | 'teams' | 'playerteams'
      card_attributes: 'attributes'
      images: 'card_images'
      children: 'cards'
      identifiers: 'identifiers'
    }
    create: {
      id?: string
      number?: string | null
      serial_number?: string | null
      image_uuid?: string | null
      title?: string | null
      notes?: string | null
      set: Reference<'sets'>
      oncard?: readonly Reference<'players' | 'teams' | 'playerteams'>[]
      card_attributes?: readonly Reference<'attributes'>[]
    }
    update: {
      number?: string | null
      serial_number?: string | null
      image_uuid?: string | null
      title?: string | null
      notes?: string | null
      set?: Reference<'sets'>
      oncard?: readonly Reference<'players' | 'teams' | 'playerteams'>[]
      card_attributes?: readonly Reference<'attributes'>[]
    }
    include:
      | 'set'
      | 'set.genre'
      | 'set.year'
      | 'set.brand'
      | 'set.manufacturer'
      | 'set.parent'
      | 'set.children'
      | 'set.identifiers'
      | 'oncard'
      | 'oncard.identifiers'
      | 'oncard.player'
      | 'oncard.team'
      | 'card_attributes'
      | 'children'
      | 'children.set'
      | 'children.oncard'
      | 'children.card_attributes'
      | 'children.children'
      | 'children.images'
      | 'children.parent'
      | 'children.identifiers'
      | 'images'
      | 'images.card'
      | 'parent'
      | 'parent.set'
      | 'parent.oncard'
      | 'parent.card_attributes'
      | 'parent.children'
      | 'parent.images'
      | 'parent.parent'
      | 'parent.identifiers'
      | 'identifiers'
      | 'identifiers.object'
    sort: 'checklist' | 'name' | 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      name?: Filter<'ne' | 'like' | 'prefix'>
      number?: Filter<'ne' | 'like' | 'prefix' | 'null'>
      serial_limit?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'null', number>
      set?: Filter<'ne'>
      player?: Filter<'ne'>
      team?: Filter<'ne'>
      attribute?: Filter<'ne'>
      genre?: Filter<'ne' | 'null'>
      year?: Filter<'ne' | 'null'>
      brand?: Filter<'ne' | 'null'>
      manufacturer?: Filter<'ne' | 'null'>
      parent?: Filter<'ne' | 'null'>
    }
  }
  'object-attributes': {
    attributes: {
      attribute_id: string
      attribute_value: string
      object_type: 'card' | 'set' | 'player' | 'team'
      object_id: string
      created_at: string
      updated_at: string
      url: string
    }
    one: { attribute: 'attributes'; object: 'cards' | 'sets' | 'players' | 'teams' }
    many: object
    create: {
      attribute_id: string
      attribute_value: string
      object_type: 'card' | 'set' | 'player' | 'team'
      object_id: string
    }
    update: {
      attribute_id?: string
      attribute_value?: string
      object_type?: 'card' | 'set' | 'player' | 'team'
      object_id?: string
    }
    include:
      | 'attribute'
      | 'object'
      | 'object.set'
      | 'object.oncard'
      | 'object.card_attributes'
      | 'object.children'
      | 'object.images'
      | 'object.parent'
      | 'object.identifiers'
      | 'object.genre'
      | 'object.year'
      | 'object.brand'
      | 'object.manufacturer'
    sort: 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      attribute?: Filter<'ne'>
      object?: Filter<'ne'>
      object_type?: Filter<'ne'>
    }
  }
  card_images: {
    attributes: {
      width: number
      height: number
      content_type: 'image/jpeg' | 'image/png' | 'image/webp'
      bytes: number
      download_url: string
      variants: { name: 'thumb' | 'small' | 'large'; width: number; height: number; url: string }[]
      expires_at: string
      card_id: string
      image_type: 'front' | 'back'
      file_size: number
      mime_type: 'image/jpeg' | 'image/png' | 'image/webp'
      storage_path: string
      created_at: string
      updated_at: string
      url: string
    }
    one: { card: 'cards' }
    many: object
    create: never
    update: { image_type?: 'front' | 'back' }
    include:
      | 'card'
      | 'card.set'
      | 'card.oncard'
      | 'card.card_attributes'
      | 'card.children'
      | 'card.images'
      | 'card.parent'
      | 'card.identifiers'
    sort: 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      card?: Filter<'ne'>
    }
  }
  set_sources: {
    attributes: {
      set_id: string
      source_url: string
      title: string | null
      notes: string | null
      source_type: 'checklist' | 'metadata' | 'images'
      verified_at: string | null
      source_name: string | null
      created_at: string
      updated_at: string
      url: string
    }
    one: { set: 'sets' }
    many: object
    create: {
      set_id: string
      source_url: string
      title?: string | null
      notes?: string | null
      source_type?: 'checklist' | 'metadata' | 'images'
      verified_at?: string | null
      source_name?: string | null
    }
    update: {
      set_id?: string
      source_url?: string
      title?: string | null
      notes?: string | null
      source_type?: 'checklist' | 'metadata' | 'images'
      verified_at?: string | null
      source_name?: string | null
    }
    include:
      | 'set'
      | 'set.genre'
      | 'set.year'
      | 'set.brand'
      | 'set.manufacturer'
      | 'set.parent'
      | 'set.children'
      | 'set.identifiers'
    sort: 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      set?: Filter<'ne'>
    }
  }
  identifiers: {
    attributes: {
      object_type: 'cards' | 'sets' | 'players' | 'teams' | 'brands' | 'manufacturers' | 'genres' | 'years'
      object_id: string
      source: string
      value: string
      created_at: string
      updated_at: string
      url: string
    }
    one: { object: 'cards' | 'sets' | 'players' | 'teams' | 'brands' | 'manufacturers' | 'genres' | 'years' }
    many: object
    create: {
      object_type: 'cards' | 'sets' | 'players' | 'teams' | 'brands' | 'manufacturers' | 'genres' | 'years'
      object_id: string
      source: string
      value: string
    }
    update: {
      object_type?: 'cards' | 'sets' | 'players' | 'teams' | 'brands' | 'manufacturers' | 'genres' | 'years'
      object_id?: string
      source?: string
      value?: string
    }
    include:
      | 'object'
      | 'object.set'
      | 'object.oncard'
      | 'object.card_attributes'
      | 'object.children'
      | 'object.images'
      | 'object.parent'
      | 'object.identifiers'
      | 'object.genre'
      | 'object.year'
      | 'object.brand'
      | 'object.manufacturer'
      | 'object.sets'
    sort: 'created_at' | 'updated_at'
    filter: {
      id?: Filter<'ne'>
      created_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      updated_at?: Filter<'ne' | 'gt' | 'gte' | 'lt' | 'lte'>
      object_type?: Filter<'ne'>
      object_id?: Filter<'ne'>
      source?: Filter<'ne'>
      value?: Filter<'ne'>
    }
  }
}

/** The relationships that may be written. */
export const relationships = {
  attributes: [],
  brands: [],
  manufacturers: [],
  genres: [],
  years: [],
  teams: [],
  players: [],
  playerteams: [],
  sets: ['genre', 'year', 'brand', 'manufacturer', 'parent'],
  cards: ['set', 'oncard', 'card_attributes'],
  'object-attributes': [],
  card_images: [],
  set_sources: [],
  identifiers: [],
} as const satisfies Record<keyof Schema, readonly string[]>
