import { isUuid } from '../../../../jsonapi/fields.ts'
import { editDistance } from '../../../../lib/edit-distance.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import { findDelimiter, splitRecord } from '../source/csv.ts'
import { type Line, longestLine, oneLine } from '../source/lines.ts'
import { areOfGame, type Places, placeColumns, showsPeople } from './place-columns.ts'
import {
  type Column,
  columnKey,
  findColumn,
  type HeadingMap,
  isOfExports,
  isOfRecords,
  isWild,
  knownHeadings,
  listingMark,
} from './row.ts'
import { countsRows, isOfSequence } from './serial-cell.ts'

/**
 * The column that a heading, or a member of JSON, means; null for one that is not read. `isGiven` says whether the caller of the import
 * named it.
 */
export type FindColumn = ((name: string) => Column | null) & { isGiven: (name: string) => boolean }

/** Finds columns by the headings that the caller of an import named, then by those that are known. */
export const finderOf = (map: HeadingMap): FindColumn => {
  const named = new Map(Object.entries(map).map(([heading, column]) => [columnKey(heading), column]))
  const isGiven = (name: string) => !isTooLong(name) && named.has(columnKey(name))
  const find = (name: string) =>
    isTooLong(name) ? null : isGiven(name) ? (named.get(columnKey(name)) ?? null) : findColumn(name)
  return Object.assign(find, { isGiven })
}

/** Whether a heading, or a member's name, is too long to mean anything. Nothing looks inside it. */
const isTooLong = (name: string) => name.length > sizes.importHeading.most

/** A heading that isn't read, as a report shows it. */
export const shownHeading = (name: string) =>
  name.trim().slice(0, 100) + (isTooLong(name) ? `… is longer than ${sizes.importHeading.most} characters` : '')

/** The header of a table: which cells of a row have which column, and headings that are not read. */
export type Header = {
  line: number
  delimiter: string
  names: string[]
  columns: Places
  unread: string[]
  isGame: boolean
}

/** A header as it was found, and the line where it ends. */
type Read = { header: Header; end: number }

/** A header, and why it is not enough to read rows; null where it is. `isNameless`: because columns go by other headings. */
type Found = Read & { wrong: string | null; isNameless?: true }

/** How many lines before a header may be skipped, such as a title and empty lines. */
const leadingMost = 15
/** In how many lines and characters a header must end. Headings may span lines. */
export const headerMost = 60
const longestHeader = 1 << 16

/**
 * Finds the header among the first lines of a table: the first line whose headings are enough to read rows. Where none is,
 * the line with the most known headings, and why it is not enough.
 */
export const findHeader = (lines: Line[], find: FindColumn): Found | undefined => {
  const read: Read[] = []
  for (const [at, { text, head }] of lines.slice(0, leadingMost).entries()) {
    if (text?.trim() === '') continue
    const each = readHeader(
      text === null ? [{ number: lines[at]?.number ?? 1, text: head ?? '' }] : lines.slice(at),
      find,
    )
    if (isTooWide(each.header)) return { ...each, wrong: sayTooWide(each.header.names.length, text === null) }
    if (text === null && read.length > 0) continue
    if (text === null) return { ...each, wrong: `the first line is longer than ${sayNumber(longestLine)} characters` }
    if (missingOf(each.header).length === 0 && (read.length === 0 || each.header.columns.size > 1))
      return { ...each, wrong: null }
    read.push(each)
  }
  const [best] = read.toSorted((a, b) => b.header.columns.size - a.header.columns.size)
  return best && { ...best, wrong: headerFault(best.header), isNameless: true }
}

/** Whether a table has more columns than are read. */
export const isTooWide = ({ names }: Pick<Header, 'names'>) => names.length > sizes.importColumns.most

const sayTooWide = (count: number, hasMore: boolean) => {
  const most = sayNumber(sizes.importColumns.most)
  return `the table has ${hasMore ? `more than ${most}` : sayNumber(count)} columns; the limit is ${most}`
}

/** Reads the first line as a header, with as many behind it as a quoted heading goes on over. */
const readHeader = (lines: Line[], find: FindColumn): Read => {
  let text = ''
  let [record, end]: [ReturnType<typeof splitRecord>, number] = [null, 0]
  for (const line of lines) {
    text += line.text ?? ''
    record = splitRecord(text, findDelimiter(text))
    end = line.number
    if (record || text.length > longestHeader) break
    text += '\n'
  }
  const cells = record && 'cells' in record ? record.cells : []
  const names = cells.slice(0, cells.findLastIndex((cell) => cell.trim() !== '') + 1)
  const delimiter = findDelimiter(text)
  const below = () =>
    recordsOf(
      lines.filter(({ number }) => number > end),
      delimiter,
    )
  return { header: headerOf(lines[0]?.number ?? 1, names, delimiter, find, below), end }
}

/** The cells of the rows in some lines. A cell may go on over several of them. */
const recordsOf = (lines: Line[], delimiter: string): string[][] => {
  let open = ''
  return lines.flatMap(({ text }) => {
    const record = splitRecord(open + (text ?? ''), delimiter)
    open = record || open.length > longestHeader ? '' : `${open}${text ?? ''}\n`
    return record && 'cells' in record ? [record.cells] : []
  })
}

/** The header of another table below the first one: a row whose cells are all known headings, and enough of them; else null. */
export const nextHeader = (
  line: number,
  cells: string[],
  delimiter: string,
  find: FindColumn,
  before: Header,
): Header | null => {
  const filled = cells.filter((cell) => cell.trim() !== '')
  if (filled.length < 3 || !filled.every(find)) return null
  const header = headerOf(line, cells, delimiter, find, () => [], !before.isGame)
  return missingOf(header).length === 0 && header.unread.length === 0 ? header : null
}

/** The header in a row's cells; `below` reads some of the rows below it. */
const headerOf = (
  line: number,
  cells: string[],
  delimiter: string,
  find: FindColumn,
  below: () => string[][] = () => [],
  hasPeople = false,
): Header => {
  const names = cells.map(oneLine)
  if (isTooWide({ names })) return { line, delimiter, names, columns: new Map(), unread: [], isGame: false }
  const [idAt, setAt] = (['id', 'set_id'] as const).map((column) => names.findIndex((name) => find(name) === column))
  const hasIds = idAt !== -1 && setAt !== -1 && [idAt, setAt].every((at) => haveUuids(below(), at))
  const isExport = hasIds && names.some((name) => findColumn(name) === 'type')
  const isListing = names.some((name) => listingMark.test(name))
  const isGame = areOfGame(names) && !hasPeople && !showsPeople(names, find, below())
  const findHere = (name: string) =>
    isExport || find.isGiven(name)
      ? find(name)
      : foundElsewhere(serialOr(find(name), name, names), { isListing, isGame, hasIds })
  const { columns, unread } = placeColumns(names, findHere, isExport, find.isGiven)
  const counting = countingAt(names, columns, find.isGiven, below)
  if (counting !== undefined) columns.delete('print_run')
  return {
    ...{ line, delimiter, names, columns, isGame },
    unread: [
      ...unread.map(({ name, second }) => shownHeading(name) + (second ? `: a second ${second}` : '')),
      ...(counting === undefined ? [] : [`${shownHeading(names[counting] ?? '')}: counts the rows`]),
    ],
  }
}

/** Where a column of print runs that may count the rows does so, by the rows `below`. */
const countingAt = (names: string[], columns: Places, isGiven: FindColumn['isGiven'], below: () => string[][]) => {
  const [at] = columns.get('print_run') ?? []
  const name = names[at ?? -1] ?? ''
  if (at === undefined || !isOfSequence(name) || isGiven(name)) return undefined
  return countsRows(below().flatMap((cells) => cells[at]?.trim() || [])) ? at : undefined
}

/** In tables of others, a serial number is a copy's. Under our own heading, it is the card's, word for word. */
export const serialOr = (found: Column | null, name: string, names: string[]): Column | null =>
  found === 'serial_number' && (name.trim().toLowerCase() !== found || isWild(names)) ? 'serial' : found

/** Whether the cells of a column are ids, as far as they are filled. */
const haveUuids = (rows: string[][], at = -1) => {
  const filled = rows.flatMap((cells) => cells[at]?.trim() || [])
  return filled.length > 0 && filled.every(isUuid)
}

/** The column of the same heading in a file that isn't an export. There, a description isn't the set's. */
const foundElsewhere = (
  found: Column | null,
  { isListing, isGame, hasIds }: { isListing: boolean; isGame: boolean; hasIds: boolean },
) => {
  if (isOfRecords(found) && !hasIds) return null
  if (found === 'color') return 'parallel'
  if (found === 'name' && isGame) return 'title'
  if (isOfExports(found) || found === 'description' || (found === 'title' && isListing)) return null
  return found
}

/** The columns that a header lacks, so that rows under it can't be read (decisions.md §14). */
const missingOf = ({ columns }: Header): string[] => {
  if (columns.has('type')) return []
  const has = (...some: Column[]) => some.some((column) => columns.has(column))
  const hasSet = has('set', 'set_id', 'parent_set') || (has('brand') && has('year'))
  return [
    ...(hasSet ? [] : ['the set (set, or year and brand)']),
    ...(has('number') ? [] : ['the number']),
    ...(has('player', 'name', 'title') ? [] : ['the player or the title']),
  ]
}

/** What a header lacks, with its first headings and the nearest known ones. */
const headerFault = (header: Header): string => {
  const { columns, names } = header
  const found = names
    .map((name) => name.trim().slice(0, 60))
    .filter(Boolean)
    .slice(0, 30)
  const missing = missingOf(header).join(', ')
  const what = columns.size === 0 ? 'no row is a known header' : `the header has no column for ${missing}`
  const near = found.flatMap(nearest)
  const hint = near.length > 0 ? `; nearest known headings: ${near.join(', ')}` : ''
  return `${what}; found: ${found.join(', ')}${hint}`
}

/** An unknown heading with the most similar known one. */
const nearest = (name: string): string[] => {
  const key = columnKey(name)
  if (key === '' || key.length > 40 || findColumn(name)) return []
  const [best] = knownHeadings
    .map(([heading, column]) => ({ column, far: editDistance(key, heading) - (shareWord(key, heading) ? 2 : 0) }))
    .toSorted((a, b) => a.far - b.far)
  return best && best.far <= (key.length > 3 ? Math.max(2, key.length / 3) : 1) ? [`${name} = ${best.column}?`] : []
}

const shareWord = (one: string, other: string) =>
  one.split('_').some((word) => word.length > 3 && other.split('_').includes(word))
