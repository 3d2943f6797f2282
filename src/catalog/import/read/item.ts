import { typesByDocument } from '../../model/attached.ts'
import type { PersonName } from '../../model/person-name.ts'
import { tableOf } from '../../model/tables.ts'

/** What `readChecklist` yields, in an order that can be written: a set before its first card, a parent before its child. */
export type ImportItem = FileItem | AttributeItem | SetItem | CardItem | RecordItem | NoteItem | FaultItem

/** A row as it is in the file, by heading. */
export type Cells = Record<string, unknown>

/** Where an item was found: the file's name, the line (0 in JSON documents), and the row if it is from a table. */
type Place = { file: string; line: number; cells?: Cells }

/** The start of a file. `form` says how it is read. `skipped` files contain no checklist and yield one note. */
export type FileItem = Place & { kind: 'file'; form: 'csv' | 'json-lines' | 'rows' | 'release' | 'skipped' }

/** A code of the attribute vocabulary, once, before its first use. It's created if it is missing, and never renamed. */
export type AttributeItem = Place & { kind: 'attribute'; code: string; name: string; isExact?: true }

export const setKinds = ['base', 'parallel', 'insert', 'autograph', 'variation'] as const
export type SetKind = (typeof setKinds)[number]

/**
 * A set, once per `key` in a run. With an `id`, it is that set. Without one, it is the live set with the same parent, name, genre,
 * year, manufacturer and brand. Null in `setKind`, `status`, `description` or `releaseDate` says nothing: a new set gets the
 * default, and an existing one keeps its value.
 */
export type SetItem = Place & {
  kind: 'set'
  key: string
  parentKey: string | null
  id: string | null
  name: string
  setKind: SetKind | null
  genre: string | null
  /** The genre as the row spells it, which goes first if the catalog has one of that name. */
  saidGenre?: string
  year: string | null
  manufacturer: string | null
  brand: string | null
  status: 'draft' | 'published' | null
  description: string | null
  releaseDate: string | null
  deleted: boolean
  /** It has no line of its own. The rows of its cards name it. */
  isNamedByCards?: true
  /** How many sets had cards when it was read, set by the writer. */
  coveredBefore?: number
  /** The column's text, if the file has the column. */
  aliases?: string | null
  /** What a column of parallels or inserts makes of it. A set that exists keeps its own kind. */
  columnKind?: SetKind
  /** What the file has no column for. A set that exists keeps its own. */
  unsaid?: ('kind' | 'parent')[]
  /** In exports: the ids of its labels, used if those labels exist. */
  labelIds?: Partial<Record<'genre' | 'year' | 'manufacturer' | 'brand', string>>
}

/** One entry on a card: a player, a team, or both (a player-team). Only exports have ids. */
export type Entry = {
  player: PersonName | null
  team: string | null
  playerId?: string
  teamId?: string
  /** What tells the player apart from namesakes: `b. 1968`. */
  disambiguation?: string
}

/**
 * The cells that name who is on a card, as they were written, its title's cell, and the genre of its set. `isOwn`: in our own form, names are taken word for
 * word unless several are known.
 */
export type NameCells = {
  players: string[]
  teams: string[]
  title: string | null
  genre: string | null
  /** Whether the file has columns of titles and teams. */
  says: { title: boolean; teams: boolean }
  isOwn?: true
}

/** The card that a parallel's card is based on: by id, or the card of that set with the same number. */
export type ParentCard = { id: string } | { setKey: string; number: string }

/** A card's identifier at another service. */
export type Identifier = { source: string; value: string }

/** The rule that decided how a card's name was read. Null if the columns say it themselves. */
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

/** A part of a card that a file may have no column for. `parent`: one that isn't found by its number. */
export type Unsaid = 'number' | 'title' | 'serial_number' | 'players' | 'teams' | 'attributes' | 'parent'

/**
 * A card. With an `id`, it is that card. Without one, it is the card of its set with the same number, entries, title, attributes
 * and serial number, and `occurrence` (0, 1, 2 …) tells equal rows of a file apart by their order. `attributes` are unique codes;
 * exports also have their ids. If `imageId` or `parent` is undefined, the row says nothing about it.
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
  /** What the row says nothing about: a card that exists keeps its own. */
  unsaid?: Unsaid[]
  /** If `attributes` is unsaid: the codes that a column of their own says no to. The row's other codes are added. */
  denied?: string[]
  /** Columns known only from the schema, if the file has them. */
  further?: Partial<Record<string, string | null>>
  /** Its codes are a catalog's: those that differ in case are two. */
  hasExactCodes?: true
  /** The values of `id:SOURCE` columns, if any. */
  identifiers?: Identifier[]
  rule: NameRule | null
  /** In checklists of others: what `entries` and `title` were read from. Names that the catalog knows go first. */
  named?: NameCells
  /** A name that may contain more or less than one person. */
  undecided?: string
  /** Its teams are as people write them, maybe short. Exports have their full names. */
  hasTeamCells?: true
  /** How many characters its row has in the file, where rows are read one by one. */
  characters?: number
  /** An earlier file has the same row, so it only claims the card for its file. */
  isRepeated?: true
  /** Its place among the import's items, and its file's among the files with cards, set by the writer. */
  place?: number
  fileNo?: number
}

/** A record of another type, as `export` wrote it, with its id. `fields` are its columns as in row.ts. */
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
/** `merges` are the ids of merged records, and what they redirect to. */
export type RecordType = (typeof recordTypes)[number]

/** The resource type of a line. */
export const resourceTypeOf = (type: Exclude<RecordType, 'merges'>) =>
  type === 'object_attributes' ? 'object-attributes' : type

/** Something worth reporting about a row that is imported anyway. `rule` groups notes in the report. `cards` counts parallels' cards that were left out. */
export type NoteItem = Place & { kind: 'note'; rule: NoteRule; text: string; cards?: number }
export type NoteRule =
  | 'undecided-name'
  | 'undecided-brand'
  | 'undecided-parallel'
  | 'code-in-name'
  | 'name-tidied'
  | 'serial-differs'
  | 'duplicate-id'
  | 'invalid-id'
  | 'equal-rows'
  | 'shared-number'
  | 'parents-found'
  | 'ambiguous-card'
  | 'similar-names'
  | 'similar-rows'
  | 'variation-or-not'
  | 'spelling-kept'
  | 'number-spelled'
  | 'name-replaced'
  | 'values-replaced'
  | 'no-number'
  | 'shared-set-name'
  | 'kind-differs'
  | 'base-set'
  | 'empty-set'
  | 'unknown-code'
  | 'attribute-name-differs'
  | 'unread-column'
  | 'unread-member'
  | 'unread-flag'
  | 'unread-serial'
  | 'copy-number'
  | 'year-differs'
  | 'skipped-file'
  | 'hidden'
  | 'read-as'
  | 'mended-text'
  | 'parallels-left-out'
  | 'no-card-id'
  | 'image-not-here'
  | 'identifier-taken'
  | 'ambiguous-player'
  | 'namesake-number'
  | 'position-dropped'
  | 'ambiguous-code'
  | 'ambiguous-team'
  | 'team-read-as'
  | 'no-team'
  | 'not-pruned'
  | 'dry-run-inexact'
  | 'not-merged'
  | 'no-card'
  | 'no-date'
  | 'no-genre'
  | 'no-release'

/** A refused row or file (line 0 or 1). The rest is still read. */
export type FaultItem = Place & {
  kind: 'fault'
  reason: string
  /** The number of the row's card, if it has one. */
  number?: string | null
}
