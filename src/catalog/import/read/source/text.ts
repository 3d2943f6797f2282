import { turnsFor } from '../../../../lib/yield-to-event-loop.ts'
import { guessEncoding } from './encodings.ts'
import { mendUtf8 } from './mend-utf8.ts'

/** Whether a label, such as windows-1252, names an encoding we can read. */
export const isEncoding = (label: string) => {
  try {
    new TextDecoder(label)
    return true
  } catch {
    return false
  }
}

/** Whether a byte order mark says that a file is UTF-32, which we can't read. */
export const isUtf32 = ([a, b, c, d]: Uint8Array) =>
  (a === 0xff && b === 0xfe && c === 0 && d === 0) || (a === 0 && b === 0 && c === 0xfe && d === 0xff)

/** Text as it arrives. `encoding` is known once some of the text was read. */
type Decoded = AsyncIterable<string> & { encoding: () => string }

/** How much of a text that isn't UTF-8 is looked at to find its encoding. */
const evidenceBytes = 256 * 1024

/**
 * Decodes bytes in the named encoding, or else in the one they show: UTF-8, UTF-16 with or without a byte order mark, or one of
 * `guessEncoding`. If bytes aren't UTF-8, and nothing before them was, the text isn't. In a UTF-8 file, such bytes become U+FFFD.
 * Gives others their turns. Throws DoubtfulEncoding.
 */
export const readText = (bytes: AsyncIterable<Uint8Array>, named?: string): Decoded => {
  let encoding = named ?? ''
  const text = async function* () {
    let decoder: TextDecoder | undefined
    let pending: Uint8Array = new Uint8Array()
    let hasLetters = false
    let isDoubtful = false
    /** The text of what is pending, once there's enough of it, or it's all there is. */
    const read = (isEnd: boolean): string | undefined => {
      encoding ||= guess(pending)
      if (encoding === 'utf-8' && !named) {
        const cut = isEnd ? pending.length : pending.length - unfinished(pending)
        const piece = decodeUtf8(pending.subarray(0, cut), hasLetters)
        if (piece !== undefined) {
          pending = pending.subarray(cut)
          hasLetters ||= /^\ufeff|[^\0-\x7f\ufffd\ufeff]/.test(piece)
          isDoubtful = false
          return piece
        }
        isDoubtful = true
        if (!isEnd && pending.length < evidenceBytes) return undefined
        encoding = guessEncoding(pending)
      }
      decoder ??= new TextDecoder(encoding)
      const piece = decoder.decode(pending, { stream: !isEnd })
      pending = pending.subarray(pending.length)
      return piece
    }
    const giveTurn = turnsFor()
    const waiting: Uint8Array[] = []
    let length = 0
    for await (const chunk of bytes) {
      await giveTurn()
      waiting.push(chunk)
      length += chunk.length
      const least = isDoubtful ? evidenceBytes : leastBytes
      if (pending.length + length < least) continue
      pending = Buffer.concat([pending, ...waiting.splice(0)])
      length = 0
      const piece = read(false)
      if (piece) yield piece
    }
    pending = Buffer.concat([pending, ...waiting])
    const piece = read(true)
    if (piece) yield piece
  }
  const first = withoutMark(text())
  return { [Symbol.asyncIterator]: () => first, encoding: () => encoding || 'utf-8' }
}

/** How many bytes are needed to see a byte order mark. */
const leastBytes = 4

async function* withoutMark(texts: AsyncIterable<string>) {
  let isFirst = true
  for await (const text of texts) {
    yield isFirst ? text.replace(/^\ufeff/, '') : text
    if (text !== '') isFirst = false
  }
}

/** Guesses the encoding from a byte order mark, or from the zero bytes next to ASCII letters in UTF-16. */
const guess = (head: Uint8Array) => {
  const [first, second] = head
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  const some = head.subarray(0, 512)
  const zeros = [0, 0]
  for (const [at, byte] of some.entries()) if (byte === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1
  const [even = 0, odd = 0] = zeros
  const many = some.length / 4
  return odd >= many && even === 0 ? 'utf-16le' : even >= many && odd === 0 ? 'utf-16be' : 'utf-8'
}

/** How many bytes at the end belong to an incomplete UTF-8 character. */
const unfinished = (bytes: Uint8Array) => {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0
    if (byte < 0x80) return 0
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0
  }
  return 0
}

/** The text, or undefined if it isn't UTF-8 and nothing shows that it was meant to be. */
const decodeUtf8 = (bytes: Uint8Array, hasLetters: boolean): string | undefined => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (hasLetters || text.startsWith('\ufeff') || !text.includes('\ufffd')) return text
  const lost = text.split('\ufffd').length - 1 - countLost(bytes)
  const letters = (text.match(/[^\0-\x7f\ufffd\ufeff]/g) ?? []).length
  return lost === 0 || letters > lost ? text : undefined
}

/** How many letters were already lost: U+FFFD in the UTF-8 itself. */
const countLost = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1').split('\xef\xbf\xbd').length - 1

/** Character references, left over in text copied from the source of a web page: `&amp;`, `&#39;`, `&#xe9;`. */
const reference = /&(?:#(\d{2,6})|#x([\da-f]{2,5})|(amp|quot|apos|lt|gt|nbsp));/gi
const named: Record<string, string> = { amp: '&', quot: '"', apos: "'", lt: '<', gt: '>', nbsp: ' ' }

/** A text with both kinds of damage repaired. */
export const mendText = (text: string): string => {
  const whole = mendUtf8(text)
  return whole.includes('&') ? whole.replace(reference, mendReference) : whole
}

const mendReference = (written: string, decimal?: string, hex?: string, name?: string) => {
  if (name) return named[name.toLowerCase()] ?? written
  const code = decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16)
  const isCharacter = code >= 0x20 && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : written
}
