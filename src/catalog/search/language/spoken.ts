import { wordsOf } from '../../../lib/words.ts'
import { fillerWords, type Plain, type Reader, termOf } from './plain.ts'
import type { Node } from './query.ts'
import { readInitials, readLastInitial, readNickname, readNumberApart, readParticle } from './spoken-names.ts'
import { readNumber, readPrintRun } from './spoken-numbers.ts'
import { readPhrase, wantedOf } from './spoken-words.ts'
import { readDecade, readSeason, readShortYear } from './spoken-years.ts'

/** Readers of one or more words. The first that understands them wins. */
const readers: Reader[] = [
  readPrintRun,
  readSeason,
  readNumber,
  readShortYear,
  readDecade,
  readNickname,
  readPhrase,
  readInitials,
  readNumberApart,
  readLastInitial,
  readParticle,
]

/**
 * Reads adjacent plain words the way collectors mean them. `terms` is the number of terms in the whole query: two digits alone are not a
 * year, and filler words count if there is nothing else.
 */
export const readPlain = (typed: Plain[], terms: number): Node[] => {
  const some = typed.filter(({ text }) => text.startsWith('#') || text === '/' || wordsOf(text).length > 0)
  const isOnly = terms < 2
  const read: { node: Node; isFiller: boolean }[] = []
  for (let i = 0; i < some.length; ) {
    const rest = some.slice(i)
    const found = readers.map((reader) => reader(rest)).find((one) => one !== undefined)
    if (found) read.push({ node: found.node, isFiller: false })
    else {
      const [{ at, text } = { at: 0, text: '' }] = rest
      const words = wordsOf(text)
      if (words.length > 0)
        read.push({ node: termOf(at, wantedOf(text, isOnly)), isFiller: fillerWords.has(words.join(' ')) })
    }
    i += found?.length ?? 1
  }
  const meant = read.filter(({ isFiller }) => !isFiller)
  return (meant.length > 0 || typed.length < terms ? meant : read).map(({ node }) => node)
}
