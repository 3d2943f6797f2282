import {
  type FieldName,
  type HasName,
  type MarkName,
  markCalled,
  type OrderName,
} from '../../../lib/search-language.ts'

/** The fields that take words of names. */
export type NameField = Extract<FieldName, 'player' | 'team' | 'set' | 'brand' | 'manufacturer' | 'genre' | 'year'>

/** A word of a name, or the beginning of one. */
export type NameWord = { word: string; isBeginning?: true }

/**
 * Sequences of words, of which a name has one; it has nothing else where it is to be the whole name. `parted`: the same with a
 * word in two, where no name has it as it was typed.
 */
export type Pattern = { any: NameWord[][]; isWhole?: true; parted?: NameWord[][] }

/** Values between two bounds, both included, but for one. */
export type Range = { from?: number; to?: number; except?: number }

/** How a card number is compared. */
export type NumberComparison = '!=' | '<=' | '>=' | '<' | '>'

/** What one term asks for. */
export type Wanted =
  | Words
  /** A name that is known to be meant: a nickname, or initials, by its pattern. */
  | { kind: 'name'; text: string; pattern: Pattern; isPerson: boolean }
  | { kind: 'years'; range: Range }
  /** A year by its last two digits. */
  | { kind: 'shortYear'; digits: string }
  | { kind: 'number'; spellings: string[] }
  | { kind: 'numbers'; bounds: { comparison: NumberComparison; number: string }[] }
  | { kind: 'serial'; range: Range }
  | { kind: 'mark'; mark: MarkName }
  | { kind: 'has'; has: HasName }
  | { kind: 'code'; code: string }
  | { kind: 'setKind'; kinds: string[] }
  | { kind: 'text'; field: 'title' | 'note'; pattern: Pattern }
  | { kind: 'identifier'; source?: string; value: string }
  /** A filter beside the query: records by their ids. */
  | { kind: 'label'; label: LabelName; ids: string[] }

export type LabelName = 'genre' | 'year' | 'brand' | 'set'

/** Words of names, and what else they may be. */
type Words = {
  kind: 'words'
  words: string[]
  text: string
  pattern: Pattern
  field?: NameField
  /** Whether the words stand in quotation marks, so that they are spelled right and nothing but a name. */
  isQuoted: boolean
  mark?: MarkName
  /** Years that it may be short for, as patterns of their names. */
  years?: Pattern
  /** The ways to write it as a card number. */
  spellings?: string[]
}

/** A query as it was read. `at` is the position of a term in code points from 0. */
export type Node =
  | { op: 'and' | 'or'; of: Node[] }
  | { op: 'not'; of: Node }
  | { op: 'term'; at: number; wanted: Wanted }

export type TermNode = Extract<Node, { op: 'term' }>

/** A fault of a query: where it is, what is wrong, and the whole query as it was probably meant. */
export type QueryFault = { at: number; detail: string; suggestion?: string }

export type ParsedQuery = { node?: Node; order?: OrderName; faults: QueryFault[] }

/** The terms of a query from left to right, with those that are excluded or without. */
export const termsOf = (node: Node, withExcluded = true): TermNode[] => {
  if (node.op === 'term') return [node]
  if (node.op === 'not') return withExcluded ? termsOf(node.of) : []
  return node.of.flatMap((one) => termsOf(one, withExcluded))
}

/** Several nodes as one. */
export const join = (op: 'and' | 'or', nodes: Node[]): Node => {
  const [only, ...more] = nodes
  return only && more.length === 0 ? only : { op, of: nodes }
}

/** The words that a query asks for, as the name of a set may have them: as typed, of a name that is meant, and for a mark. */
export const askedWords = (node: Node): string[] =>
  termsOf(node, false).flatMap(({ wanted }) => {
    const mark = wanted.kind === 'mark' || wanted.kind === 'words' ? wanted.mark : undefined
    const forMark = mark ? (markCalled(mark).named ?? []).flatMap((words) => words.split(' ')) : []
    if (wanted.kind === 'words') return [...wanted.words, ...forMark]
    if (wanted.kind !== 'name') return forMark
    return wanted.isPerson ? [] : wanted.pattern.any.flatMap((words) => words.map(({ word }) => word))
  })

/** How many words a term counts as. */
export const wordsIn = (node: Node) =>
  node.op === 'term' && node.wanted.kind === 'words' ? Math.max(1, node.wanted.words.length) : 1
