import { foldText } from './fold-text.ts'

/** The longest word in the word indexes, in characters. */
const longest = 40

/**
 * The words of a text as it is folded. Dashes, spaces, punctuation and symbols separate words, and so do the middle dots of names in other
 * scripts (マイク・トラウト). The SQL function `search_text` does the same.
 */
export const wordsOf = (text: string): string[] => {
  const known = recent.get(text)
  if (known) return known
  const words = plainText.test(text) ? wordsIn(text.toLowerCase()) : wordsIn(foldText(text).replace(separators, ' '))
  if (recent.size >= recentMost) recent.clear()
  recent.set(text, words)
  return words
}

/** The words of a name and of each alias (one per line). */
export const namesOf = (name: string, aliases: string | null) => [name, ...(aliases?.split('\n') ?? [])].map(wordsOf)

/** The words of recent texts. A name is compared with every term of a query, and often returns in the next one. */
const recent = new Map<string, string[]>()
const recentMost = 4000

const wordsIn = (text: string) =>
  text
    .split(' ')
    .filter(Boolean)
    .map((word) => (word.length > longest ? [...word].slice(0, longest).join('') : word))

/** Text that only needs lower-casing. */
const plainText = /^[a-z0-9 ]*$/i

/** Everything that separates words: signs of ASCII and Latin, of other scripts, punctuation, symbols and emoji. */
const separators = new RegExp(
  `[${[
    '\\u0001-\\u002f\\u003a-\\u0040\\u005b-\\u0060\\u007b-\\u00bf\\u00d7\\u00f7',
    '\\u055a-\\u055f\\u0589\\u058a\\u05be\\u05c0\\u05c3\\u05c6\\u05f4\\u0609-\\u060d\\u061b\\u061d-\\u061f\\u066a-\\u066d\\u06d4\\u0964\\u0965',
    '\\u0e4f\\u0e5a\\u0e5b\\u1400\\u1680\\u1806\\u2000-\\u2bff\\u2e00-\\u2e7f\\u3000-\\u3004\\u3008-\\u3020\\u302a-\\u3030\\u3036\\u3037\\u303d-\\u303f',
    '\\u30a0\\u30fb\\u{1f000}-\\u{1faff}',
  ].join('')}]+`,
  'gu',
)

/** Whether a word is of a script that is written without spaces, or whose names are. */
export const isUnspaced = (word: string): boolean => unspaced.test(word)

const unspaced =
  /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3100-\u312f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u{20000}-\u{3ffff}]/u

/** Whether some letters are the beginning of a word. Where words aren't parted by spaces, one may begin inside of another. */
export const isBegunBy = (word: string, letters: string): boolean =>
  word.startsWith(letters) || (isUnspaced(letters) && word.includes(letters))
