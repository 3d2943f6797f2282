import { turnsFor } from '../../../../lib/yield-to-event-loop.ts'

/**
 * Reads JSON. A number with more digits than JavaScript's numbers hold becomes the text that the file has, because it is a name of
 * something, such as a card's number. Throws a SyntaxError.
 */
export const readJson = (text: string): unknown =>
  manyDigits.test(text) ? JSON.parse(text, inDigits) : JSON.parse(text)

/** The longest text that is read at once, and the longest one that is if it holds little. */
const shortText = 1 << 16
const shortSimpleText = 1 << 21
/** How many lists, objects and commas a text may have to hold little: three times as many as any release of a megabyte. */
const fewSigns = 1 << 15

/** Reads JSON in short turns: a long text piece by piece, and a short one at once. Throws a SyntaxError. */
export const readJsonInTurns = (text: string): unknown =>
  isShortText(text) ? readJson(text) : readLongJson(text, nothing())

const isShortText = (text: string) => text.length <= shortText || (text.length <= shortSimpleText && holdsLittle(text))

/** Whether a text has few lists, objects and commas, none of them nested deeply. Those within texts count, too. */
const holdsLittle = (text: string) => {
  let [depth, signs] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x2c) signs++
    // ] and }, then [ and {
    else if ((code | 0x20) === 0x7d) depth--
    else if ((code | 0x20) === 0x7b) {
      signs++
      if (++depth > deepest) return false
    } else continue
    if (signs > fewSigns) return false
  }
  return true
}

/** The same for a text that arrives in pieces. What it holds has limits: a megabyte can be a million objects. */
export const readJsonPieces = async (pieces: AsyncIterable<string>): Promise<unknown> => {
  const source = pieces[Symbol.asyncIterator]()
  const { text, isEnd } = await takeText(source, '', shortSimpleText + 1)
  return isEnd && isShortText(text) ? readJson(text) : readLongJson(text, source)
}

async function* nothing(): AsyncGenerator<string> {}

/** A text with so many units of the next pieces behind it that it has at least `length`, if there are as many. */
const takeText = async (source: AsyncIterator<string>, begun: string, length: number) => {
  const pieces = [begun]
  for (let have = begun.length; have < length; ) {
    const next = await source.next()
    if (next.done) return { text: pieces.join(''), isEnd: true }
    pieces.push(next.value)
    have += next.value.length
  }
  return { text: pieces.join(''), isEnd: false }
}

const manyDigits = /\d[\d.]{15}/

const inDigits = (_: string, value: unknown, { source }: { source?: string } = {}): unknown =>
  typeof value === 'number' && source && /^-?[\d.]+$/.test(source) && written(value) !== plain(source) ? source : value

const written = (value: number) => (Number.isInteger(value) ? String(BigInt(value)) : String(value))

/** Digits without zeros at the end of a fraction. */
const plain = (digits: string) => {
  if (!digits.includes('.')) return digits
  let end = digits.length
  while (digits[end - 1] === '0') end--
  return digits.slice(0, digits[end - 1] === '.' ? end - 1 : end)
}

const mostValues = 500_000
const mostMembers = 10_000
const deepest = 100
const longestText = 1 << 17
const longestNumber = 1000

/** A JSON text that holds more than is read. */
export class TooMuchJson extends SyntaxError {}

/** A list or an object that is being read. */
type Open = { list: unknown[] } | { members: Record<string, unknown>; key: string; count: number }

/** What may come next. */
type Place = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'behind'

/** `JSON.parse` would hold the event loop for seconds. */
const readLongJson = async (begun: string, source: AsyncIterator<string>): Promise<unknown> => {
  const giveTurn = turnsFor()
  const open: Open[] = []
  let [text, isEnd, at, passed, values] = [begun, false, 0, 0, 0]
  let place = 'value' as Place
  let value: unknown
  const wrong = () => new SyntaxError(`something unexpected at character ${passed + at + 1}`)
  const tooMuch = (what: string) => new TooMuchJson(`${what} at character ${passed + at + 1}`)
  const skipSpace = () => {
    for (let code = text.charCodeAt(at); code === 32 || code === 10 || code === 13 || code === 9; )
      code = text.charCodeAt(++at)
  }
  /** Takes in so much that what begins here also ends. */
  const takeMore = async () => {
    do {
      const taken = await takeText(source, text.slice(at), 2 * longestText)
      passed += at
      at = 0
      text = taken.text
      isEnd = taken.isEnd
      skipSpace()
      await giveTurn()
    } while (isShort())
  }
  const isShort = () => !isEnd && text.length - at <= longestText + 1
  const readText = (): string => {
    let end = at
    do {
      end = text.indexOf('"', end + 1)
      if ((end < 0 ? text.length : end) - at > longestText)
        throw tooMuch(`a text of more than ${longestText} characters`)
      if (end < 0) throw wrong()
    } while (slashesBefore(text, end) % 2 === 1)
    const quoted = text.slice(at, end + 1)
    at = end + 1
    return needsParsing.test(quoted) ? JSON.parse(quoted) : quoted.slice(1, -1)
  }
  const readPlain = () => {
    plainValue.lastIndex = at
    const [written = ''] = plainValue.exec(text) ?? []
    if (written === '' || written.length > longestNumber) throw wrong()
    at += written.length
    return written in words ? words[written] : inDigits('', Number(written), { source: written })
  }
  const beginValue = (sign: string) => {
    if (++values > mostValues) throw tooMuch(`more than ${mostValues} values`)
    place = 'behind'
    if (sign === '"') value = readText()
    else if (sign === '[' || sign === '{') {
      if (open.length === deepest) throw tooMuch(`more than ${deepest} levels`)
      at++
      open.push(sign === '[' ? { list: [] } : { members: {}, key: '', count: 0 })
      place = sign === '[' ? 'first value' : 'first key'
    } else value = readPlain()
    if (place === 'behind') addValue(open.at(-1))
  }
  const addValue = (into: Open | undefined) => {
    if (!into) return
    if ('list' in into) into.list.push(value)
    else {
      if (++into.count > mostMembers) throw tooMuch(`an object of more than ${mostMembers} members`)
      addMember(into.members, into.key, value)
    }
  }
  const close = (sign: string) => {
    const last = open.pop()
    if (!last || sign !== ('list' in last ? ']' : '}')) throw wrong()
    at++
    value = 'list' in last ? last.list : last.members
    addValue(open.at(-1))
    place = 'behind'
  }
  for (let step = 1; ; step++) {
    if (step % 64 === 0) await giveTurn()
    skipSpace()
    if (isShort()) await takeMore()
    const sign = text[at] ?? ''
    const into = open.at(-1)
    if (place === 'behind' && !into) {
      if (sign !== '') throw wrong()
      return value
    }
    if ((place === 'first value' && sign === ']') || (place === 'first key' && sign === '}')) close(sign)
    else if (place === 'value' || place === 'first value') beginValue(sign)
    else if (place === 'colon' || (place === 'behind' && sign === ',')) {
      if (sign !== (place === 'colon' ? ':' : ',')) throw wrong()
      at++
      place = place === 'colon' || (into && 'list' in into) ? 'value' : 'key'
    } else if (place === 'behind') close(sign)
    else {
      if (sign !== '"' || !into || 'list' in into) throw wrong()
      into.key = readText()
      place = 'colon'
    }
  }
}

/** A text with an escape, or a control character, which isn't allowed in one. */
const needsParsing = /[\\\p{Cc}]/u
const words: Record<string, unknown> = { true: true, false: false, null: null }
const plainValue = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const slashesBefore = (text: string, end: number) => {
  let count = 0
  while (text[end - 1 - count] === '\\') count++
  return count
}

/** Sets a member as `JSON.parse` does: `__proto__` is a name like any other. */
const addMember = (members: Record<string, unknown>, name: string, value: unknown) => {
  if (name === '__proto__')
    Object.defineProperty(members, name, { value, writable: true, enumerable: true, configurable: true })
  else members[name] = value
}

/** Whether JSON has at most so many values, those in its lists and objects included. */
export const hasAtMost = (most: number, json: unknown): boolean => {
  const left: object[] = []
  let count = -1
  const add = (value: unknown) => {
    count++
    if (typeof value === 'object' && value !== null && !isEmptyList(value)) left.push(value)
  }
  add(json)
  for (let one = left.pop(); one && count <= most; one = left.pop())
    if (!Array.isArray(one)) for (const key in one) add((one as Record<string, unknown>)[key])
    else if (count + one.length > most) return false
    else for (const each of one) add(each)
  return count <= most
}

const isEmptyList = (value: object) => Array.isArray(value) && value.length === 0
