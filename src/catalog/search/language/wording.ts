import { wordsOf } from '../words.ts'
import type { NameWord, Pattern } from './query.ts'

/** Plain words, each of them whole, one behind the other. */
export const sequenceOf = (words: string[]): NameWord[] => words.map((word) => ({ word }))

/** The pattern of words as typed; the last is the beginning of a word where a star follows it. */
export const patternOf = (text: string): Pattern => {
  const words = sequenceOf(wordsOf(text))
  const last = words.at(-1)
  if (last && /[\p{L}\p{N}]\*$/u.test(text)) last.isBeginning = true
  return { any: [words] }
}

/**
 * What stands in quotation marks, the whole name with a `!` before them; undefined if nothing does, a sentence if the
 * quotation is not complete.
 */
export const readQuoted = (body: string): { text: string; pattern: Pattern } | string | undefined => {
  const [, whole, text = '', end] = /^(!?)"([^"]*)("?)$/su.exec(body) ?? []
  if (whole === undefined) return body.startsWith('"') ? 'The quotation mark is not closed.' : undefined
  if (!end) return 'The quotation mark is not closed.'
  const words = sequenceOf(wordsOf(text))
  if (words.length === 0) return 'There is no word between the quotation marks.'
  return { text, pattern: { any: [words], ...(whole ? { isWhole: true } : {}) } }
}
