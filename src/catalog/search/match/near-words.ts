import { isUnspaced } from '../../../lib/words.ts'
import { mapInTurns } from '../../../lib/yield-to-event-loop.ts'
import { distance, mistakesBetween, mistakesIn } from '../mistakes.ts'
import type { Known } from '../name-cache/feed-delta.ts'
import { soundOf } from '../sound.ts'
import type { NearWords, SplitWords } from '../words.ts'

/** For each word of a query, the words of names that it may be meant as, nearest first, and the pairs of words that it may be. */
export type Meant = { near: NearWords; split: SplitWords }

/** How many similar words are tried for each word of a query. */
const nearMost = 50

/** Finds the words of names that are similar to those of a query. A word that no name has may also be two. */
export const meantBy = async ({ sets, people, titles }: Known, words: string[]): Promise<Meant> => {
  const isKnown = (word: string) => people.hasWord(word) || sets.withWord(word).length > 0
  const meant = await mapInTurns([...new Set(words)], (word) => {
    const isSplit = (mistakesIn(word) > 0 || isUnspaced(word)) && !isKnown(word)
    return {
      word,
      near: nearest(word, new Set([...people.words.like(word), ...sets.words.like(word), ...titles.words.like(word)])),
      splits: isSplit ? splitsOf(word).filter(([first]) => isKnown(first)) : [],
    }
  })
  return {
    near: new Map(meant.flatMap(({ word, near }) => (near.length > 0 ? [[word, near]] : []))),
    split: new Map(meant.flatMap(({ word, splits }) => (splits.length > 0 ? [[word, splits]] : []))),
  }
}

/** The ways to cut a word in two. */
export const splitsOf = (word: string) => {
  const letters = [...word]
  return letters
    .slice(1)
    .map((_, at) => [letters.slice(0, at + 1).join(''), letters.slice(at + 1).join('')] as [string, string])
}

/** How many mistakes are allowed in a word that sounds like another. */
const mistakesAlike = (word: string) => (word.length < 4 ? 1 : word.length < 6 ? 2 : 3)

/** Those of some words that a word is a misspelling of, nearest first. */
export const nearest = (word: string, others: Iterable<string>): string[] => {
  const sound = soundOf(word)
  return [...others]
    .flatMap((other) => {
      // Short words and numbers are never meant by others.
      if (mistakesIn(other) === 0) return []
      const most = sound !== undefined && sound === soundOf(other) ? mistakesAlike(word) : 0
      const mistakes = mistakesBetween(word, other) ?? (most > 0 ? distance(word, other, most) : undefined)
      return mistakes && mistakes <= Math.max(most, mistakesIn(word), mistakesIn(other)) ? [{ other, mistakes }] : []
    })
    .toSorted((a, b) => a.mistakes - b.mistakes || (a.other < b.other ? -1 : 1))
    .slice(0, nearMost)
    .map(({ other }) => other)
}
