import type { CardItem, Unsaid } from '../item.ts'
import { type Column, cellOf, type Row } from './row.ts'
import { type FlagColumn, flagColumns, readYesNo } from './yes-no.ts'

/** The columns that say a part of a card. Any of them is enough. */
const columnsOf: Record<Exclude<Unsaid, 'parent'>, Column[]> = {
  number: ['number'],
  title: ['title'],
  serial_number: ['serial_number', 'print_run'],
  players: ['player', 'name'],
  teams: ['team'],
  attributes: ['attributes', 'attribute_id'],
}
const parts = Object.entries(columnsOf) as [Exclude<Unsaid, 'parent'>, Column[]][]

/** What a row says nothing about, because its file has no column for it and nothing else in it says so (decisions.md §19). */
export const unsaidOf = (row: Row, card: CardItem): Pick<CardItem, 'unsaid' | 'denied'> => {
  const unsaid: Unsaid[] = parts.flatMap(([part, columns]) =>
    columns.some(row.has) || isSaidElsewhere(part, card) ? [] : part,
  )
  if (card.parent && 'setKey' in card.parent) unsaid.push('parent')
  if (unsaid.length === 0) return {}
  const denied = flagColumns.flatMap(([column, code]) =>
    unsaid.includes('attributes') && isDenied(row, column) && !card.attributes.includes(code) ? code : [],
  )
  return { unsaid, ...(denied.length > 0 ? { denied } : {}) }
}

/** An empty cell says no. One that is neither yes nor no says nothing. */
const isDenied = (row: Row, column: FlagColumn) => {
  const text = cellOf(row, column)
  return row.has(column) && (text === null || readYesNo(text, column) !== null)
}

/** Names may hold a title, a print run and a team, too. */
const isSaidElsewhere = (part: Unsaid, { title, serialNumber, entries }: CardItem) =>
  part === 'title'
    ? title !== null
    : part === 'serial_number'
      ? serialNumber !== null
      : part === 'players'
        ? entries.some(({ player }) => player)
        : part === 'teams' && entries.some(({ team }) => team)
