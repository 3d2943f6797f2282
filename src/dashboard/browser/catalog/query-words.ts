/** A word that narrows a query: a field, a mark, or an exclusion. `without` is the query without it. */
type NarrowingWord = { word: string; without: string }

const words = /[^\s"()]*"[^"]*"|[^\s"()]+|[()]/g
const narrows = /^(-.|[a-z]+(:|[<>!]?=|[<>]))/i

/** The words that narrow a query. None if it has parentheses or `OR`, since removing one word could break it. */
export const narrowingWords = (query: string): NarrowingWord[] => {
  const all = query.match(words) ?? []
  if (all.some((word) => /^([()]|or)$/i.test(word))) return []
  return all.flatMap((word, place) =>
    narrows.test(word) ? [{ word, without: all.filter((_, other) => other !== place).join(' ') }] : [],
  )
}

/** A query with one more word that narrows all of it, such as `genre:"Basketball"`. */
export const withWord = (query: string, field: string, value: string): string => {
  const all: string[] = query.match(words) ?? []
  const isEither = all.includes('OR') && !/^\([^()]*\)$/.test(query)
  return `${isEither ? `(${query})` : query} ${field}:"${value.replaceAll('"', '')}"`
}
