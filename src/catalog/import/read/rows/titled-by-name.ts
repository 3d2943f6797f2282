import type { SetItem } from '../item.ts'
import { isOfGame } from '../names/release-name.ts'
import { type Column, columnKey, type Row } from './row.ts'

/** Whether a row's `Name` is what a game calls the card, and nobody's: its genre is a game, which rows of a table may differ in. */
export const isNamedCard = (row: Row, { genre }: SetItem): boolean =>
  genre !== null &&
  isOfGame(genre) &&
  !row.has('type') &&
  !row.has('title') &&
  (row.has('player') ? columnKey(row.heading('player')) === 'name' : row.has('name'))

/** A row whose name is its title. */
export const titledByName = (row: Row): Row => {
  const name: Column = row.has('player') ? 'player' : 'name'
  const text = row.values(name).join('|')
  return {
    ...row,
    has: (column) => column === 'title' || (column !== name && row.has(column)),
    values: (column) => (column === name ? [] : column !== 'title' ? row.values(column) : text ? [text] : []),
  }
}
