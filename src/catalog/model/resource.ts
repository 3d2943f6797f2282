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

/** A filter of the lists of /v1: a name for a criterion, which is asked for one value. */
export type Filter = {
  of: string
  /** Whether `like:` before the value finds a part of it, or each word of it. */
  like?: 'part' | 'words'
  /** The sentence and the example of /v1, where the criterion's own would not do. */
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
  /** Whether there may be no value, so that `null` can be asked for. */
  nullable?: true
  /** The condition that the row `t` has a value, of which `value` is the expression: a parameter, or `any` of a list. */
  equals: (value: string) => string
  /** What finds the rows with one value along an index, beside `equals`. */
  finds?: (value: string) => string
  /** The column that is compared; `key` is its lower-cased text. */
  column: string
  key?: string
  /** The lower-cased text whose parts an index finds, and which has all parts of `key`. */
  parts?: string
  /** The maintained count of the rows that have a value; null asks for those without one. */
  tally?: (value: string | null) => Counted | undefined
  /** The same for a list of values as an expression, where no tally has it. */
  total?: (values: string, level: number) => string
  /** Whether a row may have several values, so that the tallies of a list of them are not its total. */
  overlap?: true
}

/** A maintained count: a row of the tallies, or a part of the one that it is asked together with, the whole list's if alone. */
export type Counted = { list: TallyName; id: string } | { part: 'roots' | 'published' | 'drafts' }

/** A column of a sort key: its expression on the row `t`, and its type. */
export type SortColumn = { sql: string; type: 'int4' | 'text' | 'timestamptz' | 'date' | 'uuid'; nullable?: true }

/**
 * A way to the rows of a list that costs no more than what it gives: an index, the filters that it has the rows of together,
 * and the sort key that it has them in.
 */
export type AccessPath = {
  /** The index, as the database names it. */
  index: string
  /** Filters by name, for a value or for none; `name[null]`: for none alone. All of them must be asked for. */
  serves: string[]
  /** Left out where so few rows have a value that they can be sorted. */
  order?: string
  /** How the rows are read, where that is not from the resource's own table with its filters as conditions. */
  rows?: PathRows
}

/** The rows of an index, with their sets `s` and, joined where they are needed, their cards `t`. */
export type PathRows = {
  from: string
  joinsCards?: string
  /** The conditions for a value of the first filter, and for none; `key` is the value as `keyOf` makes it. */
  where: (value: string, key: string) => string[]
  whereNone?: (key: string) => string[]
  keyOf?: (value: string | null) => string
  /** The columns of the order as the index has them, the set's number first, the id last. */
  expressions: string[]
  /** Whether a row may come from more than one value of a list. */
  repeats?: true
}

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
 * `level` is who reads: a row is visible where its audience is at least that (`Audience.draft` sees drafts and published data).
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
  /** The list that tallies count; `total` is the same as an expression, where they do not. */
  tally: ListName
  total?: (level: number) => string
  /** The filters of /v1. */
  filters: Record<string, Filter>
  includes: Record<string, Include>
  /** The sort keys beside `created_at` and `updated_at`, each of one column or more; the first is the default. */
  sorts: Record<string, SortColumn[]>
  /** The sort keys of /v1, where they are others. */
  sortsInV1?: Record<string, SortColumn[]>
  /** The filters of /v2 beside `id`, `created_at` and `updated_at`. */
  criteria: Record<string, Criterion>
  /** How its lists are read; whatever no path serves is under a deadline. */
  paths: AccessPath[]
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
