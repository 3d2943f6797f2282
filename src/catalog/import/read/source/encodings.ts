/** Encodings that a text which isn't UTF-8 may be in, with their names in reports. The first is the usual one. */
const encodings = {
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
  'windows-1251': 'Windows-1251',
  shift_jis: 'Shift-JIS',
  'euc-jp': 'EUC-JP',
  gb18030: 'GB18030',
  big5: 'Big5',
  'euc-kr': 'EUC-KR',
} as const

type Encoding = keyof typeof encodings

/** What an encoding is called in a report. */
export const encodingName = (encoding: string): string => encodings[encoding as Encoding] ?? encoding

/** A text that two encodings read equally well. The message is a sentence with both readings of its first odd line. */
export class DoubtfulEncoding extends Error {}

/**
 * The encoding of bytes that aren't UTF-8: the one that has the most of their letters in words. Throws DoubtfulEncoding if
 * another has as many and reads something else.
 */
export const guessEncoding = (bytes: Uint8Array): string => {
  const whole = bytes.subarray(0, bytes.lastIndexOf(lineFeed) + 1 || bytes.length)
  const read = Object.keys(encodings).flatMap((encoding) => readAs(whole, encoding as Encoding))
  const [usual] = read
  const [best, second] = read.toSorted((one, other) => other.score - one.score)
  if (!usual || !best || best.score <= 0) return 'windows-1252'
  if (second?.score === best.score && second.text !== best.text) throw new DoubtfulEncoding(inDoubt(best, second))
  return best.encoding
}

const lineFeed = 10

type Reading = { encoding: Encoding; text: string; score: number }

/** A text in an encoding, if it can be in that, and how many of its odd bytes are letters in words there. */
const readAs = (bytes: Uint8Array, encoding: Encoding): Reading[] => {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
    const pairs = commonPairs[encoding]
    return [{ encoding, text, score: pairs ? scorePairs(bytes, pairs) : scoreWords(text, encoding) }]
  } catch {
    return []
  }
}

const inDoubt = (one: Reading, other: Reading) => {
  const lines = [one, other].map(({ text }) => text.split(/\r\n|\n|\r/))
  const odd = lines[0]?.findIndex((line, no) => line !== lines[1]?.[no]) ?? 0
  const [first = '', second = ''] = lines.map((all) => (all[odd] ?? '').slice(0, 100))
  return `The file is not UTF-8, and may be ${encodings[one.encoding]} or ${encodings[other.encoding]}: line ${odd + 1} would be “${first}” or “${second}”. Name its encoding.`
}

/** How many letters beyond ASCII are in words, less those that are in none. What stands for quotes and apostrophes counts, too. */
const scoreWords = (text: string, encoding: Encoding): number => {
  let score = 0
  for (const [word] of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const letters = word.match(/[^\0-\x7f]/g)?.length ?? 0
    if (letters > 0 && word.length > 1) score += isWord(word, letters) ? letters : -letters
  }
  if (encoding === 'windows-1252') for (const _ of text.matchAll(plausibleQuotes)) score += 1.5
  return score
}

const isWord = (word: string, letters: number) =>
  /^\p{Script=Cyrillic}+$/u.test(word)
    ? isCased(word)
    : /^[\p{Script=Latin}\p{M}ªº]+$/u.test(word) && isCased(word) && (letters < 3 || letters < word.length)

/** Capitals are at the beginning, behind a prefix, or everywhere. */
const isCased = (word: string) =>
  /^(?:(?:Mc|Mac|De|Di|Da|Du|Le|La|Fitz|Van)?\p{Lu}?[\p{Ll}\p{M}ªº]+|\p{Lu}+)$/u.test(word)

/** `O’Neal`, `Collector’s`, `Players’`, “Kid” and 2023–24. */
const plausibleQuotes =
  /(?<!\p{L})[ODLMNdl]’(?=\p{Lu})|(?<=\p{L}{4})’(?=(?:s|t|d|m|ll|re|ve)(?!\p{L}))|(?<=\p{L}{3}s)’(?!\p{L})|[“‘](?=[^“”‘’\n]{1,80}[”’])|(?<=\d)–(?=\d)/gu

/** Which bytes begin a pair, which pairs are usual characters, and how much one of those counts. */
type Pairs = {
  isFirst: (byte: number) => boolean
  isCommon: (first: number, second: number) => boolean
  weight?: number
}

const within = (byte: number, from: number, to: number) => byte >= from && byte <= to

/** The usual characters of encodings with two bytes for a letter. */
const commonPairs: Partial<Record<Encoding, Pairs>> = {
  shift_jis: {
    isFirst: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    isCommon: (first, second) =>
      (first === 0x81 && second < 0x9b) ||
      (first === 0x82 && second > 0x4e) ||
      (first === 0x83 && second < 0x97) ||
      within(first, 0x88, 0x97),
  },
  'euc-jp': {
    isFirst: (byte) => byte > 0xa0,
    isCommon: (first) => within(first, 0xa1, 0xa5) || within(first, 0xb0, 0xcf),
  },
  gb18030: {
    isFirst: (byte) => byte > 0x80,
    isCommon: (first, second) => second > 0xa0 && (within(first, 0xa1, 0xa3) || within(first, 0xb0, 0xd7)),
  },
  big5: { isFirst: (byte) => byte > 0x80, isCommon: (first) => within(first, 0xa1, 0xc6) },
  'euc-kr': {
    isFirst: (byte) => byte > 0x80,
    isCommon: (first, second) => second > 0xa0 && (within(first, 0xa1, 0xa3) || within(first, 0xb0, 0xc8)),
    weight: 2.1,
  },
}

/**
 * The same for such an encoding: usual characters less others, and less those that stand right beside a Latin letter. What may be
 * Korean and Chinese alike is Korean, because half of Chinese can't be.
 */
const scorePairs = (bytes: Uint8Array, { isFirst, isCommon, weight = 2 }: Pairs): number => {
  let score = 0
  for (let at = 0; at < bytes.length; at++) {
    const first = bytes[at] ?? 0
    if (first < 0x80) continue
    const second = bytes[at + 1] ?? 0
    if (!isFirst(first)) score -= 1
    else {
      const isAmongLatin = isLatin(bytes[at - 1]) || isLatin(bytes[at + 2])
      score += isCommon(first, second) && !isAmongLatin ? weight : -2
      at++
    }
  }
  return score
}

const isLatin = (byte = 0) => within(byte | 0x20, 0x61, 0x7a)
