import { isId } from '../../../../jsonapi/fields.ts'
import { isObject } from '../../../../jsonapi/json.ts'
import { sayNumber, sizes } from '../../../../limits.ts'
import { type ImportItem, recordTypes } from '../item.ts'
import { fault, note, type Run } from '../run.ts'
import type { Element } from '../source/elements.ts'
import { readJsonInTurns } from '../source/json.ts'
import { readLines } from '../source/lines.ts'
import { ownRun, readFlags } from './flags.ts'
import { type FindColumn, serialOr, shownHeading } from './header.ts'
import { areOfGame, type Places, placeColumns, showsPeople } from './place-columns.ts'
import {
  type Column,
  cellOf,
  cellText,
  isList,
  isOfExports,
  isOfRecords,
  isWild,
  type Members,
  type Row,
  type RowFile,
  sourcesOf,
  spellingOf,
} from './row.ts'
import { beginRows } from './rows.ts'
import { countsRows, isOfSequence } from './serial-cell.ts'
import { type MemberCleaner, memberCleanerOf, tooLongCell } from './values.ts'

/** The objects of JSON Lines, one per line. A line that isn't JSON is undefined. Blank ones are left out and counted. */
export async function* readObjectLines({ passOver }: Run, text: AsyncIterable<string>): AsyncGenerator<Element> {
  for await (const { number, text: line } of readLines(text))
    if (line?.trim() === '') passOver()
    else yield { number, length: line?.length, json: line === null ? undefined : await parse(line) }
}

const parse = async (text: string): Promise<unknown> => {
  try {
    return await readJsonInTurns(text)
  } catch {
    return undefined
  }
}

/** Reads objects as rows, each with its line or its place in the array. Anything else is a fault. */
export const beginObjects = (run: Run, file: RowFile, sample: unknown[]) => {
  const hasPeople = sample.some((json) => isObject(json) && areOfPeople(json, run.find))
  const shapeOf = rememberShape(run.find, hasPeople, countingIn(sample))
  const numberOf = (json: unknown) => {
    if (!isObject(json)) return []
    const [at] = shapeOf(json).columns.get('number') ?? []
    return at === undefined ? [] : (readValue(Object.values(json)[at], true) ?? [])
  }
  const clean = memberCleanerOf(sample.flatMap(numberOf))
  const rows = { own: beginRows(run, file, false), wild: beginRows(run, file, true) }
  const reported = new Set<string>()
  return function* (line: number, json: unknown, characters?: number): Generator<ImportItem> {
    const place = { file: file.name, line }
    if (!isObject(json)) return yield fault(place, 'the line is not a JSON object')
    const count = Object.keys(json).length
    if (count > sizes.importColumns.most) {
      const limit = sayNumber(sizes.importColumns.most)
      return yield fault(place, `the object has ${sayNumber(count)} members; the limit is ${limit}`)
    }
    const { isExport, isForeign, columns, unread } = shapeOf(json)
    for (const { name } of unread) {
      if (reported.has(name) || reported.size === 100) continue
      reported.add(name)
      yield note(place, 'unread-column', shownHeading(name))
    }
    const row = rowOf(line, Object.entries(json), columns, isExport ? null : clean)
    const items = typeof row === 'string' ? [fault(place, row)] : (isForeign ? rows.wild : rows.own).read(row)
    for (const item of items) {
      if (!isExport && (item.kind === 'fault' || item.kind === 'card')) item.cells = json
      if (item.kind === 'fault' && typeof row !== 'string') item.number = cellOf(row, 'number')
      if (item.kind === 'card') item.characters = characters
      yield item
    }
  }
}

/** What the names of an object's members say of it; most rows have those of the row before. */
const rememberShape = (find: FindColumn, hasPeople: boolean, counting: ReadonlySet<string>) => {
  let last: { key: string; shape: ReturnType<typeof shapeOf> } | undefined
  return (json: Record<string, unknown>) => {
    const names = Object.keys(json)
    const origin = originOf(json)
    const key = [origin, ...names].join('\0')
    if (last?.key !== key) last = { key, shape: shapeOf(names, find, origin, hasPeople, counting) }
    return last.shape
  }
}

/** Who wrote an object: an export, somebody with a type or the ids of an export, or anybody else. */
const originOf = ({ type, id, set_id }: Record<string, unknown>) => {
  const isTyped = types.some((each) => each === type)
  if (isTyped && id !== undefined) return 'export'
  return isTyped || (isId(id) && isId(set_id)) ? 'like an export' : 'elsewhere'
}

/** The members of objects that count them. */
const countingIn = (sample: unknown[]): ReadonlySet<string> => {
  const objects = sample.filter(isObject)
  const names = new Set(objects.flatMap((json) => Object.keys(json).filter(isOfSequence)))
  const cellsOf = (name: string) => objects.flatMap((json) => readValue(json[name], true) ?? [])
  return new Set([...names].filter((name) => countsRows(cellsOf(name))))
}

const shapeOf = (
  names: string[],
  find: FindColumn,
  origin: ReturnType<typeof originOf>,
  hasPeople: boolean,
  counting: ReadonlySet<string>,
) => {
  const isExport = origin === 'export'
  const isGame = areOfGame(names) && !hasPeople
  const findHere = (name: string) => {
    const found = find(name)
    if (isExport || find.isGiven(name)) return found
    if ((origin === 'elsewhere' && isOfRecords(found)) || counting.has(name)) return null
    return foundOutsideExports(origin === 'elsewhere' ? serialOr(found, name, names) : found, isGame)
  }
  const placed = placeColumns(names, findHere, isExport, find.isGiven)
  return { isExport, isForeign: isWild(names), ...placed }
}

const areOfPeople = (json: Record<string, unknown>, find: FindColumn) =>
  showsPeople(Object.keys(json), find, [
    Object.values(json).map((value) => readValues([value], false, true)?.join('|') ?? ''),
  ])

/** The column for a JSON key outside our exports. A color is a parallel's, and a game card's name is its title. */
const foundOutsideExports = (found: Column | null, isGame: boolean) =>
  found === 'color' ? 'parallel' : found === 'name' && isGame ? 'title' : isOfExports(found) ? null : found

/** Reads rows made from objects of another layout. A catalog's codes are exact. */
export const beginMembers = (run: Run, file: RowFile, isCatalog = true) => {
  const rows = beginRows(run, file, false, isCatalog)
  return function* (line: number, members: Members): Generator<ImportItem> {
    const columns: Places = new Map(Object.keys(members).map((column, at) => [column as Column, [at]]))
    const row = rowOf(line, Object.entries(members), columns, asItIs)
    if (typeof row === 'string') yield fault({ file: file.name, line }, row)
    else yield* rows.read(row)
  }
}

/** Whether an object is a row: it names a set, or a type of an export. */
export const isRow = (json: object, find: FindColumn) => {
  const columns = new Set(Object.keys(json).map(find))
  const type = 'type' in json ? json.type : null
  return namesSet.some((column) => columns.has(column)) || types.some((each) => each === type)
}
const namesSet: Column[] = ['set', 'set_id', 'parent_set', 'brand']
const types = ['cards', 'sets', ...recordTypes]

/** A row from members, or why it can't be read. Exports aren't `clean`ed. */
const rowOf = (
  line: number,
  members: [string, unknown][],
  columns: Places,
  clean: MemberCleaner | null,
): Row | string => {
  const cells = new Map<Column, (string | null)[]>()
  const mended: string[] = []
  let spelling = ''
  for (const [column, places] of columns) {
    const parts = places.flatMap((at) => (members[at] ? [members[at]] : []))
    const name = parts.map(([name]) => name).join(' and ')
    const values = readValues(
      parts.map(([, value]) => value),
      isList(column),
      clean !== null,
    )
    if (!values) return `${name} is neither a text, a number, a list of them nor null`
    if (values.length > 1 && !isList(column)) return `${name} contains several values`
    const texts: (string | null)[] = []
    for (const value of values) {
      if (value && value.length > sizes.importCell.most) return tooLongCell(name)
      const given = value === null ? null : cellText(column, value)
      const text = given === null || !clean ? given : clean(column, given, mended)
      if (text !== null && typeof text !== 'string') return text.wrong
      if (clean && given) spelling += spellingOf([[column, given]], () => text)
      if (text !== '' || value === '') texts.push(text)
    }
    cells.set(column, texts)
  }
  if (clean && clean !== asItIs) takeFlags(cells)
  return {
    line,
    mended,
    spelling,
    sources: sourcesOf(columns.keys()),
    has: (column) => columns.has(column),
    heading: (column) => members[columns.get(column)?.[0] ?? -1]?.[0] ?? column,
    values: (column) => cells.get(column) ?? [],
  }
}

/** The codes of a row apart, and a print run among them in its own column, as in tables. */
const takeFlags = (cells: Map<Column, (string | null)[]>) => {
  const given = cells.get('attributes')
  if (!given) return
  const own = cells.get('serial_number')?.[0] ?? ownRun((column) => cells.get(column)?.[0])
  const { codes, serialNumber } = readFlags(
    given.flatMap((text) => text ?? []),
    own,
  )
  cells.set('attributes', codes)
  if (serialNumber !== null && own === null) cells.set('print_run', [serialNumber])
}

const asItIs: MemberCleaner = (_, text) => text

/** The values of a member, or of parts that are one text; what people typed is trimmed, what an export holds is taken as it is. */
const readValues = (parts: unknown[], several: boolean, trims: boolean): (string | null)[] | null => {
  const [value] = parts
  if (Array.isArray(value) && parts.length === 1) {
    const each = value.map((one) => readValue(one, trims))
    return each.includes(undefined) ? null : (each as (string | null)[])
  }
  const texts = parts.map((part) => readValue(part, trims))
  if (texts.includes(undefined)) return null
  const given = texts.filter((text) => text !== null)
  if (given.length === 0) return []
  const text = given.join(' ')
  return several ? text.split('|').map((piece) => piece.trim() || null) : [text]
}

const readValue = (value: unknown, trims: boolean): string | null | undefined => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return trims ? value.trim() || null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
