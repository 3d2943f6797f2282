import { type Cells, type ImportItem, recordTypes } from '../item.ts'
import { fault, note, type Run } from '../run.ts'
import type { Element } from '../source/elements.ts'
import { readLines } from '../source/lines.ts'
import {
  type Column,
  cellOf,
  cellText,
  findColumn,
  isList,
  isOfExports,
  isWild,
  type Row,
  type RowFile,
  sourcesOf,
} from './row.ts'
import { beginRows } from './rows.ts'
import { type MemberCleaner, memberCleanerOf } from './values.ts'

/** The objects of JSON Lines: one a line, blank lines left out. A line that is no JSON is undefined. */
export async function* readObjectLines(text: AsyncIterable<string>): AsyncGenerator<Element> {
  for await (const { number, text: line } of readLines(text))
    if (line?.trim() !== '') yield { number, json: line === null ? undefined : parse(line) }
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads objects as rows, each by its line or its place in the array. What is no object is a fault. */
export const beginObjects = (run: Run, file: RowFile, sample: unknown[]) => {
  const clean = memberCleanerOf(sample.flatMap(numberOf))
  const rows = { own: beginRows(run, file, false), wild: beginRows(run, file, true) }
  const reported = new Set<string>()
  return function* (line: number, json: unknown): Generator<ImportItem> {
    const place = { file: file.name, line }
    if (typeof json !== 'object' || json === null || Array.isArray(json))
      return yield fault(place, 'the line is no JSON object')
    const names = Object.keys(json)
    const isExported = names.includes('type')
    const hasPlayer = names.some((name) => findColumn(name) === 'player')
    const isUnread = (name: string) => {
      const column = columnOf(name, isExported)
      return !column || (!isExported && (isOfExports(column) || (column === 'name' && hasPlayer)))
    }
    for (const name of names.filter((each) => isUnread(each) && !reported.has(each))) {
      if (reported.size < 100) yield note(place, 'unread-column', name.slice(0, 100))
      reported.add(name)
    }
    const row = rowOf(line, Object.entries(json), isExported ? undefined : clean)
    const items = typeof row === 'string' ? [fault(place, row)] : (isWild(names) ? rows.wild : rows.own).read(row)
    for (const item of items) {
      if (!isExported && (item.kind === 'fault' || item.kind === 'card')) item.cells = json as Cells
      if (item.kind === 'fault' && typeof row !== 'string') item.number = cellOf(row, 'number')
      yield item
    }
  }
}

/** The column of a member; a color outside of an export is that of a parallel. */
const columnOf = (name: string, isExported: boolean): Column | null => {
  const column = findColumn(name)
  return column === 'color' && !isExported ? 'parallel' : column
}

/** The number of an object, where it has one. */
const numberOf = (json: unknown) =>
  Object.entries(json ?? {}).flatMap(([name, value]) =>
    findColumn(name) === 'number' && (typeof value === 'string' || typeof value === 'number') ? [String(value)] : [],
  )

/** What an object of another layout says, by the columns of a row. */
export type Members = Partial<Record<Column, unknown>>

/** Reads rows that were made of objects of another layout. */
export const beginMembers = (run: Run, file: RowFile) => {
  const rows = beginRows(run, file, false)
  return function* (line: number, members: Members): Generator<ImportItem> {
    const row = rowOf(line, Object.entries(members))
    if (typeof row === 'string') yield fault({ file: file.name, line }, row)
    else yield* rows.read(row)
  }
}

/** Whether an object is a row: it names a set, or a type of an export. */
export const isRow = (json: object) => {
  const columns = new Set(Object.keys(json).map(findColumn))
  const type = 'type' in json ? json.type : null
  return namesSet.some((column) => columns.has(column)) || types.some((each) => each === type)
}
const namesSet: Column[] = ['set', 'set_id', 'parent_set', 'brand']
const types = ['cards', 'sets', ...recordTypes]

const rowOf = (line: number, members: [string, unknown][], clean: MemberCleaner = asItIs): Row | string => {
  const columns = new Map<Column, (string | null)[]>()
  const isExported = members.some(([name]) => name === 'type') && members.some(([name]) => name === 'id')
  for (const [name, value] of members) {
    const column = columnOf(name, isExported)
    if (!column || columns.has(column)) continue
    const values = readValues(value, isList(column), !isExported)
    if (!values) return `${name} is neither a text, a number, a list of them nor null`
    if (values.length > 1 && !isList(column)) return `${name} holds several values`
    const cells: (string | null)[] = []
    for (const value of values) {
      const cell = value === null ? null : clean(column, cellText(column, value))
      if (cell !== null && typeof cell !== 'string') return cell.wrong
      if (cell !== '' || value === '') cells.push(cell)
    }
    columns.set(column, cells)
  }
  return {
    line,
    sources: sourcesOf(columns.keys()),
    has: (column) => columns.has(column),
    values: (column) => columns.get(column) ?? [],
  }
}

const asItIs: MemberCleaner = (_, text) => text

/** The values of a member; what people typed is trimmed, what an export holds is taken as it is. */
const readValues = (value: unknown, several: boolean, trims: boolean): (string | null)[] | null => {
  if (Array.isArray(value)) {
    const each = value.map((one) => readValue(one, trims))
    return each.includes(undefined) ? null : (each as (string | null)[])
  }
  const text = readValue(value, trims)
  if (text === undefined) return null
  if (text === null) return []
  return several && typeof value === 'string' ? text.split('|').map((piece) => piece.trim() || null) : [text]
}

const readValue = (value: unknown, trims: boolean): string | null | undefined => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string') return trims ? value.trim() || null : value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}
