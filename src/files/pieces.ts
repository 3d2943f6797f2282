/** Reads a stream in pieces of a given length. */
export const createPieces = (bytes: AsyncIterable<Uint8Array>) => {
  const source = bytes[Symbol.asyncIterator]()
  let held: Uint8Array = new Uint8Array()
  const fill = async () => {
    while (held.length === 0) {
      const next = await source.next()
      if (next.done) return false
      held = next.value
    }
    return true
  }
  const upTo = (count: number) => {
    const piece = held.subarray(0, count)
    held = held.subarray(piece.length)
    return piece
  }
  /** This many bytes, or as many as are left. */
  const take = async (count: number): Promise<Buffer> => {
    const pieces: Uint8Array[] = []
    let missing = count
    while (missing > 0 && (await fill())) {
      const piece = upTo(missing)
      pieces.push(piece)
      missing -= piece.length
    }
    return Buffer.concat(pieces)
  }
  /** This many bytes as they arrive. Throws the error from `cutOff` if the stream ends early. */
  const part = (count: number, cutOff: () => Error): AsyncIterableIterator<Uint8Array> => {
    let missing = count
    const next = async (): Promise<IteratorResult<Uint8Array>> => {
      if (missing === 0) return { done: true, value: undefined }
      if (!(await fill())) throw cutOff()
      const piece = upTo(missing)
      missing -= piece.length
      return { done: false, value: piece }
    }
    const iterator = { next, [Symbol.asyncIterator]: () => iterator }
    return iterator
  }
  return { take, part }
}
