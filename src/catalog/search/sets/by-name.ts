import type { KnownName, KnownSet, KnownSets } from './known-sets.ts'

/** The sets that readers of a level see, by their names. */
export const setsByName = (known: KnownSets, level: number) => {
  const seen = (some: Iterable<KnownName>): KnownSet[] =>
    [...some].filter((one): one is KnownSet => one.type === 'sets' && one.audience >= level)
  const withAny = (words: string[]) => seen(new Set(words.flatMap((word) => [...known.withWord(word)])))
  return {
    beginning: (text: string) => {
      const key = text.toLowerCase()
      return seen(known.sets()).filter((set) => set.key.startsWith(key))
    },
    withAny,
    /** Those with the first of some words, or with words that start with it if it is the only one. */
    starting: ([first = '', ...more]: string[]) => withAny(more.length > 0 ? [first] : known.wordsFrom(first)),
  }
}

export type SetsByName = ReturnType<typeof setsByName>
