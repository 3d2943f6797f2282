import { plainName } from '../../../../lib/plain-text.ts'
import { columnNames } from '../../../model/record-columns.ts'
import { lineInCell, oneLine } from '../source/lines.ts'

/**
 * The columns of a row, in CSV (several values in a cell are separated by `|`) and in JSON Lines (a value may be a list).
 * Those of the first line are the format; the others stand in exports and may be used by anyone. An export's line is a
 * card unless `type` says otherwise; `id` is the record's own. Order of an export: vocabulary, years, genres, makers, teams,
 * players, playerteams, sets (a parent before its children), cards (a parent before its children), the rest.
 */
const columns = [
  ...(['genre', 'year', 'manufacturer', 'brand', 'set', 'parent_set', 'number', 'player', 'team'] as const),
  ...(['title', 'attributes', 'serial_number', 'notes'] as const),
  /** Of any line of an export: the type, the id, whether the record is deleted. */
  ...(['type', 'id', 'deleted'] as const),
  /** Of a card: its set by id, its parent card, its image, and the ids of its entries (by position) and attributes. */
  ...(['set_id', 'parent_id', 'image_uuid', 'player_id', 'team_id'] as const),
  /** Of a set (`set` is its name, `parent_set_id` its parent, the ids those of its labels); `kind` and `status` may stand on card rows too. */
  ...(['genre_id', 'year_id', 'manufacturer_id', 'brand_id'] as const),
  ...(['parent_set_id', 'kind', 'status', 'release_date', 'description'] as const),
  /** Of the other records. */
  ...(['name', 'attribute', 'color', 'location', 'abbreviation', 'first_name', 'last_name', 'position'] as const),
  ...([
    'attribute_id',
    'attribute_value',
    'object_type',
    'object_id',
    'source_url',
    'source_type',
    'verified_at',
  ] as const),
  ...(['aliases', 'disambiguation', 'born_on', 'source', 'value', 'merged_into', 'parent_year'] as const),
  /**
   * Of checklists that others wrote: `subset` and `parallel` are child sets, `print_run` N is `/N`, and `serial` 12/99, too, unlike a number
   * alone; `rookie`, `autograph`, `memorabilia` are RC, AU, MEM.
   */
  ...(['subset', 'parallel', 'print_run', 'serial', 'rookie', 'autograph', 'memorabilia', 'team_city'] as const),
] as const
/** `id:SOURCE` is what a source calls a card. */
export type Column = (typeof columns)[number] | `id:${string}`

/** Columns of cards that only the schema names: an export has them, and they come back as they are. */
export const furtherColumns = columnNames('cards').filter(
  (name) => !columns.some((column) => column === name),
) as Column[]

/** Columns by headings that the caller of an import named, over those that are known; null for one to leave out. */
export type HeadingMap = Record<string, Column | null>

/** A row by its columns: its values, with null for a gap in a list. Missing columns are empty lists. */
export type Row = {
  line: number
  values: (column: Column) => (string | null)[]
  has: (column: Column) => boolean
  /** What the file calls a column. */
  heading: (column: Column) => string
  /** Its garbled texts, repaired. */
  mended: string[]
  /** How its texts were written, if not plainly. Rows that only differ in this are one card. */
  spelling: string
  /** The sources of which it has ids: columns `id:SOURCE`. */
  sources: string[]
  /** What its parallel says, once it's read (`parallelIn`). */
  parallel?: ParallelCell
}

/** A parallel's name, and the print run beside it. `isUnsure`: a number may be a print run, so it stays in the name. */
export type ParallelCell = { name: string; serialNumber: string | null; isUnsure: boolean }

/** An object of another layout, as values by column. */
export type Members = Partial<Record<Column, unknown>>

/** The sources of such columns. */
export const sourcesOf = (columns: Iterable<Column>): string[] =>
  [...columns].flatMap((column) => (column.startsWith('id:') ? [column.slice(3)] : []))

/** Whether a column holds several values. */
export const isList = (column: Column): boolean => lists.has(column) || column.startsWith('id:')

const lists: ReadonlySet<Column> = new Set<Column>([
  'aliases',
  'player',
  'team',
  'attributes',
  'player_id',
  'team_id',
  'attribute_id',
])

/** The columns whose texts may have several lines. */
const ofSeveralLines: ReadonlySet<Column> = new Set(['notes', 'description'])

/** A cell as its column takes it: tabs and line breaks in a text of one line are a space, as spreadsheets mean them. */
export const cellText = (column: Column, text: string): string =>
  ofSeveralLines.has(column) ? text.replaceAll(lineInCell, '\n') : oneLine(text)

/** Texts of a row as they were written, where that isn't how they are read. */
export const spellingOf = (written: Iterable<readonly [Column, string]>, read: (column: Column) => string | null) => {
  let spelling = ''
  for (const [column, text] of written)
    if (text !== (ofNames.has(column) ? read(column) : plainName(text))) spelling += `${text}\0`
  return spelling
}

const ofNames: ReadonlySet<Column> = new Set<Column>(['number', 'player', 'team', 'name'])

/** The one value of a column, trimmed; null where it is empty. */
export const cellOf = (row: Row, column: Column): string | null => row.values(column)[0] ?? null

/** The columns that only an export has. Elsewhere the heading means something else, and isn't read. */
export const isOfExports = (column: Column | null): boolean => column !== null && ofExports.has(column)

const ofExports: ReadonlySet<Column> = new Set<Column>([
  ...(['aliases', 'disambiguation', 'born_on', 'source', 'value', 'merged_into', 'attribute', 'color'] as const),
  ...(['location', 'abbreviation', 'first_name', 'last_name', 'position', 'source_url', 'parent_set_id'] as const),
  ...(['source_type', 'verified_at', 'parent_year'] as const),
  ...(['attribute_value', 'object_type', 'object_id', 'genre_id', 'year_id', 'manufacturer_id', 'brand_id'] as const),
])

/**
 * Columns whose headings other files use for something else. They mean ours only where a file shows that an export wrote it: by the ids
 * of cards and sets, or in JSON by a type (decisions.md §19).
 */
export const isOfRecords = (column: Column | null): boolean => column !== null && ofRecords.has(column)

const ofRecords: ReadonlySet<Column> = new Set<Column>([
  ...(['id', 'type', 'set_id', 'parent_id', 'status', 'kind', 'deleted', 'release_date'] as const),
])

/** What else a column is called in checklists that others wrote (decisions.md §14), by `columnKey`. */
const otherHeadings = new Map<string, Column>(
  Object.entries({
    genre: 'sport category product_line game',
    year: 'season set_year year_manufactured',
    manufacturer: 'maker company',
    set: 'card_set set_name',
    parent_set: 'release product program parent',
    subset: 'insert insert_set subset_name',
    parallel: 'variety parallel_variety variation printing finish',
    number: 'card_number card_no card_num card_nr no num nr collector_number',
    player: 'players player_name player_names athlete subject player_athlete',
    team: 'teams team_name club',
    title: 'card_title product_name card_name',
    attributes: 'attribute_codes tags flags rarity',
    print_run: 'run printrun numbered numbered_to seq sequence serial_no_d no_d',
    serial: 'serial_no serial_numbered copy copy_no copy_number',
    rookie: 'rc rookie_card',
    autograph: 'auto autographed',
    memorabilia: 'mem relic',
    notes: 'note comment comments',
    image_uuid: 'image_id',
  } satisfies Partial<Record<Column, string>>).flatMap(([column, names]) =>
    names.split(' ').map((name) => [name, column as Column] as const),
  ),
)

/** Headings that reveal a third-party checklist. Its names are read as a release's are. */
const foreignHeadings = new Set(
  [
    'card_set card_number card_no card_nr no nr num player_name player_names subject athlete print_run',
    'parallel variety parallel_variety variation insert insert_set product program seq sequence numbered',
    'numbered_to team_name set_name player_athlete collector_number no_d serial_no serial_no_d auto mem',
    'team_city card_description',
  ].flatMap((names) => names.split(' ')),
)

/** `Card Number`, `card-number`, ` CARD_NUMBER ` and `Card No.` have one form each; `#` is a number, `*C:` a listing's own mark. */
export const columnKey = (name: string) =>
  name
    .replace(listingMark, '')
    .trim()
    .toLowerCase()
    .replaceAll('#', ' no ')
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

/** What marks the headings of a seller's listing, whose title is no card's. */
export const listingMark = /^\s*\*?C:/

/** The column that a name in a header or a key of JSON means; null for one that is not read. */
export const findColumn = (name: string): Column | null => {
  const key = columnKey(name)
  return idColumn(name) ?? (ownHeadings.has(key) ? (key as Column) : (otherHeadings.get(key) ?? null))
}

const ownHeadings: ReadonlySet<string> = new Set([...columns, ...furtherColumns])

/** `id:tcdb`; null for what is no such column. */
const idColumn = (name: string): Column | null => {
  const [, source] = /^\s*id\s*:\s*([a-z0-9-]{1,40})\s*$/i.exec(name) ?? []
  return source ? `id:${source.toLowerCase()}` : null
}

/** Every known heading, for the message about a misspelled one. */
export const knownHeadings: [heading: string, column: Column][] = [
  ...columns.filter((column) => !isOfExports(column)).map((column): [string, Column] => [column, column]),
  ...otherHeadings,
]

/**
 * Reads `Heading=column`, several times, and `Heading=` for one to leave out; `wrong` says what is wrong with the first that names no
 * column, or another one for a heading.
 */
export const readHeadingMap = (pairs: string[]): { headings: HeadingMap; wrong?: string } => {
  const headings = new Map<string, Column | null>()
  const read = (wrong?: string) => ({ headings: Object.fromEntries(headings), wrong })
  for (const pair of pairs) {
    const at = pair.lastIndexOf('=')
    const name = pair.slice(at + 1).trim()
    const column = name === '' ? null : (idColumn(name) ?? columns.find((one) => one === name))
    if (at < 1 || column === undefined)
      return read(
        `${quoted(pair)} must be Heading=column, where the column is one of ${columns.join(', ')} or id:SOURCE, or Heading= to leave it out`,
      )
    const heading = columnKey(pair.slice(0, at))
    if (headings.has(heading) && headings.get(heading) !== column)
      return read(`${quoted(pair)} gives the heading another column than before`)
    headings.set(heading, column)
  }
  return read()
}

const quoted = (pair: string) => `“${pair.slice(0, 100)}”`

/** Whether names in the rows under these columns need reading: others wrote them. */
export const isWild = (names: string[]) => names.some((name) => foreignHeadings.has(columnKey(name)))

/** Where rows stand: the file's name as reported, and its path, whose last part may name a release. */
export type RowFile = { name: string; path: string }
