import { readJsonInTurns } from './json.ts'

/**
 * An element of a JSON array, numbered from 1, and how many characters it has in the file where that's known; `json` is undefined if
 * it can't be read. `reason` means that the array is damaged.
 */
export type Element = { number: number; json: unknown; length?: number } | { number: number; reason: string }

/** The longest element that is read, in UTF-16 units, the same as for lines. */
const longestElement = 1 << 20

/** Streams the elements of a JSON array, holding one at a time. Catalogs of hundreds of MB are a single array. */
export async function* readElements(text: AsyncIterable<string>): AsyncGenerator<Element> {
  let element = beginElement()
  let number = 0
  /** How many brackets are open: 1 in the array itself, 0 after it, and -1 before it. */
  let depth = -1
  let isQuoted = false
  let isEscaped = false
  for await (const chunk of text) {
    let start = 0
    let at = 0
    if (isEscaped && chunk !== '') {
      isEscaped = false
      at = 1
    }
    for (;;) {
      const sign = isQuoted ? inQuotes : outside
      sign.lastIndex = at
      const found = sign.exec(chunk)
      if (!found) break
      const { 0: letter, index } = found
      at = index + 1
      if (letter === '\\') {
        isEscaped = at === chunk.length
        at++
      } else if (letter === '"') isQuoted = !isQuoted
      else if (depth === -1) {
        depth = 1
        start = at
      } else if (letter === '{' || letter === '[') depth++
      else if (letter === ',' ? depth === 1 : --depth === 0) {
        element.add(chunk.slice(start, index))
        start = at
        if (letter === ',' || !element.isBlank())
          yield { number: ++number, length: element.length(), json: await element.parse() }
        element = beginElement()
      }
    }
    element.add(chunk.slice(start))
  }
  if (depth !== 0 || !element.isBlank())
    yield {
      number: 0,
      reason:
        depth === 0
          ? 'The file is not valid JSON: it continues after the end of its list. Everything before that was read.'
          : 'The file is not valid JSON: it breaks off before the end of its list. Everything before that was read.',
    }
}

const inQuotes = /["\\]/g
const outside = /["[\]{},]/g

const beginElement = () => {
  let pieces: string[] = []
  let length = 0
  return {
    add: (piece: string) => {
      length += piece.length
      if (length > longestElement) pieces = []
      else pieces.push(piece)
    },
    length: () => length,
    isBlank: () => length <= longestElement && pieces.every((piece) => piece.trim() === ''),
    parse: async (): Promise<unknown> => {
      try {
        return await readJsonInTurns(pieces.join(''))
      } catch {
        return undefined
      }
    },
  }
}
