import { csvCell } from '../../../lib/guarded.ts'
import { lineOf } from '../catalog/card-lines.ts'
import type { Mark } from '../catalog/marks.ts'
import { setOf } from '../catalog/ticks.tsx'
import { askCards } from './ask.ts'
import { isPlainUuid } from './ids.ts'
import { type Collected, keepCards } from './kept.ts'

const columns = ['status', 'set', 'number', 'player', 'team', 'title', 'attributes', 'serial_number', 'id']

/** A collection as a CSV file. It has every card, also one that isn't in the catalog anymore. */
export const writeCsv = async (collection: Collected[]): Promise<string> => {
  const marks = new Map<string, Mark>()
  for (const { have, want } of collection) {
    for (const id of have) marks.set(id, 'have')
    for (const id of want) marks.set(id, 'want')
  }
  const { rows, moved } = await askCards([...marks.keys()])
  const known = new Map(rows.map((row) => [row.id, row]))
  const lines = [...marks].map(([id, status]) => {
    const row = known.get(moved[id] ?? id)
    const names = row?.set?.map(({ name }) => name).join(' › ') ?? ''
    const line: Record<string, string | undefined> = row ? lineOf(names, row) : { id }
    return columns.map((name) => csvCell(name === 'status' ? status : (line[name] ?? ''))).join(',')
  })
  return [columns.join(','), ...lines, ''].join('\r\n')
}

/** What came of a file: how many cards were taken in, and how many lines name none. */
export type Taken = { cards: number; unread: number }

/** Takes the cards of a CSV file into the collection, by the columns `id` and `status`. Without a status, a card is had. */
export const takeCsv = async (text: string): Promise<Taken> => {
  const [head = [], ...lines] = readCells(text)
  const [idAt, statusAt] = ['id', 'status'].map((name) => head.findIndex((one) => one.trim().toLowerCase() === name))
  if (idAt === undefined || idAt < 0) throw new Error('The file has no column “id”.')
  const marks = new Map<string, Mark>()
  for (const line of lines) {
    const id = line[idAt]?.trim().toLowerCase() ?? ''
    const status = line[statusAt ?? -1]?.trim().toLowerCase() || 'have'
    if (isPlainUuid(id) && (status === 'have' || status === 'want')) marks.set(id, status)
  }
  const { rows, moved } = await askCards([...marks.keys()])
  const setOfCard = new Map(rows.map((row) => [row.id, setOf(row)]))
  const found = [...marks].flatMap(([old, mark]) => {
    const id = moved[old] ?? old
    const set = setOfCard.get(id)
    return set ? [{ id, set, mark }] : []
  })
  keepCards(found, true)
  return { cards: found.length, unread: lines.length - found.length }
}

/** The cells of a CSV file, line by line. Empty lines are left out. */
const readCells = (text: string): string[][] => {
  const lines: string[][] = [[]]
  for (const [, quoted, plain, end] of text
    .replace(/^\ufeff/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|\r|$)/g)) {
    lines.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain ?? '')
    if (end !== ',') lines.push([])
  }
  return lines.filter((cells) => cells.some(Boolean))
}
