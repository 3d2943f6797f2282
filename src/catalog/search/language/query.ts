import {
  type FieldName,
  type HasName,
  type MarkName,
  markCalled,
  type OrderName,
} from '../../../lib/search-language.ts'

/** The fields that accept words of names. */
export type NameField = Extract<FieldName, 'player' | 'team' | 'set' | 'brand' | 'manufacturer' | 'genre' | 'year'>

/** A word of a name, or the beginning of a word. */
export type NameWord = { word: string; isBeginning?: true }

/**
 * Sequences of words. A name matches if it contains one of them, or equals one if `isWhole`. `splits`: the same with one word split in
 * two, if no name has the word as typed.
 */
export type Pattern = { any: NameWord[][]; isWhole?: true; splits?: NameWord[][] }

/** Values between two inclusive bounds, except one. */
export type Range = { from?: number; to?: number; except?: number }

/** How a card number is compared. */
export type NumberComparison = '!=' | '<=' | '>=' | '<' | '>'

/** What one term asks for. */
export type Wanted =
  | Words
  /** A name that a nickname or initials stand for. */
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
  | { kind: 'text'; field: 'title' | 'note'; pattern: Pattern; isQuoted: boolean }
  | { kind: 'identifier'; source?: string; value: string }
  /** A filter outside the query: records by their ids. */
  | { kind: 'label'; label: LabelName; ids: string[] }

export type LabelName = 'genre' | 'year' | 'brand' | 'set'

/** Words of names, and what else they may mean. */
type Words = {
  kind: 'words'
  words: string[]
  text: string
  pattern: Pattern
  field?: NameField
  /** Whether the words are in quotation marks: then they are spelled right and can only be a name. */
  isQuoted: boolean
  mark?: MarkName
  /** The names of years that the text may be short for. */
  years?: Pattern
  /** The ways to write the text as a card number. */
  spellings?: string[]
}

/** Whether a term may be the whole name of a card. */
export const asksForCard = (wanted: Wanted): boolean =>
  wanted.kind === 'words' && wanted.pattern.isWhole === true && wanted.field === undefined

/** A parsed query. `at` is the position of a term, in code points from 0. */
export type Node =
  | { op: 'and' | 'or'; of: Node[] }
  | { op: 'not'; of: Node }
  | { op: 'term'; at: number; wanted: Wanted }

export type TermNode = Extract<Node, { op: 'term' }>

/** A fault in a query: its position, what is wrong, and the whole query as it was probably meant. */
export type QueryFault = { at: number; detail: string; suggestion?: string }

export type ParsedQuery = { node?: Node; order?: OrderName; faults: QueryFault[] }

/** The terms of a query from left to right, with or without excluded ones. */
export const termsOf = (node: Node, withExcluded = true): TermNode[] => {
  if (node.op === 'term') return [node]
  if (node.op === 'not') return withExcluded ? termsOf(node.of) : []
  return node.of.flatMap((one) => termsOf(one, withExcluded))
}

/** Joins several nodes into one. */
export const join = (op: 'and' | 'or', nodes: Node[]): Node => {
  const [only, ...more] = nodes
  return only && more.length === 0 ? only : { op, of: nodes }
}

/** The words of a query that a set's name may contain: words as typed, names that nicknames stand for, and words for a mark. */
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
