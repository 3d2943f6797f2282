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
