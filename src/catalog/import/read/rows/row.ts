import { columnNames } from '../../../model/record-columns.ts'
import { oneLine } from '../source/lines.ts'

/**
 * The columns of a row, in CSV (several values in a cell are separated by `|`) and in JSON Lines (a value may be a list).
 * Those of the first line are the format; the others stand in exports and may be used by anyone. An export's line is a
 * card unless `type` says otherwise; `id` is the record's own. Order of an export: vocabulary, years, genres, makers, teams,
 * players, playerteams, sets (a parent before its children), cards (a parent before its children), the rest.
 */
const COLUMNS = [
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
  ...(['attribute_id', 'attribute_value', 'object_type', 'object_id', 'source_url'] as const),
  /** Of checklists that others wrote: `subset` is an insert of `{year} {brand}`, `print_run` N is `/N`, `rookie` is RC. */
  ...(['subset', 'print_run', 'rookie'] as const),
] as const
export type Column = (typeof COLUMNS)[number]

/** Columns of cards that only the schema names: an export has them, and they come back as they are. */
export const FURTHER = columnNames('cards').filter((name) => !COLUMNS.some((column) => column === name)) as Column[]

/** A row by its columns: its values, a null where a list has a hole; what is not there is an empty list. */
export type Row = { line: number; values: (column: Column) => (string | null)[]; has: (column: Column) => boolean }

/** The columns that hold several values. */
export const LISTS: ReadonlySet<Column> = new Set([
  'player',
  'team',
  'attributes',
  'player_id',
  'team_id',
  'attribute_id',
])

/** The columns whose texts may have several lines. */
const MULTILINE: ReadonlySet<Column> = new Set(['notes', 'description'])

/** A cell as its column takes it: tabs and line breaks in a text of one line are a space, as spreadsheets mean them. */
export const cellText = (column: Column, text: string): string => (MULTILINE.has(column) ? text : oneLine(text))

/** The one value of a column, trimmed; null where it is empty. */
export const cellOf = (row: Row, column: Column): string | null => row.values(column)[0] ?? null

/** What else a column is called in checklists that others wrote; names are compared as `columnKey` gives them. */
const ALIASES: Record<string, Column> = {
  sport: 'genre',
  category: 'genre',
  season: 'year',
  maker: 'manufacturer',
  company: 'manufacturer',
  card_set: 'set',
  set_name: 'set',
  release: 'parent_set',
  product: 'parent_set',
  parent: 'parent_set',
  insert_set: 'subset',
  subset_name: 'subset',
  card_number: 'number',
  card_no: 'number',
  card_num: 'number',
  no: 'number',
  num: 'number',
  '': 'number',
  players: 'player',
  player_name: 'player',
  player_names: 'player',
  athlete: 'player',
  subject: 'player',
  teams: 'team',
  team_name: 'team',
  club: 'team',
  card_title: 'title',
  attribute_codes: 'attributes',
  tags: 'attributes',
  serial: 'serial_number',
  serial_numbered: 'serial_number',
  run: 'print_run',
  printrun: 'print_run',
  numbered_to: 'print_run',
  rc: 'rookie',
  rookie_card: 'rookie',
  note: 'notes',
  comment: 'notes',
  comments: 'notes',
  image_id: 'image_uuid',
}

/** Names by which a header shows that others wrote the checklist: its names are then read as a release's are. */
const WILD = new Set([
  'card_set',
  'card_number',
  'card_no',
  'card_num',
  'player_name',
  'player_names',
  'subject',
  'athlete',
  'print_run',
])

/** `Card Number`, `card-number` and ` CARD_NUMBER ` are one name; `#` is an empty one. */
const columnKey = (name: string) =>
  name
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')

/** The column that a name in a header or a key of JSON means; null for one that is not read. */
export const findColumn = (name: string): Column | null => {
  const key = columnKey(name)
  if (key === '' && name.trim() !== '#') return null
  return [...COLUMNS, ...FURTHER].find((column) => column === key) ?? ALIASES[key] ?? null
}

/** Whether names in the rows under these columns need reading: others wrote them, and no column is a title's. */
export const isWild = (names: string[]) =>
  names.some((name) => WILD.has(columnKey(name))) && !names.some((name) => findColumn(name) === 'title')
