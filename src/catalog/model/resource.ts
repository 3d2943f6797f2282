import type postgres from 'postgres'
import type { Sql } from '../../../db/client.ts'
import type { CriterionKind } from '../../jsonapi/list-filters.ts'
import type { Identifier } from '../../jsonapi/relationships.ts'
import type { SchemaSource } from '../../jsonapi/schema.ts'
import type { ListName, TallyName } from './counts.ts'

/** A row as a resource's columns select it, and its JSON text where it came as one. Times are texts, as PostgreSQL writes them. */
export type Row = { id: string; created_at: string; updated_at: string; version: string; text?: string } & Record<
  string,
  unknown
>

export type { Identifier }

/** A relationship's data; `total` stands beside a list that was cut at 1,000. */
export type Related = { data: Identifier | Identifier[] | null; total?: number }

/**
 * What a representation is rendered with: the service's address, and how an image gets its signed URL, which ends. Where it
 * gets none, the members that would hold it are left out.
 */
export type Rendering = {
  baseUrl: string
  /** False once something was rendered that follows from the time too. */
  cacheable: boolean
  imageUrl: (image: { id: string; audience: number }, name: string) => { url?: string; expiresAt?: string }
}

/** A part of a statement, made by the `sql` of the connection that will run it. */
export type Fragment = postgres.PendingQuery<postgres.Row[]>

/** The value of a filter: `like` where it was given with the prefix `like:`. */
export type FilterValue = { value: string; like: boolean }

export type Filter = {
  kind: 'uuid' | 'text' | 'matching'
  description: string
  example?: string
  /** The accepted values, where they are few. */
  values?: string[]
  /** The condition on the table's alias `t`. */
  where: (sql: Sql, filter: FilterValue) => Fragment
  /** What finds the few rows that have a part of a name along an index, beside `where`. */
  finds?: (sql: Sql, part: string) => Fragment
  /** The tally that holds the list's total where this is the only filter. */
  tally?: (value: string) => { list: ListName; id: string }
  /** The bare name of the filter: deprecated, unless `aliasStays`. */
  alias?: string
  aliasStays?: true
}

/** A filter of the lists of /v2 (decisions.md §9). */
export type Criterion = {
  kind: CriterionKind
  description: string
  example?: string
  values?: string[]
  /** Whether there may be no value, so that `null` can be asked for. */
  nullable?: true
  /** The condition that the row `t` has a value, of which `value` is the expression: a parameter, or `any` of a list. */
  equals: (value: string) => string
  /** What finds the rows with one value along an index, beside `equals`. */
  finds?: (value: string) => string
  /** The column that is compared; `key` is its lower-cased text. */
  column: string
  key?: string
  /** The tally that holds how many rows have a value; null asks for those without one. */
  tally?: (value: string | null) => Counted | undefined
  /** Whether a row may have several values, so that the tallies of a list of them are not its total. */
  overlap?: true
}

/** A maintained count: a row of the tallies, and which part of what it counts. */
export type Counted = { list: TallyName; id: string; part?: 'roots' | 'published' | 'drafts' }

/** A column of a sort key of /v2: its expression on the row `t`, and its type. */
export type SortColumn = { sql: string; type: 'int4' | 'text' | 'timestamptz' | 'date' | 'uuid'; nullable?: true }

export type Include = {
  /** The type, or types, of what is included. */
  types: string[]
  many: boolean
  description: string
  /** Where the whole list is found, for a list that was cut. */
  related?: (id: string) => string
  /**
   * For a to-many relationship that has data only when included, at most 1,000 identifiers each in the list's order: the
   * filter of the included type that lists the same records. Without it the row carries its identifiers itself.
   */
  listedBy?: string
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
 * What a resource type declares, and all that the store, the routes, the validation and the OpenAPI document know of it.
 * `level` is who reads: a row is visible where its audience is at least that (1 sees drafts, 2 published data).
 */
export type Resource = {
  type: string
  /** Where its addresses begin: /v1 where it does not say. */
  api?: '/v2'
  path: string
  noun: string
  description: string
  /**
   * The table, whose alias is `t`, and what is selected of it: the id, the attributes in the order of `schema.read`, `version`,
   * `created_at`, `updated_at`, and then what relationships are made of.
   */
  table: string
  columns: (level: number) => string
  /** The condition under which a row is visible; by default its audience reaches the level. */
  visible?: (level: number) => string
  /** The attributes, where they are not the columns that `schema.read` names. */
  attributes?: (row: Row, rendering: Rendering) => Record<string, unknown>
  /** Links beside `self`. */
  links?: (row: Row, rendering: Rendering) => Record<string, string | undefined>
  relationships: (row: Row) => Record<string, Related | undefined>
  /** What a copy of the catalog needs of a row beside what is shown: the meta of its object in bulk files and in the feed. */
  copyMeta?: (row: Row) => Record<string, unknown>
  /** Sort columns of the list, ascending; the last is the id. */
  order: string[]
  tally: ListName
  filters: Record<string, Filter>
  includes: Record<string, Include>
  /** The sort keys of /v2 beside `created_at` and `updated_at`, each of one column or more; the first is the default. */
  sorts: Record<string, SortColumn[]>
  /** The filters of /v2 beside `id`, `created_at` and `updated_at`. */
  criteria: Record<string, Criterion>
  schema: SchemaSource['schema'] & {
    /** Attributes that name a record, by the relationship that shows it: where an operation may give its local id. */
    references?: Record<string, string>
    /** Attributes and relationships that are accepted and ignored. */
    readOnly: string[]
    /** What is written, as an example; `shownExample` has what reading gives beside it, `pageMetaExample` what a page's meta has. */
    example: Record<string, unknown>
    shownExample?: Record<string, unknown>
    pageMetaExample?: Record<string, unknown>
  }
  clientIds?: true
  /** Relationships that have another name in /v2 (decisions.md §9): ready clients lose one called `attributes`. */
  namesInV2?: Record<string, string>
  /** Query parameters of the list that are no filters: name to accepted values. */
  options?: Record<string, { values: string[]; default?: string; description: string }>
}

/** The version of the API that a resource is of, as its addresses begin. */
export const apiOf = ({ api }: Pick<Resource, 'api'>): string => api ?? '/v1'

/** A page of a list, in order: the JSON texts of its rows. */
export type Page = { rows: string[]; total: number; meta?: Record<string, unknown> }
