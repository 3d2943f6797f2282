import type { TProperties } from '@sinclair/typebox'
import type { CriterionKind } from '../../jsonapi/list-filters.ts'
import type { Identifier } from '../../jsonapi/relationships.ts'
import type { SchemaSource } from '../../jsonapi/schema.ts'
import type { ListName, TallyName } from './counts.ts'
import type { StoredType } from './tables.ts'

/** A row as a resource's columns select it, and its JSON text if it came as one. Times are texts, as PostgreSQL writes them. */
export type Row = { id: string; created_at: string; updated_at: string; version: string; text?: string } & Record<
  string,
  unknown
>

export type { Identifier }

/** A relationship's data; `total` comes with a list that was cut off at 1,000. */
export type Related = { data: Identifier | Identifier[] | null; total?: number }

/**
 * The context of rendering: the service's address, and how to sign the URL of an image, which expires. Without
 * signing, the members for these URLs are left out.
 */
export type Rendering = {
  baseUrl: string
  /** False once the output depends on the time, too. */
  cacheable: boolean
  imageUrl: (image: { id: string; audience: number }, name: string) => { url?: string; expiresAt?: string }
}

/** A filter of the lists of /v1: a name for a criterion, with one value. */
export type Filter = {
  of: string
  /** Whether `like:` in front of the value finds a part of it, or each word of it. */
  like?: 'part' | 'words'
  /** The description and example for /v1, if the criterion's do not fit. */
  description?: string
  example?: string
  /** The bare name of the filter: deprecated, unless `aliasStays`. */
  alias?: string
  aliasStays?: true
}

/** What a list can be filtered by: in /v2 under this name with every operator of its kind (decisions.md §9). */
export type Criterion = {
  kind: CriterionKind
  description: string
  example?: string
  values?: string[]
  /** Whether the value may be missing, so that `null` is an operator. */
  nullable?: true
  /** The condition that the row `t` has a value; `value` is its expression: a parameter, or `any` of a list. */
  equals: (value: string) => string
  /** An extra condition that finds the rows with one value through an index, in addition to `equals`. */
  finds?: (value: string) => string
  /** The column to compare; `key` is its lower-cased text. */
  column: string
  key?: string
  /** The lower-cased text with a trigram index; it contains every part of `key`. */
  parts?: string
  /** The maintained count of the rows with a value; null means those without one. */
  tally?: (value: string | null) => Counted | undefined
  /** The same as an expression for a list of values, if no tally has it. */
  total?: (values: string, level: number) => string
  /** Whether a row may have several values, so that their tallies do not add up to a total. */
  overlap?: true
}

/** A maintained count: a row of the tallies, or a part of the one that it combines with (alone, of the whole list). */
export type Counted = { list: TallyName; id: string } | { part: 'roots' | 'published' | 'drafts' }

/** A column of a sort key: its expression on the row `t`, and its type. */
export type SortColumn = { sql: string; type: 'int4' | 'text' | 'timestamptz' | 'date' | 'uuid'; nullable?: true }

/** A way to the rows of a list at the cost of what it returns: an index, the filters that it serves, its sort key. */
export type AccessPath = {
  /** The index, as the database names it. */
  index: string
  /** Filters by name, with or without a value; `name[null]`: only without. The request must have all of them. */
  serves: string[]
  /** Left out if few enough rows have a value to sort them. */
  order?: string
  /** How to read the rows, unless they come from the resource's own table with its filters as conditions. */
  rows?: PathRows
}

/** The rows of an index, with their sets `s` and, joined when needed, their cards `t`. */
export type PathRows = {
  from: string
  joinsCards?: string
  /** The conditions for a value of the first filter, and for none; `key` is the value as `keyOf` makes it. */
  where: (value: string, key: string) => string[]
  whereNone?: (key: string) => string[]
  keyOf?: (value: string | null) => string
  /** The columns of the order as the index has them, the set's number first, the id last. */
  expressions: string[]
  /** Whether several values of a list may yield the same row. */
  repeats?: true
}

export type Include = {
  /** The types that it leads to. */
  types: string[]
  many: boolean
  description: string
  /** Where to find the whole list, if it was cut off. */
  related?: (id: string) => string
  /**
   * For a to-many relationship that has data only when included, at most 1,000 identifiers each in the list's order: the
   * filter of the included type that lists the same records. Without it, the row has the identifiers.
   */
  listedBy?: string
  /** Other filters of that list, with their values. */
  listedWith?: Record<string, string>
}

/** What /v2 shows of a resource beyond /v1: attributes, with their selected columns in the same order, and includes. */
export type MoreInV2 = {
  columns?: string[]
  read?: TProperties
  /** The attributes that may be written; each may be left out. */
  write?: TProperties
  example?: Record<string, unknown>
  includes?: Record<string, Include>
  /** Attributes that follow from other records: nobody writes them, and no copy of the catalog has them. */
  derived?: { columns: (level: number) => string[]; read: TProperties; example: Record<string, unknown> }
}

/** The attributes and relationships of a document, as its reader accepted them. */
export type Input = {
  id?: string
  attributes: Record<string, unknown>
  relationships: Record<string, Identifier | Identifier[] | null | undefined>
  /** A change of one to-many relationship that builds on what it holds when the record is locked. */
  edit?: { name: string; apply: (now: Identifier[]) => Identifier[] }
}

/**
 * The declaration of a resource type: everything that the store, the routes, the validation and the OpenAPI document know of it.
 * `level` is who reads: a row is visible where its audience is at least that (`Audience.draft` sees drafts and published data).
 */
export type Resource = {
  type: StoredType
  /** Where its URLs begin; /v1 by default. */
  api?: '/v2'
  path: string
  noun: string
  description: string
  /**
   * The table, with the alias `t`, and its selected columns: the id, the attributes in the order of `schema.read`, then `more`,
   * `version`, `created_at`, `updated_at`, and then those for relationships.
   */
  table: string
  columns: (level: number, more?: string[]) => string
  /** The condition under which a row is visible; by default its audience reaches the level. */
  visible?: (level: number) => string
  /** The attributes, unless they are the columns that `schema.read` names. */
  attributes?: (row: Row, rendering: Rendering) => Record<string, unknown>
  /** Links other than `self`. */
  links?: (row: Row, rendering: Rendering) => Record<string, string | undefined>
  relationships: (row: Row) => Record<string, Related | undefined>
  /** What a copy of the catalog needs beyond the resource object: the meta of the object in bulk files and in the feed. */
  copyMeta?: (row: Row) => Record<string, unknown>
  /** The list in the tallies; `total` is the same as an expression, if they do not have it. */
  tally: ListName
  total?: (level: number) => string
  /** The filters of /v1. */
  filters: Record<string, Filter>
  includes: Record<string, Include>
  /** The sort keys other than `created_at` and `updated_at`, each of one column or more; the first is the default. */
  sorts: Record<string, SortColumn[]>
  /** The sort keys of /v1, if they differ. */
  sortsInV1?: Record<string, SortColumn[]>
  /** The filters of /v2 other than `id`, `created_at` and `updated_at`. */
  criteria: Record<string, Criterion>
  /** How to read its lists; whatever no path serves runs against a deadline. */
  paths: AccessPath[]
  schema: SchemaSource['schema'] & {
    /** Attributes that name a record, by the relationship that shows it: an operation may use a local id there. */
    references?: Record<string, string>
    /** Attributes and relationships that writes accept and ignore. */
    readOnly: string[]
    /** An example of a write; `shownExample` adds what only reads return, `pageMetaExample` the meta of a page. */
    example: Record<string, unknown>
    shownExample?: Record<string, unknown>
    pageMetaExample?: Record<string, unknown>
  }
  clientIds?: true
  more?: MoreInV2
  /** Relationships with another name in /v2 (decisions.md §9): common client libraries drop one called `attributes`. */
  namesInV2?: Record<string, string>
  /** Query parameters of the list that are not filters: name to accepted values. */
  options?: Record<string, { values: string[]; default?: string; description: string }>
}

/** The API version of a resource, as its URLs begin. */
export const apiOf = ({ api }: Pick<Resource, 'api'>): string => api ?? '/v1'

/** A page of a list, in order: the JSON texts of its rows. */
export type Page = { rows: string[]; total: number; meta?: Record<string, unknown> }
