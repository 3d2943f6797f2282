import type { Arguments } from '../list/statement.ts'
import { soundOf } from './sound.ts'

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

/** How many letters of a word may be wrong. Short words and words with digits must be exact. */
const mistakesIn = (word: string): number => {
  const { length } = [...word]
  if (length < 4 || length > 20 || /[0-9]/.test(word)) return 0
  return length < 8 ? 1 : 2
}

/** The forms that find a misspelled word: the word itself, and the word without a letter or two. Same as the SQL function `word_forms`. */
export const formsOf = (word: string): string[] => {
  const letters = [...word]
  const forms = [word]
  for (const i of letters.keys()) {
    const one = letters.toSpliced(i, 1)
    forms.push(one.join(''))
    if (letters.length >= 8) for (let j = i; j < one.length; j++) forms.push(one.toSpliced(j, 1).join(''))
  }
  return [...new Set(forms)]
}

/** A `tsquery` that finds names with all of these words. */
export const exactly = (words: string[]) => words.map((word) => `'${word}'`).join(' & ')

/** The words similar to each word of a query, nearest first. A word without any has no entry. */
export type NearWords = Map<string, string[]>

/** Like `exactly`, but each word may be replaced by a similar one. */
export const nearly = (words: string[], near: NearWords) =>
  words.map((word) => `(${[word, ...(near.get(word) ?? [])].map((one) => `'${one}'`).join(' | ')})`).join(' & ')

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

/** How many mistakes turn one word into the other, or undefined if that's more than the longer word may have. */
export const mistakesBetween = (a: string, b: string): number | undefined => {
  if (a === b) return 0
  const [some, others] = [mistakesIn(a), mistakesIn(b)]
  const most = Math.max(some, others)
  if (some === 0 || others === 0) return undefined
  const mistakes = distance([...a], [...b], most)
  return mistakes <= most ? mistakes : undefined
}

/** The edit distance of two words: letters to change, insert, delete or swap with the next. Stops early above `most`. */
const distance = (from: string[], to: string[], most: number): number => {
  const width = to.length + 1
  const cost = new Uint8Array((from.length + 1) * width)
  for (let j = 0; j < width; j++) cost[j] = j
  const at = (i: number, j: number) => cost[i * width + j] as number
  for (let i = 1; i <= from.length; i++) {
    cost[i * width] = i
    let least = i
    for (let j = 1; j < width; j++) {
      const changed = at(i - 1, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const swapped = isSwap ? at(i - 2, j - 2) + 1 : changed
      const here = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, changed, swapped)
      cost[i * width + j] = here
      least = Math.min(least, here)
    }
    if (least > most) return least
  }
  return at(from.length, to.length)
}

/** The words of a column, as the SQL expression in its index. */
export const indexedWords = (column: string) => `search_words(search_text(${column}))`

/** How many similar words are tried for each word of a query. */
const nearMost = 50

/**
 * A select of the words of names that may be similar to some words: alike without a letter or two, or alike in sound. It also finds the
 * first parts that a word could be split into.
 */
export const selectNearWords = (words: string[], args: Arguments): string => {
  const forms = new Set(misspellable(words).flatMap(formsOf))
  const firsts = misspellable(words).flatMap((word) =>
    splitsOf(word).flatMap(([first]) => (isKept(first) ? [first] : [])),
  )
  const query = forms.size > 0 ? [...forms].map((form) => `'${form}'`).join(' | ') : null
  const sounds = [...new Set(words.flatMap((word) => soundOf(word) ?? []))]
  return `select json_agg(word) from (
    select word from words where word_forms(word) @@ ${args.add(query, 'tsquery')}
    union select word from words where word_sound(word) collate "C" = any(${args.add(sounds, 'text[]')})
    union select w.word from unnest(${args.add([...new Set(firsts)], 'text[]')}) f (word)
      cross join lateral (select word from words where word = f.word offset 0) w
  ) w`
}

/** For each word of a query, the similar ones among those found. */
export const nearWordsOf = (words: string[], found: string[]): NearWords => {
  const sounds = new Map(found.map((word) => [word, soundOf(word)]))
  const near = [...new Set(words)].map((word) => [word, nearest(word, sounds)] as const)
  return new Map(near.filter(([, others]) => others.length > 0))
}

/** The words of a query that no name has, and the pairs of words that each could be. */
export type SplitWords = Map<string, Split[]>
type Split = [first: string, second: string]

/** Splits the words that no name has. The first part must be a known word, unless it is too short to be in the table `words`. */
export const splitWords = (words: string[], found: string[]): SplitWords => {
  const known = new Set(found)
  const unknown = misspellable(words).filter((word) => !known.has(word))
  return new Map(
    unknown.map((word) => [word, splitsOf(word).filter(([first]) => !isKept(first) || known.has(first))] as const),
  )
}

const splitsOf = (word: string): Split[] => {
  const letters = [...word]
  return letters.slice(1).map((_, at) => [letters.slice(0, at + 1).join(''), letters.slice(at + 1).join('')])
}

/** Whether a part of a word is long enough for the table `words`. */
const isKept = (part: string) => [...part].length >= 4

const misspellable = (words: string[]) => [...new Set(words)].filter((word) => mistakesIn(word) > 0)

/** How many mistakes are allowed in a word that sounds like another. */
const mistakesAlike = (word: string) => (word.length < 4 ? 1 : word.length < 6 ? 2 : 3)

const nearest = (word: string, others: Map<string, string | undefined>) => {
  const sound = soundOf(word)
  return [...others]
    .flatMap(([other, its]) => {
      const most = sound !== undefined && sound === its ? mistakesAlike(word) : 0
      const mistakes = mistakesBetween(word, other) ?? (most > 0 ? distance([...word], [...other], most) : undefined)
      return mistakes && mistakes <= Math.max(most, mistakesIn(word), mistakesIn(other)) ? [{ other, mistakes }] : []
    })
    .toSorted((a, b) => a.mistakes - b.mistakes || (a.other < b.other ? -1 : 1))
    .slice(0, nearMost)
    .map(({ other }) => other)
}
