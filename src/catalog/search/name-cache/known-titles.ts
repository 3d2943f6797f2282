import { newWordList, type WordList } from './word-list.ts'

/** The words of cards' titles, as one process remembers them. Some may be of titles that no card has any more. */
export type KnownTitles = {
  put: (word: string) => void
  has: (word: string) => boolean
  size: () => number
  words: WordList
}

/** Starts without words. */
export const newKnownTitles = (): KnownTitles => {
  const known = new Set<string>()
  const words = newWordList(() => known)
  return {
    put: (word) => {
      if (known.has(word)) return
      known.add(word)
      words.add(word)
    },
    has: (word) => known.has(word),
    size: () => known.size,
    words,
  }
}
