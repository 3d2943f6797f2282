import { placeIn } from '../../../lib/first-few.ts'
import { wordsOf } from '../../../lib/words.ts'
import { hasWords, type NameQuery } from '../name-query.ts'
import { newWordList, type WordList } from './word-list.ts'

/** Finds numbered texts by their words. A text has several lines if it has several names. */
export type NameIndex = {
  add: (text: number) => void
  /** Takes out a text, which must still be as it was added. */
  drop: (text: number) => void
  /** The texts that have what a query looks for, each once, in no order. The list is only good until the index changes. */
  find: (query: NameQuery) => readonly number[]
  hasWord: (word: string) => boolean
  words: WordList
}

/** How many texts of a list can be compared in the time it takes to read the words of one. */
const textsInReading = 16

/** Starts an index of texts that are kept elsewhere. */
export const newNameIndex = (textOf: (text: number) => string): NameIndex => {
  /** The texts with each word, in order. */
  const byWord = new Map<string, number[]>()
  const words = newWordList(() => byWord.keys())
  /** For each text, in which round it was last seen: quicker than a set of thousands of texts for each round. */
  let seen = new Uint32Array(1024)
  let round = 0
  const wordsIn = (text: number): string[] => {
    const lines = textOf(text)
    const words = lines.includes('\n') ? lines.split('\n').flatMap(wordsOf) : wordsOf(lines)
    return words.filter((word, at) => words.indexOf(word) === at)
  }

  const sizeOf = (query: NameQuery): number => {
    if ('any' in query) return query.any.reduce((size, one) => size + sizeOf(one), 0)
    if ('all' in query) return Math.min(...query.all.map(sizeOf))
    const some = query.isBeginning ? words.from(query.word) : [query.word]
    return some.reduce((size, word) => size + (byWord.get(word)?.length ?? 0), 0)
  }
  /** Lists that together have the texts that a query looks for. */
  const listsOf = (query: NameQuery): (readonly number[])[] => {
    if ('any' in query) return query.any.flatMap(listsOf)
    if ('all' in query) return [withAll(query)]
    return (query.isBeginning ? words.from(query.word) : [query.word]).map((word) => byWord.get(word) ?? [])
  }
  const withAll = ({ all, except }: { all: NameQuery[]; except?: NameQuery }): readonly number[] => {
    const [rarest, ...others] = all.map((one) => ({ one, size: sizeOf(one) })).toSorted((a, b) => a.size - b.size)
    const first = rarest ? united(listsOf(rarest.one)) : []
    const found = others.reduce((texts, { one, size }) => among(texts, one, size), first)
    return except ? found.filter((text) => !hasWords(wordsIn(text), except)) : found
  }
  /** Those of some texts that a query finds. If it finds very many, each text is read instead. */
  const among = (texts: readonly number[], query: NameQuery, size: number): readonly number[] => {
    if (size > textsInReading * texts.length) return texts.filter((text) => hasWords(wordsIn(text), query))
    const lists = listsOf(query)
    const own = ++round
    for (const text of texts) seen[text] = own
    return united(lists.map((list) => list.filter((text) => seen[text] === own)))
  }
  const united = (lists: (readonly number[])[]): readonly number[] => {
    const [only = [], ...more] = lists.filter(({ length }) => length > 0)
    if (more.length === 0) return only
    const own = ++round
    const all: number[] = []
    for (const list of [only, ...more])
      for (const text of list) {
        if (seen[text] === own) continue
        seen[text] = own
        all.push(text)
      }
    return all
  }
  return {
    add: (text) => {
      if (text >= seen.length) {
        const more = new Uint32Array(2 * text)
        more.set(seen)
        seen = more
      }
      for (const word of wordsIn(text)) {
        const texts = byWord.get(word)
        if (!texts) {
          byWord.set(word, [text])
          words.add(word)
        } else if ((texts.at(-1) as number) < text) texts.push(text)
        else texts.splice(placeOf(texts, text), 0, text)
      }
    },
    drop: (text) => {
      for (const word of wordsIn(text)) {
        const texts = byWord.get(word) ?? []
        texts.splice(placeOf(texts, text), 1)
        if (texts.length === 0 && byWord.delete(word)) words.drop(word)
      }
    },
    find: (query) => united(listsOf(query)),
    hasWord: (word) => byWord.has(word),
    words,
  }
}

const placeOf = (texts: number[], text: number) => placeIn(texts, (one) => one < text)
