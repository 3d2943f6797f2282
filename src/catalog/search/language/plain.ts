import type { Node, Wanted } from './query.ts'

/** A word as typed, without quotation marks or a field. */
export type Plain = { at: number; text: string }

/** Reads one or more words from the start of `rest`: what they mean together, and how many they are. */
export type Reader = (rest: Plain[]) => { node: Node; length: number } | undefined

export const termOf = (at: number, wanted: Wanted): Node => ({ op: 'term', at, wanted })

/** Two readings of the same words, either of which may match. */
export const eitherOf = (...of: Node[]): Node => ({ op: 'or', of })

/** Filler words, ignored next to other terms. */
export const fillerWords = new Set(['card', 'cards', 'all', 'the', 'of', 'and', 'from', 'with', 'in'])
