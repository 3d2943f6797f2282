import type { CardItem, Unsaid } from '../item.ts'
import type { Column, Row } from './row.ts'

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

/** The codes that have columns of their own, which say yes or no to one code and nothing about the others. */
const codeColumns: [Column, string][] = [
  ['rookie', 'RC'],
  ['autograph', 'AU'],
  ['memorabilia', 'MEM'],
]

/** What a row says nothing about, because its file has no column for it and nothing else in it says so (decisions.md §19). */
export const unsaidOf = (row: Row, card: CardItem): Pick<CardItem, 'unsaid' | 'denied'> => {
  const unsaid: Unsaid[] = parts.flatMap(([part, columns]) =>
    columns.some(row.has) || isSaidElsewhere(part, card) ? [] : part,
  )
  if (card.parent && 'setKey' in card.parent) unsaid.push('parent')
  if (unsaid.length === 0) return {}
  const denied = codeColumns.flatMap(([column, code]) =>
    unsaid.includes('attributes') && row.has(column) && !card.attributes.includes(code) ? code : [],
  )
  return { unsaid, ...(denied.length > 0 ? { denied } : {}) }
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
