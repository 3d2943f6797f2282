import { BadWorkbook } from './bad-workbook.ts'

/** What comes next in XML: an element's beginning, with its attributes as written, its end, or text. Names are without a prefix. */
export type Token = { kind: 'open' | 'close' | 'text'; text: string; attributes: string }

/** The longest tag, comment or other markup, in UTF-16 units. */
const longestMarkup = 1 << 20

/** How deep elements may be nested, which is many times what a workbook needs. */
const mostNested = 100

/**
 * Reads XML that is written to it in pieces. `next` is undefined once there's nothing left but the beginning of something, and
 * `end` throws BadWorkbook if that remains. A document type is refused, because no workbook has one and it can define entities.
 */
export const createXml = () => {
  let text = ''
  let at = 0
  let [isBegun, isEmpty] = [false, false]
  const open: string[] = []

  /** Throws if what has begun, and isn't over yet, is too long already. */
  const expectMore = (): undefined => {
    if (text.length - at > longestMarkup) throw new BadWorkbook()
  }

  const close = (): Token => {
    isEmpty = false
    return { kind: 'close', text: localName(open.pop() ?? ''), attributes: '' }
  }

  const readTag = (): Token | undefined => {
    const isClosing = text[at + 1] === '/'
    const begun = at + (isClosing ? 2 : 1)
    const end = endOfTag(text, begun)
    if (end < 0) return expectMore()
    const name = text.slice(begun, endOfName(text, begun))
    at = end + 1
    if (isClosing) {
      if (name !== open.at(-1)) throw new BadWorkbook()
      return close()
    }
    if (name === '' || (isBegun && open.length === 0) || open.length === mostNested) throw new BadWorkbook()
    open.push(name)
    isBegun = true
    isEmpty = text[end - 1] === '/'
    return { kind: 'open', text: localName(name), attributes: text.slice(begun + name.length, end) }
  }

  const next = (): Token | undefined => {
    if (isEmpty) return close()
    while (text[at] === '<') {
      if (text[at + 1] !== '!' && text[at + 1] !== '?') return readTag()
      const [begin, end] = kinds.find(([begin]) => text.startsWith(begin, at)) ?? kindAtEnd(text.slice(at))
      const begun = at + begin.length
      const found = text.indexOf(end, begun)
      if (found < 0) return expectMore()
      at = found + end.length
      if (begin === '<![CDATA[') return { kind: 'text', text: text.slice(begun, found), attributes: '' }
    }
    const begun = at
    at = endOfText(text, at)
    return at > begun ? { kind: 'text', text: decode(text.slice(begun, at)), attributes: '' } : undefined
  }

  return {
    write: (more: string) => {
      text = text.slice(at) + more
      at = 0
    },
    next,
    end: () => {
      if (!isBegun || open.length > 0 || text.slice(at).trim() !== '') throw new BadWorkbook()
    },
  }
}

/** The tags of a short part: none of them is read because of its text. Throws BadWorkbook. */
export async function* readTags(pieces: AsyncIterable<string>): AsyncGenerator<Token> {
  const xml = createXml()
  let length = 0
  for await (const piece of pieces) {
    length += piece.length
    if (length > longestPart) throw new BadWorkbook('its list of sheets or styles is too long')
    xml.write(piece)
    for (let token = xml.next(); token; token = xml.next()) if (token.kind !== 'text') yield token
  }
  xml.end()
}

/** The longest such part, in UTF-16 units. */
const longestPart = 1 << 24

const kinds = [
  ['<!--', '-->'],
  ['<?', '?>'],
  ['<![CDATA[', ']]>'],
] as const

/** What a text at the end of a piece may become. */
const kindAtEnd = (rest: string) => {
  const kind = kinds.find(([begin]) => begin.startsWith(rest))
  if (!kind) throw new BadWorkbook('it has a document type, which no workbook has')
  return kind
}

/** Where a tag ends, which isn't within quotes, or -1 if that is still to come. */
const endOfTag = (text: string, from: number): number => {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 62) return at
    if (code !== 34 && code !== 39) continue
    at = text.indexOf(code === 34 ? '"' : "'", at + 1)
    if (at < 0) return -1
  }
  return -1
}

/** Where text ends for now: at the next tag, or before a reference that may still go on. */
const endOfText = (text: string, from: number): number => {
  const end = text.indexOf('<', from)
  if (end >= 0) return end
  const begun = text.lastIndexOf('&')
  return begun >= from && text.length - begun < 12 && !text.includes(';', begun) ? begun : text.length
}

const endOfName = (text: string, from: number): number => {
  for (let at = from; ; at++) {
    const code = text.charCodeAt(at)
    if (code === 62 || code === 47 || isSpace(code)) return at
  }
}

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

/** The attributes of an element by their names without prefix. */
export const attributesOf = (written: string): Partial<Record<string, string>> => {
  const found: Partial<Record<string, string>> = Object.create(null)
  let at = 0
  for (;;) {
    const equals = written.indexOf('=', at)
    if (equals < 0) return found
    const name = written.slice(at, equals).trim()
    let begun = equals + 1
    while (isSpace(written.charCodeAt(begun))) begun++
    const end = written.indexOf(written[begun] === "'" ? "'" : '"', begun + 1)
    if (end < 0) return found
    found[localName(name)] = decode(written.slice(begun + 1, end))
    at = end + 1
  }
}

const isSpace = (code: number) => code === 32 || (code > 8 && code < 14)

const references: Partial<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const decode = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,4}));/gi, (written, decimal, hex, name) => {
        if (name) return references[name] ?? written
        const code = decimal ? Number(decimal) : Number.parseInt(hex, 16)
        return code <= 0x10ffff ? String.fromCodePoint(code) : written
      })
    : text
