import { characters } from '../../jsonapi/text-faults.ts'
import { sizes } from '../../limits.ts'
import { wordsOf } from './words.ts'

/** The fields that take words. */
export const nameFields = ['player', 'team', 'set', 'brand', 'year', 'genre'] as const
export type NameField = (typeof nameFields)[number]

/** What `is:` knows. */
export const marks = ['rookie', 'auto', 'parallel', 'insert'] as const
export type Mark = (typeof marks)[number]

/** How a serial number's limit is compared. */
export type Comparison = '=' | '<=' | '<' | '>=' | '>'

/** The meaning of one term of a query, as parsed. */
export type Wanted =
  | { kind: 'words'; words: string[]; text: string; field?: NameField; isPhrase: boolean }
  | { kind: 'number'; number: string }
  | { kind: 'serial'; comparison: Comparison; limit: number }
  | { kind: 'mark'; mark: Mark }

/** A term, and whether it excludes what it matches. */
export type Term = { excludes: boolean; wanted: Wanted }

/** A fault of a query: the position of the term in code points from 0, and the reason. */
export type QueryFault = { at: number; detail: string }

/** How long a query may be, in characters, and how many words it may have. */
export const queryLimits = { characters: sizes.queryCharacters.most, words: sizes.queryWords.most }

/** Reads a query (decisions.md §9, §11): its terms, or what is wrong with it. */
export const parseQuery = (q: string): { terms: Term[]; faults: QueryFault[] } => {
  if (characters(q) > queryLimits.characters)
    return { terms: [], faults: [{ at: 0, detail: `The query has more than ${queryLimits.characters} characters.` }] }
  const terms: Term[] = []
  const faults: QueryFault[] = []
  let words = 0
  for (const { at, text } of split(q)) {
    const read = readTerm(text)
    if (typeof read === 'string') faults.push({ at, detail: read })
    else if (read) {
      terms.push(read)
      words += read.wanted.kind === 'words' ? read.wanted.words.length : 1
      if (words > queryLimits.words) {
        faults.push({ at, detail: `The query has more than ${queryLimits.words} words.` })
        break
      }
    }
  }
  if (faults.length === 0 && !terms.some(({ excludes }) => !excludes))
    faults.push({
      at: 0,
      detail: terms.length > 0 ? 'A query that only excludes finds nothing.' : 'The query is empty.',
    })
  return { terms, faults }
}

/** The terms of a query as written: separated by white space, except between quotation marks. */
const split = (q: string): { at: number; text: string }[] =>
  [...q.matchAll(/-?(?:[a-z]+:)?"[^"]*"?|\S+/gi)].map((match) => ({
    at: characters(q.slice(0, match.index)),
    text: match[0],
  }))

/** A term, its fault, or undefined for punctuation that means nothing by itself. */
const readTerm = (text: string): Term | string | undefined => {
  const excludes = text.startsWith('-')
  const body = excludes ? text.slice(1) : text
  if (excludes && wordsOf(body).length === 0) return 'Nothing stands behind the minus sign that it could exclude.'
  const wanted = readWanted(body)
  return typeof wanted === 'object' ? { excludes, wanted } : wanted
}

const readWanted = (body: string): Wanted | string | undefined => {
  const [, name, value = ''] = /^([a-z]+):(.*)$/is.exec(body) ?? []
  if (name) return readField(name, value)
  if (body.startsWith('#')) return readNumber(body.slice(1))
  if (/^\/\d/.test(body)) return readSerial(body)
  return readWords(body)
}

const readField = (name: string, value: string): Wanted | string => {
  const field = name.toLowerCase()
  if (field === 'number') return readNumber(unquoted(value) ?? value)
  if (field === 'serial') return readSerial(value)
  if (field === 'is') return readMark(value)
  if (!isNameField(field))
    return `There is no field ${field}: take ${[...nameFields, 'number', 'serial', 'is'].join(', ')}.`
  const words = readWords(value)
  if (typeof words === 'string') return words
  return words ? { ...words, field } : `The field ${field} has no value.`
}

const isNameField = (name: string): name is NameField => nameFields.some((one) => one === name)

const readWords = (body: string): (Wanted & { kind: 'words' }) | string | undefined => {
  const phrase = unquoted(body)
  if (body.startsWith('"') && phrase === undefined) return 'The quotation mark is not closed.'
  const text = phrase ?? body
  const words = wordsOf(text)
  if (words.length > 0) return { kind: 'words', words, text, isPhrase: phrase !== undefined }
  return phrase === undefined ? undefined : 'There is no word between the quotation marks.'
}

const unquoted = (body: string) => /^"([^"]*)"$/s.exec(body)?.[1]

const readNumber = (number: string): Wanted | string =>
  number.trim() ? { kind: 'number', number } : 'A number is missing.'

const readSerial = (value: string): Wanted | string => {
  const [, comparison = '=', limit] = /^(<=|>=|<|>|=)?\/?(\d{1,9})$/.exec(value) ?? []
  if (limit === undefined) return 'A serial number is asked for as /25, serial:25 or serial:<=25.'
  return { kind: 'serial', comparison: comparison as Comparison, limit: Number(limit) }
}

const readMark = (value: string): Wanted | string => {
  const mark = marks.find((one) => one === value.toLowerCase())
  return mark ? { kind: 'mark', mark } : `There is no is:${value}: take ${marks.map((one) => `is:${one}`).join(', ')}.`
}
