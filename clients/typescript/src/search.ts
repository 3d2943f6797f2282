import type { PageOptions, ReadOptions } from './query.ts'
import type { Reference } from './reference.ts'
import type { Type } from './resource.ts'
import type { Schema } from './schema.ts'

/** The types that a search finds. */
export type Searched = 'players' | 'teams' | 'sets' | 'cards'

/** What narrows a search, orders it, and what is told beside its hits. */
export interface SearchOptions<T extends Searched, I extends string> extends ReadOptions<I> {
  type?: readonly T[]
  filter?: { [Name in 'genre' | 'year' | 'brand' | 'set']?: string | readonly string[] } & {
    kind?: Schema['sets']['attributes']['kind'] | readonly Schema['sets']['attributes']['kind'][]
  }
  sort?: 'relevance' | 'year' | '-year' | 'name' | 'number' | 'newest'
  facets?: readonly ('genre' | 'year' | 'brand' | 'kind' | 'code' | 'set' | 'player')[]
  explain?: boolean
  page?: PageOptions
}

/** What a search of some types can include. */
export type SearchInclude<T extends Type> = T extends Type ? Schema[T]['include'] : never

/** A name that a query may become. */
export interface Completion extends Reference<Searched> {
  name: string
  /** Where a set or card belongs. */
  context: string | null
}
