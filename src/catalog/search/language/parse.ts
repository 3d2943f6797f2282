import { characters } from '../../../jsonapi/text-faults.ts'
import type { OrderName } from '../../../lib/search-language.ts'
import { wordsOf } from '../../../lib/words.ts'
import { sizes } from '../../../limits.ts'
import { isExpression, readField } from './fields.ts'
import type { Plain } from './plain.ts'
import { join, type Node, type ParsedQuery, type QueryFault, termsOf, wordsIn } from './query.ts'
import { readPlain } from './spoken.ts'
import { strayOf } from './stray-signs.ts'
import { plainSigns, type Token, termsIn, tokensOf } from './tokens.ts'
import { readQuoted } from './wording.ts'

/** The most characters and words in a query. */
export const queryLimits = { characters: sizes.queryCharacters.most, words: sizes.queryWords.most }

/**
 * Reads a query (docs/search.md). The grammar:
 *
 *     query    = any
 *     any      = all { OR all }
 *     all      = one { one }                     adjacent terms bind tighter than OR
 *     one      = [-] ( "(" any ")" | term )
 *     term     = field comparison value | ["!"] quotation | word ["*"]
 *
 * Adjacent plain words are read together: they may be a number, a print run, a nickname or initials.
 */
export const parseQuery = (typed: string): ParsedQuery => {
  const read = readTyped(typed)
  return { ...read, faults: read.faults.map(withValidSuggestion) }
}

const readTyped = (typed: string): ParsedQuery => {
  const q = plainSigns(typed)
  if (characters(q) > queryLimits.characters)
    return { faults: [{ at: 0, detail: `The query has more than ${queryLimits.characters} characters.` }] }
  const reading: Reading = { q, tokens: tokensOf(q), next: 0, words: 0, faults: [], terms: termsIn(q) }
  const node = readAny(reading, 0)
  const { faults, order } = reading
  if (faults.length > 0) return { faults: faults.toSorted((a, b) => a.at - b.at) }
  if (!node) return { faults: [{ at: 0, detail: 'The query is empty.' }] }
  if (termsOf(node, false).length === 0)
    return { faults: [{ at: 0, detail: 'A query that only excludes finds nothing.' }] }
  return { node, order, faults }
}

/** Suggests only what can be read. What is left to mend in a suggestion is mended, too. */
const withValidSuggestion = ({ suggestion, ...fault }: QueryFault): QueryFault => {
  for (let mended = suggestion, no = 0; mended && no < suggestedMost; no++) {
    const query = readTyped(mended)
    if (query.faults.length === 0) return { ...fault, suggestion: mended }
    mended = query.faults.find((one) => one.suggestion)?.suggestion
  }
  return fault
}

/** How many faults get a suggestion, and how many times one is mended. A query may have hundreds, and a suggestion is the whole query. */
const suggestedMost = 3

type Reading = {
  q: string
  tokens: Token[]
  next: number
  words: number
  faults: QueryFault[]
  order?: OrderName
  /** How many terms the query has. */
  terms: number
}

const readAny = (reading: Reading, depth: number): Node | undefined => {
  const alternatives: Node[] = []
  let or: Token | undefined
  for (;;) {
    const all = readAll(reading, depth)
    const token = reading.tokens[reading.next]
    if (all) alternatives.push(all)
    const lonely =
      all || reading.words > queryLimits.words ? undefined : (or ?? (token?.kind === 'or' ? token : undefined))
    if (lonely) addFault(reading, { at: lonely.at, detail: orNeedsBoth }, () => without(reading.q, lonely))
    const isUnopened = token?.kind === ')' && depth === 0
    if (isUnopened)
      addFault(reading, { at: token.at, detail: 'This parenthesis was never opened.' }, () => without(reading.q, token))
    if (token?.kind !== 'or' && !isUnopened) return alternatives.length > 0 ? join('or', alternatives) : undefined
    or = token.kind === 'or' && token !== lonely ? token : undefined
    reading.next++
  }
}

const orNeedsBoth = 'OR needs a term on both sides.'

/** A query without one of its tokens. */
const without = (q: string, { end, text }: Token) =>
  `${q.slice(0, end - text.length)}${q.slice(end)}`.replace(/\s+/gu, ' ').trim()

const addFault = ({ faults }: Reading, fault: QueryFault, suggest?: () => string | undefined) => {
  const suggestion = faults.length < suggestedMost ? suggest?.() : undefined
  faults.push(suggestion ? { ...fault, suggestion } : fault)
}

const readAll = (reading: Reading, depth: number): Node | undefined => {
  const nodes: Node[] = []
  let plain: Plain[] = []
  const flush = () => {
    nodes.push(...readPlain(plain, reading.terms))
    plain = []
  }
  for (let token = reading.tokens[reading.next]; token; token = reading.tokens[reading.next]) {
    if (token.kind === 'or' || token.kind === ')') break
    reading.next++
    if (token.kind === 'term') {
      const read = readTerm(reading, token, depth > 0)
      if (Array.isArray(read)) plain.push(...read)
      else if (read) {
        flush()
        nodes.push(read)
      }
      continue
    }
    flush()
    const one = token.kind === '(' ? readGroup(reading, token, depth) : readExcluded(reading, token, depth)
    if (one) nodes.push(one)
  }
  flush()
  return nodes.length > 0 ? join('and', nodes) : undefined
}

const readGroup = (reading: Reading, open: Token, depth: number): Node | undefined => {
  const before = reading.faults.length
  const node = readAny(reading, depth + 1)
  const close = reading.tokens[reading.next]
  if (close?.kind === ')') reading.next++
  else addFault(reading, { at: open.at, detail: 'This parenthesis is never closed.' }, () => `${reading.q.trim()})`)
  if (!node && reading.faults.length === before)
    addFault(reading, { at: open.at, detail: 'There is nothing between the parentheses.' })
  return node
}

const readExcluded = (reading: Reading, minus: Token, depth: number): Node | undefined => {
  const token = reading.tokens[reading.next]
  const nothing = () => {
    const detail = 'The minus sign needs a term after it.'
    addFault(reading, { at: minus.at, detail }, () => without(reading.q, minus))
    return undefined
  }
  if (!token || /\s/u.test(reading.q.charAt(minus.end))) return nothing()
  if (token.kind === '-') {
    while (reading.tokens[reading.next]?.kind === '-') reading.next++
    if (reading.tokens[reading.next]?.kind === 'term') reading.next++
    return nothing()
  }
  if (token.kind === '(') {
    reading.next++
    const group = readGroup(reading, token, depth)
    return group && { op: 'not', of: group }
  }
  if (token.kind !== 'term') return nothing()
  reading.next++
  const before = reading.faults.length
  const read = readTerm(reading, token, true)
  const nodes = Array.isArray(read) ? readPlain(read, reading.terms) : read ? [read] : []
  if (nodes.length > 0) return { op: 'not', of: join('and', nodes) }
  return reading.faults.length > before ? undefined : nothing()
}

/** A node, or plain words to read together, or undefined if the term asks for nothing or has a fault. */
const readTerm = (reading: Reading, token: Token, isWithin: boolean): Node | Plain[] | undefined => {
  const { at, text, end } = token
  const fault = (detail: string, meant?: string) => {
    addFault(reading, { at, detail }, () => {
      if (meant === undefined) return undefined
      const rest = reading.q.slice(end)
      const isSign = meant === '-' || meant === '#' || meant === ''
      return `${reading.q.slice(0, end - text.length)}${meant}${isSign ? rest.trimStart() : rest}`.trim()
    })
    return undefined
  }
  if (text === 'AND') return undefined
  if (text === 'NOT') return fault('Exclude with a minus sign.', '-')
  if (isExpression(text)) return fault('Regular expressions are not supported.', text.slice(1, text.lastIndexOf('/')))
  const quoted = readQuoted(text)
  if (typeof quoted === 'string') return fault(quoted, quoted.includes('closed') ? `${text}"` : undefined)
  if (quoted)
    return counted(reading, at, {
      op: 'term',
      at,
      wanted: { kind: 'words', words: wordsOf(quoted.text), ...quoted, isQuoted: true },
    })
  const field = readField(text)
  if (!field) return readWords(reading, token, fault)
  if ('detail' in field) return fault(field.detail, field.meant)
  if ('wanted' in field) return counted(reading, at, { op: 'term', at, wanted: field.wanted })
  if (isWithin) return fault("order: can't go in parentheses or after a minus sign.")
  if (reading.order) return fault('The order is given twice.')
  reading.order = field.order
  return undefined
}

const readWords = (
  reading: Reading,
  { at, text, end }: Token,
  fault: (detail: string, meant?: string) => undefined,
) => {
  const stray = strayOf(text, reading.q.slice(end))
  if (stray) return fault(stray.detail, stray.meant)
  const some = text.split(/[,;]+/u).flatMap((one): Plain[] => (one ? [{ at, text: one }] : []))
  const words = some.reduce((sum, one) => sum + Math.max(1, wordsOf(one.text).length), 0)
  return counted(reading, at, some, words)
}

/** Returns what was read, unless the query has too many words. */
const counted = <Read>(reading: Reading, at: number, read: Read, words?: number): Read | undefined => {
  const own = words ?? wordsIn(read as Node)
  const before = reading.words
  reading.words += own
  if (reading.words <= queryLimits.words) return read
  if (before <= queryLimits.words)
    addFault(reading, { at, detail: `The query has more than ${queryLimits.words} words.` })
  return undefined
}
