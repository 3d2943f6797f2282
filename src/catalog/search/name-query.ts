import { isBegunBy } from '../../lib/words.ts'

/** What to look for in the words of a name, in any order: a word, the beginning of one, or several of these. */
export type NameQuery =
  | { word: string; isBeginning?: boolean }
  | { all: NameQuery[]; except?: NameQuery }
  | { any: NameQuery[] }

/** Whether a name with these words has what a query looks for. */
export const hasWords = (words: string[], query: NameQuery): boolean => {
  if ('word' in query)
    return words.some((word) => (query.isBeginning ? isBegunBy(word, query.word) : word === query.word))
  if ('any' in query) return query.any.some((one) => hasWords(words, one))
  return query.all.every((one) => hasWords(words, one)) && !(query.except && hasWords(words, query.except))
}

/** A query as a `tsquery`, for names in the database. */
export const tsqueryOf = (query: NameQuery): string => {
  if ('word' in query) return query.isBeginning ? `'${query.word}':*` : `'${query.word}'`
  if ('any' in query) return either(query.any.map(tsqueryOf), ' | ')
  const all = either(query.all.map(tsqueryOf), ' & ')
  return query.except ? `(${all}) & !(${tsqueryOf(query.except)})` : all
}

const either = (queries: string[], sign: string) =>
  queries.length === 1 ? (queries[0] as string) : queries.map((one) => `(${one})`).join(sign)

/** The query for any of some queries, which is that query if there is just one. */
export const anyOf = (queries: NameQuery[]): NameQuery =>
  queries.length === 1 ? (queries[0] as NameQuery) : { any: queries }
