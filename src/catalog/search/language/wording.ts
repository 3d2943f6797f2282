import { wordsOf } from '../../../lib/words.ts'
import type { NameWord, Pattern } from './query.ts'

/** A sequence of whole words. */
export const sequenceOf = (words: string[]): NameWord[] => words.map((word) => ({ word }))

/** The pattern of words as typed. With a star at the end, the last one is the beginning of a word. */
export const patternOf = (text: string): Pattern => {
  const words = sequenceOf(wordsOf(text))
  const last = words.at(-1)
  if (last && /[\p{L}\p{N}]\*$/u.test(text)) last.isBeginning = true
  return { any: [words] }
}

/**
 * Reads a quoted phrase, or with `!` before it a whole name. Undefined if the text isn't quoted. A sentence if the closing mark or the
 * words are missing.
 */
export const readQuoted = (body: string): { text: string; pattern: Pattern } | string | undefined => {
  const [, whole, text = '', end] = /^(!?)"([^"]*)("?)$/su.exec(body) ?? []
  if (whole === undefined) return body.startsWith('"') ? 'The quotation mark is not closed.' : undefined
  if (!end) return 'The quotation mark is not closed.'
  const words = sequenceOf(wordsOf(text))
  if (words.length === 0) return 'There is no word between the quotation marks.'
  return { text, pattern: { any: [words], ...(whole ? { isWhole: true } : {}) } }
}
