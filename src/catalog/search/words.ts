/** The longest word in the word indexes, in characters. */
const longest = 40

/**
 * The words of a text, without case or accents. Compatibility forms are resolved (full-width letters become plain letters).
 * Apostrophes and periods are dropped (O'Neal is oneal, J.R. is jr). Anything else between letters and digits separates words.
 * The SQL function `search_text` does the same.
 */
export const wordsOf = (text: string): string[] => {
  const known = recent.get(text)
  if (known) return known
  const words = plainText.test(text) ? wordsIn(text.toLowerCase()) : wordsIn(folded(text))
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

const folded = (text: string) =>
  text
    .replace(/[™℠]/g, ' ')
    .normalize('NFKD')
    .replace(dropped, '')
    .replace(separators, ' ')
    .toLowerCase()
    .replace(/[øłđðıς]/g, (letter) => plain[letter] ?? letter)

const dropped = /[\u0300-\u036f'.`\u2018\u2019\u02bc\u00b7]/g

/** Everything except letters and digits: ASCII and Latin signs, punctuation, symbols, emoji. */
const separatorRanges = [
  ...['\\u0001-\\u002f', '\\u003a-\\u0040', '\\u005b-\\u0060', '\\u007b-\\u00bf', '\\u00d7\\u00f7'],
  ...['\\u2000-\\u2bff', '\\u3000-\\u303f', '\\ufe0f', '\\u{1f000}-\\u{1faff}'],
]
const separators = new RegExp(`[${separatorRanges.join('')}]+`, 'gu')

const plain: Record<string, string> = { ø: 'o', ł: 'l', đ: 'd', ð: 'd', ı: 'i', ς: 'σ' }

/** The words similar to each word of a query, nearest first. A word without any has no entry. */
export type NearWords = Map<string, string[]>

/** How well a name contains some words in sequence: 0 exactly, 1 with similar words, undefined if it doesn't. */
export const closeness = (words: string[], name: string[], near: NearWords): 0 | 1 | undefined => {
  let best: 0 | 1 | undefined
  for (let at = 0; at + words.length <= name.length; at++) {
    if (words.every((word, index) => word === name[at + index])) return 0
    if (near.size > 0 && words.every((word, index) => isOneOf(near, word, name[at + index] as string))) best = 1
  }
  return best
}

const isOneOf = (near: NearWords, word: string, other: string) =>
  word === other || Boolean(near.get(word)?.includes(other))

/** The words of a column, as the SQL expression in its index. */
export const indexedWords = (column: string) => `search_words(search_text(${column}))`

/** The pairs of words that each word of a query could be. */
export type SplitWords = Map<string, Split[]>
type Split = [first: string, second: string]
