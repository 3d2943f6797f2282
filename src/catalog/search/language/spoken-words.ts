import { editDistance } from '../../../lib/edit-distance.ts'
import { type MarkName, markCalled, searchMarks } from '../../../lib/search-language.ts'
import { wordsOf } from '../../../lib/words.ts'
import { type Plain, type Reader, termOf } from './plain.ts'
import { join, type Node, type Wanted } from './query.ts'
import { yearsOf } from './spoken-years.ts'
import { spellingsOf } from './values.ts'
import { patternOf } from './wording.ts'

/** What a plain word asks for. `isOnly`: the query has nothing else, so two digits are not a year. */
export const wantedOf = (text: string, isOnly: boolean): Wanted => {
  const words = wordsOf(text)
  const mark = markOf(words.join(' '))
  const years = isOnly ? undefined : yearsOf(text)
  const isNumber = words.length > 0 && text.length <= 20 && !text.endsWith('*') && !text.includes(' ')
  return {
    kind: 'words',
    words,
    text,
    pattern: patternOf(text),
    isQuoted: false,
    ...(mark ? { mark } : {}),
    ...(years ? { years } : {}),
    ...(isNumber ? { spellings: spellingsOf(text.replace(/(?<![.!?])[.!?]+$/u, '')) } : {}),
  }
}

/** Reads each word on its own. All must match. */
export const allOf = (some: Plain[], isOnly: boolean): Node =>
  join(
    'and',
    some.map(({ at, text }) => termOf(at, wantedOf(text, isOnly))),
  )

const markWords = new Map<string, MarkName>(
  (Object.keys(searchMarks) as MarkName[]).flatMap((name) =>
    (markCalled(name).words ?? []).map((word) => [word, name] as const),
  ),
)

/** Words for marks with at least this many letters may have one wrong. */
const misspelledFrom = 6

/** The mark that a word stands for, even with a wrong letter. */
const markOf = (word: string): MarkName | undefined => {
  const mark = markWords.get(word)
  if (mark || word.length < misspelledFrom - 1) return mark
  return [...markWords].find(
    ([one]) => one.length >= misspelledFrom && Math.abs(one.length - word.length) < 2 && editDistance(one, word) === 1,
  )?.[1]
}

const phrases = /^(all (stars?|pros?|rookies?|time|american?)|(series|volume) (\d|one|two|three))$/i

/** Two words that belong together. `game used` is a mark. In `all star`, `all` is not filler. In `series 1`, `1` is not a card number. */
export const readPhrase: Reader = ([first, second]) => {
  if (!first || !second) return undefined
  const text = `${first.text} ${second.text}`
  const isOne = markWords.has(wordsOf(text).join(' ')) || phrases.test(text)
  return isOne ? { node: termOf(first.at, wantedOf(text, false)), length: 2 } : undefined
}
