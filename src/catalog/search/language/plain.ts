import type { Node, Wanted } from './query.ts'

/** A word as typed, outside of quotation marks and without a field. */
export type Plain = { at: number; text: string }

/** What the first of some words and those behind it mean together, and how many they are. */
export type Reader = (rest: Plain[]) => { node: Node; length: number } | undefined

/** A term at a position. */
export const termOf = (at: number, wanted: Wanted): Node => ({ op: 'term', at, wanted })

/** What two readings of the same words are together: either. */
export const eitherOf = (...of: Node[]): Node => ({ op: 'or', of })

/** Words that carry nothing beside others. */
export const empty = new Set(['card', 'cards', 'all', 'the', 'of', 'and', 'from', 'with', 'in'])
