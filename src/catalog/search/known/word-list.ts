import { placeIn } from '../../../lib/first-few.ts'
import { wordsNear } from '../mistakes.ts'
import { soundOf } from '../sound.ts'

/** The words of some names in order, for finding those that are not spelled like a query's. It is made on first use. */
export type WordList = {
  add: (word: string) => void
  drop: (word: string) => void
  /** The words that start with some letters. */
  from: (beginning: string) => string[]
  /** The words that may be meant by a misspelled word: those with a few other letters, and those that sound like it. */
  like: (word: string) => string[]
}

/** Starts a list of `all` words. Words are to be added and dropped once each. */
export const newWordList = (all: () => Iterable<string>): WordList => {
  let words: string[] | undefined
  let sounds: number[] | undefined
  const sorted = () => {
    words ??= [...all()].sort()
    return words
  }
  const heard = () => {
    sounds ??= sorted().map(numberOfSound)
    return sounds
  }
  return {
    add: (word) => {
      if (!words) return
      const at = firstAt(words, word)
      words.splice(at, 0, word)
      sounds?.splice(at, 0, numberOfSound(word))
    },
    drop: (word) => {
      if (!words) return
      const at = firstAt(words, word)
      words.splice(at, 1)
      sounds?.splice(at, 1)
    },
    from: (beginning) => sorted().slice(firstAt(sorted(), beginning), firstAt(sorted(), `${beginning}\uffff`)),
    like: (word) => [...wordsNear(sorted(), word), ...alike(sorted(), heard(), word)],
  }
}

/** The words that sound like a word. `sounds` has the numbers of their sounds. */
const alike = (words: string[], sounds: number[], word: string): string[] => {
  const own = numberOfSound(word)
  const some: string[] = []
  if (own === 0) return some
  for (let at = sounds.indexOf(own); at >= 0; at = sounds.indexOf(own, at + 1)) some.push(words[at] as string)
  return some
}

/** A sound as a number, since numbers take less memory than texts. Different sounds rarely share one. */
const numberOfSound = (word: string): number => {
  let number = 0
  for (const letter of soundOf(word) ?? '') number = (Math.imul(number, 31) + letter.charCodeAt(0)) | 0
  return number
}

/** The place in a sorted list of the first text that isn't before another. */
const firstAt = (sorted: string[], text: string): number => placeIn(sorted, (one) => one < text)
