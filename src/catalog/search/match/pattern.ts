import { isBegunBy, isUnspaced, wordsOf } from '../../../lib/words.ts'
import type { NameWord, Node, Pattern } from '../language/query.ts'
import { anyOf, type NameQuery } from '../name-query.ts'
import { indexedWords, type NearWords, type SplitWords } from '../words.ts'

/** Looks for names that contain a pattern's words in any order. */
export const queryOf = (pattern: Pattern): NameQuery => anyOf(pattern.any.map((words) => ({ all: words })))

/** Looks for names with words similar to a pattern's, or that start with them. Undefined if the pattern's words can't be meant otherwise. */
export const nearQueryOf = (pattern: Pattern, near: NearWords): NameQuery | undefined => {
  if (pattern.isWhole) return undefined
  const loose = pattern.any.flatMap((words) => {
    const ways = words.map(({ word, isBeginning }): NameQuery[] => {
      const others = (near.get(word) ?? []).map((one) => ({ word: one }))
      return [...others, { word, isBeginning: isBeginning || mayBegin(word) }]
    })
    const isLoose = words.some(
      ({ word, isBeginning }, at) => (ways[at]?.length ?? 0) > 1 || (!isBeginning && mayBegin(word)),
    )
    return isLoose ? [{ all: ways.map(anyOf) }] : []
  })
  return loose.length > 0 ? anyOf(loose) : undefined
}

/** Looks for names that have a word as two. Undefined if the pattern has no split words. */
export const splitQueryOf = ({ splits = [] }: Pattern): NameQuery | undefined =>
  splits.length > 0 ? queryOf({ any: splits }) : undefined

/** Whether a word is long enough to be the beginning of another: one letter of a script without spaces says as much as three. */
export const mayBegin = (word: string) => !/[0-9]/.test(word) && ([...word].length >= 3 || isUnspaced(word))

/** Whether containing a pattern's words is enough to match it. */
export const isPlain = ({ any: sequences, isWhole }: Pattern) =>
  !isWhole && sequences.every(({ length }) => length === 1)

/** Looks for names with words that equal or start with a pattern's. */
export const beginningsOf = ({ any }: Pattern): NameQuery =>
  anyOf(
    any.map((words) => ({
      all: words.map(({ word, isBeginning }) => ({ word, isBeginning: isBeginning || mayBegin(word) })),
    })),
  )

/** How well a name matches a pattern: with its words, words that start with them, or similar words. */
export type Fit = 'exact' | 'beginning' | 'near'

/** How well the words of a name match a pattern. Undefined if they don't. */
export const fitOf = ({ any, isWhole, splits = [] }: Pattern, name: string[], near: NearWords): Fit | undefined => {
  let best: Fit | undefined
  for (const words of [...any, ...splits])
    for (let at = 0; at + words.length <= name.length; at++) {
      if (isWhole && words.length !== name.length) break
      let fit: Fit | undefined = 'exact'
      for (const [index, { word, isBeginning }] of words.entries()) {
        const own = name[at + index] ?? ''
        if (own === word || (isBeginning && isBegunBy(own, word))) continue
        if (mayBegin(word) && isBegunBy(own, word)) fit = fit === 'near' ? fit : 'beginning'
        else if (near.get(word)?.includes(own)) fit = 'near'
        else fit = undefined
        if (!fit) break
      }
      if (fit === 'exact') return fit
      if (fit && best !== 'beginning') best = fit
    }
  return isWhole ? undefined : best
}

/** For comparing words exactly. */
export const noneNear: NearWords = new Map()

/** The best fit of several names, each by its words. */
export const fitAmong = (pattern: Pattern, names: string[][], near: NearWords): Fit | undefined => {
  const all = new Set<Fit | undefined>()
  for (const name of names) {
    const own = fitOf(pattern, name, near)
    if (own === 'exact') return own
    all.add(own)
  }
  return (['beginning', 'near'] as const).find((fit) => all.has(fit))
}

/**
 * A select of the records `t` whose name or alias has the words of a query. A record may come twice: by name and by alias. It uses two
 * selects, since with `or` the planner would compute the words of each name again.
 */
export const selectAllByName = (...called: NameSelect) => {
  const [byName, byAlias] = nameSelects(...called)
  return `(${byName}) union all (${byAlias})`
}

type NameSelect = [
  table: string,
  columns: string,
  query: string,
  level: number,
  limit: number | string,
  more?: (column: string) => string | undefined,
]

/** The select by name and the select by alias. */
export const nameSelects = (...[table, columns, query, level, limit, more]: NameSelect) =>
  (['t.name', 't.aliases'] as const).map((column) => {
    const also = more?.(column)
    return `select ${columns} from ${table} t where t.audience >= ${level} and ${column} is not null
      and ${indexedWords(column)} @@ ${query} ${also ? `and ${also}` : ''} limit ${limit}`
  }) as [byName: string, byAlias: string]

/** At most some of the records found, those whose names are nearest to a pattern's words. Of equally near ones, those with more cards. */
export const nearest = <Found extends { id: string; name: string; cards: number }>(
  found: Found[],
  pattern: Pattern,
  near: NearWords,
  most: number,
): Found[] => {
  if (found.length <= most) return found
  return found
    .map((one) => ({ one, distance: distanceFrom(pattern, wordsOf(one.name), near) }))
    .toSorted((a, b) => a.distance - b.distance || b.one.cards - a.one.cards || (a.one.id < b.one.id ? -1 : 1))
    .slice(0, most)
    .map(({ one }) => one)
}

/** How far a pattern's words are from a name's. Each counts by its rank among the similar words. */
export const distanceFrom = ({ any }: Pattern, name: string[], near: NearWords): number =>
  Math.min(
    ...any.map((words) =>
      words.reduce((sum, { word }) => {
        if (name.includes(word)) return sum
        const begun = name.find((own) => isBegunBy(own, word))
        if (begun) return sum + (begun.length - word.length) / 10
        return sum + 1 + (near.get(word)?.findIndex((other) => name.includes(other)) ?? 0)
      }, 0),
    ),
  )

/** A condition that a text has a pattern's words in sequence, in SQL. Undefined if containing them is enough. */
export const sequenceCondition = (
  { any, isWhole }: Pattern,
  column: string,
  add: (value: unknown, type: string) => string,
): string | undefined => {
  if (!isWhole && !any.some(({ length }) => length > 1)) return undefined
  const text = `search_text(${column})`
  return `(${any
    .map((words) => {
      const last = words.at(-1)
      const phrase = words.map(({ word }) => word).join(' ')
      if (isWhole) return `${text} = ${add(` ${phrase} `, 'text')}`
      return `strpos(${text}, ${add(` ${phrase}${last?.isBeginning ? '' : ' '}`, 'text')}) > 0`
    })
    .join(' or ')})`
}

/** All words of a pattern. */
export const wordsIn = ({ any }: Pattern) => any.flatMap((words) => words.map(({ word }) => word))

/** A pattern with the ways to split its word in two, if no name has that word: `kengriffey`, `dela cruz`. */
export const withSplits = (pattern: Pattern, split: SplitWords): Pattern => {
  const splits = pattern.any.flatMap(([only, ...more]) => {
    if (!only || more.length > 0 || only.isBeginning) return []
    return (split.get(only.word) ?? []).map(([first, second]): NameWord[] => [
      { word: first },
      mayBegin(second) ? { word: second, isBeginning: true } : { word: second },
    ])
  })
  return splits.length > 0 ? { ...pattern, splits } : pattern
}

/** The same for all terms of a query. */
export const withSplitTerms = (node: Node, split: SplitWords): Node => {
  if (split.size === 0 || node.op === 'not') return node
  if (node.op !== 'term') return { ...node, of: node.of.map((one) => withSplitTerms(one, split)) }
  const { wanted } = node
  if (wanted.kind !== 'words' || wanted.isQuoted) return node
  const pattern = withSplits(wanted.pattern, split)
  return pattern === wanted.pattern ? node : { ...node, wanted: { ...wanted, pattern } }
}
