/** The first of a sequence, and the others. If reading broke off among the first, `failure` has the error. */
type Begun<T> = { first: T[]; rest: AsyncIterable<T>; failure?: { error: unknown } }

/** Reads the first of a sequence, at most so many. Throws if reading breaks off before there is one. */
export const take = async <T>(from: AsyncGenerator<T>, count: number): Promise<Begun<T>> => {
  const first: T[] = []
  try {
    while (first.length < count) {
      const next = await from.next()
      if (next.done) break
      first.push(next.value)
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
