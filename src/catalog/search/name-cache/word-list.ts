import { placeIn } from '../../../lib/first-few.ts'
import { isUnspaced } from '../../../lib/words.ts'
import { distanceTo, mistakesIn } from '../mistakes.ts'
import { soundOf } from '../sound.ts'

/** The words of some names, for finding those that a query doesn't spell out or misspells. Both lists are made on first use. */
export type WordList = {
  add: (word: string) => void
  drop: (word: string) => void
  /** The words that start with some letters, in order, and those of scripts without spaces that have them inside. */
  from: (beginning: string) => string[]
  /** The words that a misspelled word may mean: those with a few other letters, and those that sound like it. */
  like: (word: string) => string[]
}

/** Starts a list of `all` words. Words are to be added and dropped once each. */
export const newWordList = (all: () => Iterable<string>): WordList => {
  let sorted: string[] | undefined
  let likes: ReturnType<typeof newLikes> | undefined
  let insides: ReturnType<typeof newInsides> | undefined
  return {
    add: (word) => {
      sorted?.splice(firstAt(sorted, word), 0, word)
      likes?.add(word)
      insides?.add(word)
    },
    drop: (word) => {
      sorted?.splice(firstAt(sorted, word), 1)
      likes?.drop(word)
      insides?.drop(word)
    },
    from: (beginning) => {
      sorted ??= [...all()].sort()
      const begun = sorted.slice(firstAt(sorted, beginning), firstAt(sorted, `${beginning}\uffff`))
      if (!isUnspaced(beginning)) return begun
      insides ??= newInsides(all())
      return [...begun, ...insides.with(beginning)]
    },
    like: (word) => {
      likes ??= newLikes(all())
      return likes.like(word)
    },
  }
}

/** Words of scripts without spaces, by each of their letters but the first. */
const newInsides = (all: Iterable<string>) => {
  const byLetter = new Map<string, Set<string>>()
  const lettersOf = (word: string) => (isUnspaced(word) ? [...word].slice(1) : [])
  const add = (word: string) => {
    for (const letter of lettersOf(word)) byLetter.getOrInsertComputed(letter, () => new Set()).add(word)
  }
  for (const word of all) add(word)
  return {
    add,
    drop: (word: string) => {
      for (const letter of lettersOf(word)) byLetter.get(letter)?.delete(word)
    },
    /** The words that have some letters, but not at their beginning. */
    with: (letters: string): string[] => {
      const some = [...letters].map((letter) => byLetter.get(letter) ?? new Set<string>())
      const [rarest = new Set<string>()] = some.toSorted((a, b) => a.size - b.size)
      return [...rarest].filter((word) => word.includes(letters) && !word.startsWith(letters))
    },
  }
}

/**
 * Words that may be misspelled. Most are ruled out by their letters, without comparing any: each mistake adds or takes away at most one
 * kind of letter and puts another in its place. So each word is a number here, and another one for its sound.
 */
const newLikes = (all: Iterable<string>) => {
  const words: string[] = []
  const letters: number[] = []
  const sounds: number[] = []
  const add = (word: string) => {
    if (mistakesIn(word) === 0) return
    words.push(word)
    letters.push(numberOfLetters(word))
    sounds.push(numberOfSound(word))
  }
  const drop = (word: string) => {
    const at = words.indexOf(word)
    if (at < 0) return
    for (const list of [words, letters, sounds] as unknown[][]) {
      const last = list.pop()
      if (at < list.length) list[at] = last
    }
  }
  const misspelled = (word: string): string[] => {
    if (mistakesIn(word) === 0) return []
    const own = numberOfLetters(word)
    const distance = distanceTo(word)
    const some = [] as string[]
    for (let at = 0; at < letters.length; at++) {
      const other = letters[at] as number
      // A word of eight letters may have two mistakes.
      const most = Math.max(own & lengthBits, other & lengthBits) < 8 ? 1 : 2
      if (Math.abs((own & lengthBits) - (other & lengthBits)) > most || bitsIn((own ^ other) >>> 5) > 2 * most) continue
      if (distance(words[at] as string, most) <= most) some.push(words[at] as string)
    }
    return some
  }
  const alike = (word: string): string[] => {
    const own = numberOfSound(word)
    const some = [] as string[]
    if (own === 0) return some
    for (let at = sounds.indexOf(own); at >= 0; at = sounds.indexOf(own, at + 1)) some.push(words[at] as string)
    return some
  }
  for (const word of all) add(word)
  return { add, drop, like: (word: string) => [...misspelled(word), ...alike(word)] }
}

const lengthBits = 31

/** A word of at most 20 letters as a number: a bit for each letter from a to z and one for all others, above five for its length. */
const numberOfLetters = (word: string): number => {
  let bits = 0
  let length = 0
  for (const letter of word) {
    const place = (letter.codePointAt(0) as number) - 97
    bits |= 1 << (place >= 0 && place < 26 ? place : 26)
    length++
  }
  return (bits << 5) | length
}

/** A sound as a number, since numbers take less memory than texts. Different sounds rarely share one. */
const numberOfSound = (word: string): number => {
  let number = 0
  for (const letter of soundOf(word) ?? '') number = (Math.imul(number, 31) + letter.charCodeAt(0)) | 0
  return number
}

const bitsIn = (number: number): number => {
  const pairs = number - ((number >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}

/** The place in a sorted list of the first text that isn't before another. */
const firstAt = (sorted: string[], text: string): number => placeIn(sorted, (one) => one < text)
