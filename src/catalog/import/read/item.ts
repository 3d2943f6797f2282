import { typesByDocument } from '../../model/attached.ts'
import type { PersonName } from '../../model/person-name.ts'
import { tableOf } from '../../model/tables.ts'

/** What `readChecklist` yields, in an order that a writer can follow: a set before its first card, a parent before its child. */
export type ImportItem = FileItem | AttributeItem | SetItem | CardItem | RecordItem | NoteItem | FaultItem

/** A row as its file has it, by heading. */
export type Cells = Record<string, unknown>

/** Where an item stands: the file's name as it was found and the line (of JSON documents: 0), and the row of a table. */
type Place = { file: string; line: number; cells?: Cells }

/** A file is begun. `form` says how it is read; `skipped` files hold no checklist and yield one note. */
export type FileItem = Place & { kind: 'file'; form: 'csv' | 'json-lines' | 'rows' | 'release' | 'skipped' }

/** A code of the attribute vocabulary, once before its first use: to be made where it is missing, never to rename one. */
export type AttributeItem = Place & { kind: 'attribute'; code: string; name: string }

export const setKinds = ['base', 'parallel', 'insert', 'autograph', 'variation'] as const
export type SetKind = (typeof setKinds)[number]

/**
 * A set, once in a run for each `key`. With an `id` it is that set; without one it is the live set with the same parent,
 * name, genre, year, manufacturer and brand. Null in `setKind`, `status`, `description` and `releaseDate` says nothing:
 * a new set takes the default, an old one keeps what it has.
 */
export type SetItem = Place & {
  kind: 'set'
  key: string
  parentKey: string | null
  id: string | null
  name: string
  setKind: SetKind | null
  genre: string | null
  year: string | null
  manufacturer: string | null
  brand: string | null
  status: 'draft' | 'published' | null
  description: string | null
  releaseDate: string | null
  deleted: boolean
  /** It has no line of its own: the rows of its cards name it. */
  isNamedByCards?: true
  /** The column's text, where the file has it. */
  aliases?: string | null
  /** In exports: the ids of its labels, which hold where the labels are there. */
  labelIds?: Partial<Record<'genre' | 'year' | 'manufacturer' | 'brand', string>>
}

/** One entry on a card: a player, a team, or both (a player-team). Ids are there in exports alone. */
export type Entry = { player: PersonName | null; team: string | null; playerId?: string; teamId?: string }

/** The card of which a parallel's card was made: by id, or the card of that set with the same number. */
export type ParentCard = { id: string } | { setKey: string; number: string }

/** What another service calls a card. */
export type Identifier = { source: string; value: string }

/** What of an entry's text decided how a release's card name was read; null where the columns say it themselves. */
export type NameRule =
  | 'player'
  | 'players'
  | 'player-team'
  | 'player-and-title'
  | 'title-and-players'
  | 'team'
  | 'team-and-title'
  | 'team-and-players'
  | 'checklist'
  | 'phrase'
  | 'set-without-people'
  | 'undecided'

/**
 * A card. With an `id` it is that card; without one it is the card of its set with the same number, entries, title,
 * attributes and serial number, and `occurrence` (0, 1, 2 …) tells equal rows of one file apart by their order.
 * `attributes` are codes, each once, with their ids in exports. `imageId` undefined and `parent` undefined say nothing.
 */
export type CardItem = Place & {
  kind: 'card'
  setKey: string
  id: string | null
  number: string | null
  entries: Entry[]
  title: string | null
  attributes: string[]
  attributeIds?: string[]
  serialNumber: string | null
  notes: string | null
  occurrence: number
  deleted: boolean
  parent?: ParentCard | null
  imageId?: string | null
  /** Columns that only the schema names, where the file has them. */
  further?: Partial<Record<string, string | null>>
  /** What columns `id:SOURCE` say, where they say something. */
  identifiers?: Identifier[]
  rule: NameRule | null
  /** Its place among the items of the import, once it is written. */
  place?: number
}

/** A record of another type as `export` wrote it, with its id. `fields` are its columns as in row.ts. */
export type RecordItem = Place & {
  kind: 'record'
  type: RecordType
  id: string
  deleted: boolean
  fields: Record<string, string | null | undefined>
}

export const recordTypes = [
  'genres',
  'years',
  'brands',
  'manufacturers',
  'attributes',
  'teams',
  'players',
  'playerteams',
  ...typesByDocument.map(tableOf),
  'merges',
] as const
/** `merges` are the ids of merged records, with where they lead. */
export type RecordType = (typeof recordTypes)[number]

/** The resource type that lines of a type are of. */
export const resourceTypeOf = (type: Exclude<RecordType, 'merges'>) =>
  type === 'object_attributes' ? 'object-attributes' : type

/** Something worth reporting about a row that is imported all the same. `rule` groups notes in the report; `cards` is how many cards of parallels were left out. */
export type NoteItem = Place & { kind: 'note'; rule: NoteRule; text: string; cards?: number }
export type NoteRule =
  | 'undecided-name'
  | 'undecided-brand'
  | 'code-in-name'
  | 'name-tidied'
  | 'serial-differs'
  | 'duplicate-id'
  | 'invalid-id'
  | 'equal-rows'
  | 'shared-number'
  | 'no-number'
  | 'shared-set-name'
  | 'empty-set'
  | 'unknown-code'
  | 'attribute-name-differs'
  | 'unread-column'
  | 'unread-member'
  | 'year-differs'
  | 'skipped-file'
  | 'read-as'
  | 'mended-text'
  | 'parallels-left-out'
  | 'no-card-id'
  | 'image-not-here'
  | 'identifier-taken'
  | 'ambiguous-player'
  | 'ambiguous-team'
  | 'not-pruned'
  | 'not-merged'
  | 'no-card'

/** A row, or a whole file (line 0 or 1), that is refused; the rest is read on. */
export type FaultItem = Place & {
  kind: 'fault'
  reason: string
  /** The number of the card that the row is about, where it says so. */
  number?: string | null
}
