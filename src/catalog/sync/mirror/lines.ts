import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { Unreadable } from './record.ts'

/** The longest line of a bulk file, in bytes. A file with a longer one isn't a bulk file. */
const longestLine = 16 * 1024 * 1024

/** The lines of a compressed file, some at a time, in the order of their ids. Keeps a few megabytes in memory. Throws Unreadable. */
export async function* linesOfFile(path: string): AsyncGenerator<string[]> {
  const gunzip = createGunzip({ chunkSize: 262_144 })
  pipeline(createReadStream(path, { highWaterMark: 262_144 }), gunzip, () => {})
  let rest: Buffer[] = []
  let restBytes = 0
  for await (const piece of gunzip as AsyncIterable<Buffer>) {
    const end = piece.lastIndexOf(10)
    if (end < 0) {
      rest.push(piece)
      restBytes += piece.length
      if (restBytes > longestLine) throw new Unreadable('a line without an end')
      continue
    }
    const text = Buffer.concat([...rest, piece.subarray(0, end)]).toString()
    rest = [piece.subarray(end + 1)]
    restBytes = piece.length - end - 1
    yield text.split('\n')
  }
  if (restBytes > 0) throw new Unreadable('a file that ends in a line')
}

/** Gathers the wanted lines into chunks. `size` may change between chunks. `isWanted` gets a line before it is parsed. */
export async function* chunksOf(
  batches: AsyncIterable<string[]>,
  isWanted: (line: string) => boolean,
  size: () => number,
): AsyncGenerator<string[]> {
  let chunk: string[] = []
  for await (const lines of batches)
    for (const line of lines) {
      if (!isWanted(line)) continue
      chunk.push(line)
      if (chunk.length < size()) continue
      yield chunk
      chunk = []
    }
  if (chunk.length > 0) yield chunk
}

/** The lines of a file, or those after an id, a thousand at a time. */
export const linesAfter = (path: string, id: string | undefined) =>
  chunksOf(
    linesOfFile(path),
    (line) => id === undefined || idOfLine(line) > id,
    () => 1000,
  )

/** The id of the record in a line. Throws Unreadable. */
export const idOfLine = (line: string): string => {
  const [, id] = /^\{"type":"[^"]*","id":"([0-9a-f-]{36})"/.exec(line) ?? []
  if (!id) throw new Unreadable('a line that is not a resource object')
  return id
}
