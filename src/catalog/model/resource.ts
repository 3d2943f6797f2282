import type { TProperties } from '@sinclair/typebox'
import type { Fault } from '../../jsonapi/errors.ts'
import type { CriterionKind } from '../../jsonapi/list-filters.ts'
import type { Identifier } from '../../jsonapi/relationships.ts'
import type { SchemaSource } from '../../jsonapi/schema.ts'
import type { ListName, TallyName } from './counts.ts'
import type { StoredType } from './tables.ts'

/** A row with a resource's columns, and its JSON text if it came as one. Times are texts as PostgreSQL writes them. */
export type Row = { id: string; created_at: string; updated_at: string; version: string; text?: string } & Record<
  string,
  unknown
>

export type { Identifier }

/** A relationship's data. `total` is set if the list was cut off at 1,000. */
export type Related = { data: Identifier | Identifier[] | null; total?: number }

/** What rendering needs: the service's address, and a way to sign image URLs, which expire. Without signing, those URLs are left out. */
export type Rendering = {
  baseUrl: string
  /** False if the output also depends on the time. */
  cacheable: boolean
  imageUrl: (image: { id: string; audience: number }, name: string) => { url?: string; expiresAt?: string }
}

/** A filter of a /v1 list: a name for a criterion, with one value. */
export type Filter = {
  of: string
  /** Whether the value may be `null`, for rows without one. */
  orNull?: true
  /** Whether `like:` in front of the value looks for the whole value or for each of its words, anywhere in the text. */
  like?: 'part' | 'words'
  /** The description and example for /v1, if the criterion's don't fit. */
  description?: string
  example?: string
  /** The bare name of the filter. It is deprecated unless `aliasStays`. */
  alias?: string
  aliasStays?: true
}

/** What a list can be filtered by. /v2 has it under this name, with every operator of its kind (decisions.md §9). */
export type Criterion = {
  kind: CriterionKind
  description: string
  example?: string
  values?: string[]
  /** Whether the value may be missing. Then `null` is an operator. */
  nullable?: true
  /** The condition that the row `t` has a value. `value` is an expression: a parameter, or `any` of a list. */
  equals: (value: string) => string
  /** The condition that the record it names is hidden from a reader of the row, if that may be. To them, the row has no value. */
  hidden?: (level: number) => string | undefined
  /** An extra condition that finds the rows with one value through an index, in addition to `equals`. */
  finds?: (value: string) => string
  /** The column to compare. `key` is its lower-cased text. */
  column: string
  key?: string
  /** The lower-cased text with a trigram index, if that isn't `key`. It contains every part of `key`. */
  parts?: string
  /** The maintained count of the rows with a value, or without one for null. */
  tally?: (value: string | null) => Counted | undefined
  /** The count for a list of values as an expression, if no tally has it. */
  total?: (values: string, level: number) => string
  /** Whether a row may have several values. Then their tallies don't add up to a total. */
  overlap?: true
}

/** A maintained count: a row of the tallies, or a part of the row it is combined with. Alone, it is a part of the whole list's row. */
export type Counted = CountedRow | { part: 'roots' | 'published' | 'drafts' }

/** A row of the tallies. An id that a request names counts only if the reader sees a record of one of the types `of` with it. */
export type CountedRow = { list: TallyName; id: string; of?: readonly StoredType[] }

/** A column of a sort key: its expression on the row `t`, and its SQL type. */
export type SortColumn = { sql: string; type: 'int4' | 'text' | 'timestamptz' | 'date' | 'uuid'; nullable?: true }

/** A way to read a list that costs no more than what it returns: an index, the filters it serves, and its sort key. */
export type AccessPath = {
  /** The name of the index in the database. */
  index: string
  /** The names of filters, with or without a value. `name[null]` is only without. The request must have all of them. */
  serves: string[]
  /** Left out if the path finds few enough rows to sort them. */
  order?: string
  /** How to read the rows, unless they come from the resource's own table with its filters as conditions. */
  rows?: PathRows
}

/** The rows of an index, with their sets `s` and, joined when needed, their cards `t`. */
export type PathRows = {
  from: string
  joinsCards?: string
  /** The conditions for a value of the first filter, and for rows without one. `key` is the value after `keyOf`. */
  where: (value: string, key: string) => string[]
  whereNone?: (key: string) => string[]
  keyOf?: (value: string | null) => string
  /** The columns of the order as the index has them: the set's number first, the id last. */
  expressions: string[]
  /** Whether several values of a list may yield the same row. */
  repeats?: true
}

export type Include = {
  /** The related types. */
  types: string[]
  many: boolean
  description: string
  /** Where to find the whole list, if it was cut off. */
  related?: (id: string) => string
  /**
   * For a to-many relationship that only has data when included (at most 1,000 identifiers, in the list's order): the filter of the
   * included type that lists the same records. Without it, the row has the identifiers.
   */
  listedBy?: string
  /** The relationship that has the same record, for one that only has data when included. */
  sameAs?: string
  /** Other filters of that list, with their values. */
  listedWith?: Record<string, string>
}

/** What /v2 adds to a resource: attributes, their columns in the same order, and includes. */
export type MoreInV2 = {
  columns?: string[]
  read?: TProperties
  /** The attributes that may be written. All are optional. */
  write?: TProperties
  example?: Record<string, unknown>
  includes?: Record<string, Include>
  /** Attributes derived from other records. They can't be written, and copies of the catalog leave them out. */
  derived?: { columns: (level: number) => string[]; read: TProperties; example: Record<string, unknown> }
}

/** The attributes and relationships of a document, as its reader accepted them. */
export type Input = {
  id?: string
  attributes: Record<string, unknown>
  relationships: Record<string, Identifier | Identifier[] | null | undefined>
  /** A change to a to-many relationship, based on what it holds once the record is locked. */
  edit?: { name: string; apply: (now: Identifier[]) => Identifier[] }
}

/**
 * The declaration of a resource type: everything that the store, the routes, validation and the OpenAPI document know about it.
 * `level` is the reader's: a row is visible if its audience is at least that (`Audience.draft` sees drafts and published data).
 */
export type Resource = {
  type: StoredType
  /** The start of its URLs. The default is /v1. */
  api?: '/v2'
  path: string
  noun: string
  description: string
  /**
   * The table, with the alias `t`, and the columns to select: the id, the attributes in the order of `schema.read`, then `more`,
   * `version`, `created_at`, `updated_at`, and then the columns for relationships.
   */
  table: string
  columns: (level: number, more?: string[]) => string
  /** The condition that a row is visible. By default, its audience must reach the level. */
  visible?: (level: number) => string
  /** The attributes, unless they are just the columns in `schema.read`. */
  attributes?: (row: Row, rendering: Rendering) => Record<string, unknown>
  /** Links other than `self`. */
  links?: (row: Row, rendering: Rendering) => Record<string, string | undefined>
  relationships: (row: Row) => Record<string, Related | undefined>
  /** What a copy of the catalog needs beyond the resource object: the object's meta in bulk files and in the feed. */
  copyMeta?: (row: Row) => Record<string, unknown>
  /** The list in the tallies. `total` is its total as an expression, if the tallies don't have it. */
  tally: ListName
  total?: (level: number) => string
  /** The filters of /v1. */
  filters: Record<string, Filter>
  includes: Record<string, Include>
  /** The sort keys other than `created_at` and `updated_at`, each of one or more columns. The first is the default. */
  sorts: Record<string, SortColumn[]>
  /** The sort keys of /v1, if they differ. */
  sortsInV1?: Record<string, SortColumn[]>
  /** The filters of /v2 other than `id`, `created_at` and `updated_at`. */
  criteria: Record<string, Criterion>
  /** How to read its lists. A list that no path serves has a deadline. */
  paths: AccessPath[]
  schema: SchemaSource['schema'] & {
    /** Attributes that hold the id of a record, by relationship. An operation may use a local id there. */
    references?: Record<string, string>
    /** Attributes and relationships that writes accept and ignore. */
    readOnly: string[]
    /** Attributes that only a new record takes. */
    onlyNew?: string[]
    /** Faults of attributes of a new record that don't go together. */
    together?: (attributes: Record<string, unknown>) => Fault[]
    /** An example of a write. `shownExample` adds what only reads return, and `pageMetaExample` is the meta of a page. */
    example: Record<string, unknown>
    shownExample?: Record<string, unknown>
    pageMetaExample?: Record<string, unknown>
  }
  clientIds?: true
  /** Whether /v1 shows its deleted records to who may read them (decisions.md §21). */
  showsDeleted?: true
  more?: MoreInV2
  /** Relationships with a different name in /v2 (decisions.md §9): common client libraries drop one called `attributes`. */
  namesInV2?: Record<string, string>
  /** Query parameters of the list that aren't filters, by name. */
  options?: Record<string, { values: string[]; default?: string; description: string }>
}

/** The API version at the start of a resource's URLs. */
export const apiOf = ({ api }: Pick<Resource, 'api'>): string => api ?? '/v1'
