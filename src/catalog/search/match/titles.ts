import type { Database } from '../../../../db/client.ts'
import { isUnspaced } from '../../../lib/words.ts'
import { mapInTurns } from '../../../lib/yield-to-event-loop.ts'
import { newArguments } from '../../list/statement.ts'
import type { NameWord, Pattern, TermNode } from '../language/query.ts'
import { mistakesIn } from '../mistakes.ts'
import type { KnownTitles } from '../name-cache/known-titles.ts'
import { tsqueryOf } from '../name-query.ts'
import { rightFrom } from './look-up-persons.ts'
import { nearest, splitsOf } from './near-words.ts'
import { type FoundOnCards, selectOnCards } from './on-cards.ts'
import { readTogether } from './one-round-trip.ts'
import { type Fit, mayBegin, queryOf, wordsIn } from './pattern.ts'
import type { LikelyTitles } from './term-matches.ts'

/** How many words of titles are tried for a word that starts them, and for one that is misspelled; and how many sequences of words. */
const most = { begun: 100, near: 20, sequences: 200 }

/** For each term, the titles that begin with its words or are near misses, unless many cards have the words themselves. */
export const findLikelyTitles = async (
  db: Database,
  titles: KnownTitles,
  { terms, onCards }: { terms: TermNode[]; onCards: Map<number, FoundOnCards> },
  level: number,
): Promise<Map<TermNode, LikelyTitles[]>> => {
  if (titles.size() === 0) return new Map()
  const ways = await mapInTurns(terms, (term, no) =>
    (onCards.get(no)?.titles ?? 0) > rightFrom ? [] : likelyFor(titles, term).map((way) => ({ term, ...way })),
  )
  const likely = ways.flat()
  if (likely.length === 0) return new Map()
  const args = newArguments()
  const lookups = likely.map(({ pattern }, no) => ({ no, title: tsqueryOf(queryOf(pattern)) }))
  const { counts } = await readTogether<{ counts: FoundOnCards[] }>(
    db,
    { counts: selectOnCards(lookups, level, args) },
    args,
  )
  const cards = new Map(counts.map(({ no, titles: count }) => [no, count]))
  const found = likely.flatMap((one, no) => (cards.get(no) ? [{ ...one, cards: cards.get(no) as number }] : []))
  return Map.groupBy(found, ({ term }) => term)
}

const likelyFor = (titles: KnownTitles, { wanted }: TermNode): { fit: Fit; pattern: Pattern }[] => {
  if (wanted.kind !== 'words' && wanted.kind !== 'text') return []
  if (wanted.isQuoted || wanted.field !== (wanted.kind === 'text' ? 'title' : undefined)) return []
  const { any: asked } = wanted.pattern
  const begun = (word: NameWord) => wordsFrom(titles, word)
  const near = new Map(
    wordsIn(wanted.pattern).map((word) => [
      word,
      nearest(word, titles.words.like(word)).slice(0, most.near).map(wordAs),
    ]),
  )
  const isNear = [...near.values()].some(({ length }) => length > 0)
  const nearOf = (one: NameWord) => (one.isBeginning ? [] : (near.get(one.word) ?? []))
  const split = asked.flatMap(([only, ...more]) => (only && more.length === 0 ? inTwo(titles, only) : []))
  const ways: [Fit, NameWord[][]][] = [
    ['beginning', sequencesOf(asked, begun)],
    ['near', split],
    ['near', isNear ? sequencesOf(asked, (word) => [...begun(word), ...nearOf(word)]) : []],
  ]
  return ways.flatMap(([fit, sequences]) => (sequences.length > 0 ? [{ fit, pattern: { any: sequences } }] : []))
}

const wordAs = (word: string): NameWord => ({ word })

/** The words of titles that a word starts. Of very many, the database finds them. */
const wordsFrom = (titles: KnownTitles, { word, isBeginning }: NameWord): NameWord[] => {
  if (isBeginning || !mayBegin(word)) return []
  const words = titles.words.from(word).filter((one) => one !== word)
  return words.length > most.begun && !isUnspaced(word)
    ? [{ word, isBeginning: true }]
    : words.slice(0, most.begun).map(wordAs)
}

/** The sequences with at least one other word in place of theirs. */
const sequencesOf = (asked: NameWord[][], othersOf: (word: NameWord) => NameWord[]): NameWord[][] =>
  asked.flatMap((words) => {
    const all = words.reduce<NameWord[][]>(
      (made, word) => {
        const ways = [word, ...othersOf(word)]
        return made.flatMap((before) => ways.map((way) => [...before, way])).slice(0, most.sequences)
      },
      [[]],
    )
    return all.slice(1)
  })

/** A word that no title has as two, the first of which is one of a title, and the second the beginning of one. */
const inTwo = (titles: KnownTitles, { word, isBeginning }: NameWord): NameWord[][] => {
  if (isBeginning || titles.has(word) || mistakesIn(word) === 0) return []
  const splits = splitsOf(word).filter(([first]) => titles.has(first))
  return splits.flatMap(([first, second]) =>
    titles.has(second)
      ? [[wordAs(first), wordAs(second)]]
      : wordsFrom(titles, wordAs(second)).map((one) => [wordAs(first), one]),
  )
}
