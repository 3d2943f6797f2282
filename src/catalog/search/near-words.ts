import type { Database } from '../../../db/client.ts'
import { formsOf, mistakesBetween, mistakesIn, type NearWords } from './words.ts'

/** How many words one word of a query may be meant for. */
const nearMost = 50

/** Finds the words of names that are near the words of a query: along the index of what is left of a word without a letter or two. */
export const findNearWords = async (db: Database, words: string[]): Promise<NearWords> => {
  const wanted = [...new Set(words)].filter((word) => mistakesIn(word) > 0)
  if (wanted.length === 0) return new Map()
  const forms = new Set(wanted.flatMap(formsOf))
  const [row] = await db.sql.unsafe<{ words: string[] | null }[]>(
    'select json_agg(word) as words from words where word_forms(word) @@ $1::tsquery',
    [[...forms].map((form) => `'${form}'`).join(' | ')],
    { prepare: true },
  )
  const near = wanted.map((word) => [word, nearest(word, row?.words ?? [])] as const)
  return new Map(near.filter(([, others]) => others.length > 0))
}

const nearest = (word: string, others: string[]) =>
  others
    .map((other) => ({ other, mistakes: mistakesBetween(word, other) }))
    .filter(({ mistakes }) => mistakes !== undefined && mistakes > 0)
    .toSorted((a, b) => (a.mistakes as number) - (b.mistakes as number) || (a.other < b.other ? -1 : 1))
    .slice(0, nearMost)
    .map(({ other }) => other)
