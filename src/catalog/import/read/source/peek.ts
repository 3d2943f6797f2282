/**
 * The first bytes of a stream, at least `count` if it has that many, and the whole stream. If reading breaks off among the first
 * bytes, `all` throws the error after them.
 */
export const peek = async (bytes: AsyncIterable<Uint8Array>, count: number) => {
  const source = bytes[Symbol.asyncIterator]()
  const chunks: Uint8Array[] = []
  let length = 0
  let failure: { error: unknown } | undefined
  try {
    while (length < count) {
      const next = await source.next()
      if (next.done) break
      chunks.push(next.value)
      length += next.value.length
    }
  } catch (error) {
    if (length === 0) throw error
    failure = { error }
  }
  const head = Buffer.concat(chunks)
  return { head, all: replay(head, source, failure) }
}

async function* replay(
  head: Uint8Array,
  rest: AsyncIterator<Uint8Array>,
  failure: { error: unknown } | undefined,
): AsyncGenerator<Uint8Array> {
  if (head.length) yield head
  if (failure) throw failure.error
  for (;;) {
    const next = await rest.next()
    if (next.done) return
    yield next.value
  }
}
