/** The first of a sequence, at most so many; the others are still to come. */
export const take = async <T>(from: AsyncGenerator<T>, count: number): Promise<T[]> => {
  const taken: T[] = []
  while (taken.length < count) {
    const next = await from.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}

/** A sequence whose first items were taken from it, from its beginning. */
export async function* chain<T>(first: T[], rest: AsyncIterable<T>): AsyncGenerator<T> {
  yield* first
  yield* rest
}
