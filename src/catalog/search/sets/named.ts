import type { NameWord, Pattern } from '../language/query.ts'
import { fitAmong, fitOf, mayBegin, nearest, noneNear } from '../match/pattern.ts'
import { type FoundName, type NameType, rankedMost } from '../match/term-matches.ts'
import type { KnownName, KnownSet, KnownSets } from '../name-cache/known-sets.ts'
import type { NearWords } from '../words.ts'

/** What a lookup asks for, for a reader of a level. */
type Asked = { no: number; types: readonly NameType[]; pattern: Pattern; level: number }

/** The sets and labels with a name or alias that has a pattern's words. Of sets, at most one more than are ranked. */
export const exactlyNamed = (known: KnownSets, asked: Asked): FoundName[] =>
  someOf(
    among(known, asked, (word) => ways(known, word, noneNear, false)),
    rankedMost + 1,
  ).flatMap((one) => (fitFor(asked.pattern, one, noneNear) === 'exact' ? [found(known, one, 'exact', asked)] : []))

/** The most records of a type that are found because they are similar, and how many are compared at most. */
const nearMost = { found: 50, compared: 2000 }

/**
 * The sets and labels with a similar name: with words similar to a pattern's, words that start with them, or one word as two (its
 * `splits`). Of each type, only the nearest. Years have no near misses.
 */
export const nearlyNamed = (known: KnownSets, asked: Asked, near: NearWords): FoundName[] => {
  const { pattern, types } = asked
  if (pattern.isWhole) return []
  const withNear = { ...asked, types: types.filter((type) => type !== 'years') }
  const similar = someOf(
    among(known, withNear, (word) => ways(known, word, near, true)),
    nearMost.compared,
  )
  const some = similar.flatMap((one) => {
    const fit = fitFor({ any: pattern.any }, one, noneNear) === 'exact' ? undefined : fitFor(pattern, one, near)
    return fit ? [found(known, one, fit, asked)] : []
  })
  return [...Map.groupBy(some, ({ type }) => type).values()].flatMap((all) =>
    nearest(all, pattern, near, nearMost.found),
  )
}

/** Some names with at most so many sets, those with the lowest numbers. */
const someOf = (names: KnownName[], most: number): KnownName[] => {
  if (names.length <= most) return names
  const sets = names.filter(({ type }) => type === 'sets')
  const labels = names.filter(({ type }) => type !== 'sets')
  return [...labels, ...(sets as KnownSet[]).sort((a, b) => a.no - b.no).slice(0, most)]
}

/** The words of names that a word of a pattern finds. */
const ways = (known: KnownSets, { word, isBeginning }: NameWord, near: NearWords, isLoose: boolean): string[] => [
  ...(isBeginning || (isLoose && mayBegin(word)) ? known.words.from(word) : [word]),
  ...(near.get(word) ?? []),
]

/** The visible names of some types with the first word of one of a pattern's sequences. */
const among = (
  known: KnownSets,
  { types, pattern, level }: Asked,
  waysOf: (word: NameWord) => string[],
): KnownName[] => {
  const firsts = [...pattern.any, ...(pattern.splits ?? [])].flatMap(([first]) => (first ? waysOf(first) : []))
  const some = new Set(firsts.flatMap((word) => [...known.withWord(word)]))
  return [...some].filter(({ type, audience }) => audience >= level && types.includes(type))
}

/** How well a name fits. A year must start with the words, so that 1986 finds 1986-87, and 87 doesn't. */
const fitFor = (pattern: Pattern, { type, names, hasAliases }: KnownName, near: NearWords) =>
  type === 'years' && !hasAliases
    ? fitOf(pattern, (names[0] ?? []).slice(0, pattern.any[0]?.length), near)
    : fitAmong(pattern, names, near)

const found = (known: KnownSets, one: KnownName, fit: FoundName['fit'], { no, level }: Asked): FoundName => {
  const { type, id, name } = one
  return { no, type, id, name, fit, cards: cardsOf(known, one, level) }
}

/** About how many cards a set and its child sets have, or the sets with a label. */
export const cardsOf = (known: KnownSets, one: KnownName, level: number): number => {
  let cards = one.type === 'sets' ? one.cards : 0
  for (const set of known.under(one.id)) if (set.audience >= level) cards += set.cards
  return cards
}
