import { type MarkName, markCalled, searchMarks } from '../../../lib/search-language.ts'
import { wordsOf } from '../words.ts'
import { nicknamed } from './nicknames.ts'
import { join, type NameWord, type Node, type Pattern, type Wanted } from './query.ts'
import { readSerial, spellingsOf } from './values.ts'
import { patternOf, sequenceOf } from './wording.ts'

/** A word as typed, outside of quotation marks and without a field. */
export type Plain = { at: number; text: string }

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
      if (words.length > 0)
        read.push({ node: { op: 'term', at, wanted: wantedOf(text, isOnly) }, isEmpty: empty.has(words.join(' ')) })
    }
    i += found?.length ?? 1
  }
  const meant = read.filter(({ isEmpty }) => !isEmpty)
  return (meant.length > 0 || typed.length < terms ? meant : read).map(({ node }) => node)
}

const empty = new Set(['card', 'cards', 'all', 'the', 'of'])

/** What the first of some words and those behind it mean together, and how many they are. */
type Reader = (rest: Plain[]) => { node: Node; length: number } | undefined

const termOf = (at: number, wanted: Wanted): Node => ({ op: 'term', at, wanted })

const lower = (plain: Plain | undefined) => plain?.text.toLowerCase() ?? ''

/** `/25`, `1/1`, `1of1`, `one of one`, `numbered to 5`. */
const readPrintRun: Reader = (rest) => {
  const [first, second, third] = rest
  if (!first) return undefined
  const [one, two, three] = [lower(first), lower(second), lower(third)]
  const run = (limit: string, length: number) => {
    const wanted = readSerial('=', limit)
    return typeof wanted === 'string' ? undefined : { node: termOf(first.at, wanted), length }
  }
  if (/^\/\d{1,9}$/.test(one)) return run(one.slice(1), 1)
  if (/^(1|one)(\/|of|-of-)(1|one)$/.test(one)) return run('1', 1)
  if (/^(1|one)$/.test(one) && two === 'of' && /^(1|one)$/.test(three)) return run('1', 3)
  if (/^(#'?d|numbered|serial|ser|limited)$/.test(one)) {
    const isTo = two === 'to' || two === 'out' || two === '/'
    const limit = (isTo ? three : two).replace(/^\//, '')
    if (/^\d{1,9}$/.test(limit) && (isTo || /^(#'?d|numbered)$/.test(one) || two.startsWith('/')))
      return run(limit, isTo ? 3 : 2)
    if (one === 'numbered') return { node: termOf(first.at, { kind: 'mark', mark: 'numbered' }), length: 1 }
  }
  return undefined
}

/** `#320`, `# 320`, `no. 320`, `nr 320`, `482/792`. */
const readNumber: Reader = ([first, second]) => {
  if (!first) return undefined
  const [one, two] = [first.text, second?.text ?? '']
  const number = (text: string, length: number) => ({
    node: termOf(first.at, { kind: 'number', spellings: spellingsOf(text) }),
    length,
  })
  const [, own] = /^#(.*[\p{L}\p{N}].*)$/u.exec(one) ?? []
  if (own) return number(own, 1)
  if (one === '#' && two) return number(two.replace(/^#/, ''), 2)
  const [, of] = /^(\d{1,5})\/\d{1,9}$/.exec(one) ?? []
  if (of) return number(of, 1)
  const [, glued] = /^n[or]\.(.*\d.*)$/iu.exec(one) ?? []
  if (glued) return number(glued, 1)
  return /^(no|nr|num|number)\.?$/i.test(one) && /\d/.test(two) && !/^\//.test(two)
    ? number(two.replace(/^#/, ''), 2)
    : undefined
}

/** `'89`. */
const readShortYear: Reader = ([first]) => {
  const [, digits] = /^['‘’ʼ`](\d\d)s?$/u.exec(first?.text ?? '') ?? []
  return first && digits ? { node: termOf(first.at, { kind: 'shortYear', digits }), length: 1 } : undefined
}

const longestNickname = 4

/** A nickname, by as many words as one has: the words themselves may be meant, too. */
const readNickname: Reader = (rest) => {
  const [first] = rest
  for (let length = Math.min(longestNickname, rest.length); length > 0; length--) {
    const some = rest.slice(0, length)
    if (some.some(({ text }) => text.endsWith('*') || wordsOf(text).length === 0)) continue
    const names = nicknamed(some.flatMap(({ text }) => wordsOf(text)))
    if (!first || names.length === 0) continue
    const pattern: Pattern = { any: names.map((name) => sequenceOf(wordsOf(name))) }
    const text = some.map((one) => one.text).join(' ')
    const name = termOf(first.at, { kind: 'name', text, pattern, isPerson: false })
    const plain = join(
      'and',
      some.map((one) => termOf(one.at, wantedOf(one.text, length === 1))),
    )
    return { node: { op: 'or', of: [plain, name] }, length }
  }
  return undefined
}

/** Initials before a name: `K Griffey`, `J T Realmuto`; each letter may be a word of its own, too. */
const readInitials: Reader = (rest) => {
  const letters = rest.findIndex(({ text }) => !/^\p{L}\.?$/u.test(text))
  const [first, name] = [rest[0], rest[letters]]
  const words = wordsOf(name?.text ?? '')
  if (letters < 1 || letters > 3 || !first || !name || !/^\p{L}{2}/u.test(words[0] ?? '') || empty.has(words[0] ?? ''))
    return undefined
  const initials = rest.slice(0, letters).flatMap(({ text }) => wordsOf(text))
  const behind = sequenceOf(words)
  const begun: NameWord[] = initials.map((word) => ({ word, isBeginning: true }))
  const glued = initials.join('')
  const any = [
    [...begun, ...behind],
    ...(letters > 1 ? [[{ word: glued }, ...behind]] : [sequenceOf([`${glued}${words[0]}`, ...words.slice(1)])]),
  ]
  const all = rest.slice(0, letters + 1)
  const text = all.map((one) => one.text).join(' ')
  const plain = join(
    'and',
    all.map((one) => termOf(one.at, wantedOf(one.text, false))),
  )
  const meant = termOf(first.at, { kind: 'name', text, pattern: { any }, isPerson: true })
  return { node: { op: 'or', of: [plain, meant] }, length: letters + 1 }
}

const readers: Reader[] = [readPrintRun, readNumber, readShortYear, readNickname, readInitials]

const wantedOf = (text: string, isOnly: boolean): Wanted => {
  const words = wordsOf(text)
  const mark = markWords.get(words.join(' '))
  const years = isOnly ? undefined : yearsOf(text)
  const isNumber = words.length > 0 && text.length <= 20 && !text.endsWith('*')
  return {
    ...{ kind: 'words', words, text, pattern: patternOf(text), isQuoted: false },
    ...(mark ? { mark } : {}),
    ...(years ? { years } : {}),
    ...(isNumber ? { spellings: spellingsOf(text.replace(/[.!?]+$/u, '')) } : {}),
  }
}

const markWords = new Map<string, MarkName>(
  (Object.keys(searchMarks) as MarkName[]).flatMap((name) =>
    (markCalled(name).words ?? []).map((word) => [word, name] as const),
  ),
)

/** The years that two digits, or a season of two, are short for. */
const yearsOf = (text: string): Pattern | undefined => {
  const [, first = '', second] = /^(\d\d)(?:[-/](\d\d))?$/.exec(text) ?? []
  if (!first) return undefined
  return { any: centuries.map((century) => sequenceOf([`${century}${first}`, ...(second ? [second] : [])])) }
}

/** The hundreds of years that cards are from. */
export const centuries = ['19', '20', '18']
