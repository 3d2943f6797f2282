import { wordsOf } from '../words.ts'
import { empty, type Plain, type Reader, termOf } from './plain.ts'
import type { Node } from './query.ts'
import { readInitials, readLastInitial, readNickname, readNumberApart, readParticle } from './spoken-names.ts'
import { readNumber, readPrintRun } from './spoken-numbers.ts'
import { readPhrase, wantedOf } from './spoken-words.ts'
import { readDecade, readSeason, readShortYear } from './spoken-years.ts'

/** The ways to read several words, the first that does. */
const readers: Reader[] = [
  ...[readPrintRun, readSeason, readNumber, readShortYear, readDecade, readNickname],
  ...[readPhrase, readInitials, readNumberApart, readLastInitial, readParticle],
]

/**
 * Reads plain words that stand side by side as collectors mean them. `terms`: how many terms the whole query has; two digits
 * alone are no year, and words that carry nothing are asked for where there is nothing else.
 */
export const readPlain = (typed: Plain[], terms: number): Node[] => {
  const some = typed.filter(({ text }) => text === '#' || text === '/' || wordsOf(text).length > 0)
  const isOnly = terms < 2
  const read: { node: Node; isEmpty: boolean }[] = []
  for (let i = 0; i < some.length; ) {
    const rest = some.slice(i)
    const found = readers.map((reader) => reader(rest)).find((one) => one !== undefined)
    if (found) read.push({ node: found.node, isEmpty: false })
    else {
      const [{ at, text } = { at: 0, text: '' }] = rest
      const words = wordsOf(text)
      if (words.length > 0) read.push({ node: termOf(at, wantedOf(text, isOnly)), isEmpty: empty.has(words.join(' ')) })
    }
    i += found?.length ?? 1
  }
  const meant = read.filter(({ isEmpty }) => !isEmpty)
  return (meant.length > 0 || typed.length < terms ? meant : read).map(({ node }) => node)
}
