/** A file of more pieces is no picture that somebody made: following them would hold up everybody else. */
export const pieceLimit = 50_000

/** The text at this place of a file, a letter for each byte. */
export const textAt = (bytes: Uint8Array, at: number, length: number): string =>
  Buffer.from(bytes.subarray(at, at + length)).toString('latin1')

/** These pieces of a file in one, or the file itself if they are all of it. */
export const joinedPieces = (pieces: readonly Uint8Array[], file: Uint8Array): Uint8Array => {
  const isWhole =
    pieces.every(({ buffer }) => buffer === file.buffer) &&
    pieces.reduce((sum, { length }) => sum + length, 0) === file.length
  return isWhole ? file : Uint8Array.from(Buffer.concat(pieces))
}
