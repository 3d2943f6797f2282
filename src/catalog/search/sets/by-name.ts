import type { KnownSet, KnownSets } from '../name-cache/known-sets.ts'

/** The sets that readers of a level see, by the words of their names. */
export const setsByName = (known: KnownSets, level: number) => {
  const withAny = (words: string[]): KnownSet[] => {
    const some = new Set<KnownSet>()
    for (const word of words)
      for (const one of known.withWord(word)) if (one.type === 'sets' && one.audience >= level) some.add(one)
    return [...some]
  }
  return {
    withAny,
    /** Those with the first of some words, or with words that start with it if it is the only one. */
    starting: ([first = '', ...more]: string[]) => withAny(more.length > 0 ? [first] : known.words.from(first)),
  }
}

export type SetsByName = ReturnType<typeof setsByName>
