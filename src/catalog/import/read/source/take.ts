/** The first of a sequence, and the others. If reading broke off among the first, `failure` has the error. */
type Begun<T> = { first: T[]; rest: AsyncIterable<T>; failure?: { error: unknown } }

/** How many characters the first of a sequence may have together, but for the last of them. They stay in memory. */
const mostCharacters = 2_000_000

/**
 * Reads the first of a sequence, at most `count`, and fewer where they're long by what `lengthOf` says. Throws if reading breaks off
 * before there is one.
 */
export const take = async <T>(
  from: AsyncGenerator<T>,
  count: number,
  lengthOf: (one: T) => number,
): Promise<Begun<T>> => {
  const first: T[] = []
  let characters = 0
  try {
    while (first.length < count && characters < mostCharacters) {
      const next = await from.next()
      if (next.done) break
      first.push(next.value)
      characters += lengthOf(next.value)
    }
  } catch (error) {
    if (first.length === 0) throw error
    return { first, rest: from, failure: { error } }
  }
  return { first, rest: from }
}

/** A sequence from its beginning, or from where `first` says. If it broke off among the first, throws the error after them. */
export async function* chain<T>({ first, rest, failure }: Begun<T>): AsyncGenerator<T> {
  yield* first
  if (failure) throw failure.error
  yield* rest
}
