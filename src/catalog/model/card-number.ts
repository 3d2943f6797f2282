import { withPlainDashes } from '../../lib/fold-text.ts'

/** The longest key, in UTF-8 bytes. A PostgreSQL index row fits one and two ids. */
export const longestNumberKey = 1024

/**
 * The key that sorts cards in checklist order. Compare keys byte by byte (collation "C").
 * Digits compare as numbers of any length, ignoring leading zeros (2 before 10, RC-2 before RC-10, 007 as 7). Letters compare without case
 * and in their compatibility form (full-width digits are digits), every dash as a hyphen, and everything else by code point. Numbers that only differ in what is
 * ignored share a key. Cards without a number, or with an empty one, come last.
 * Keys are cut at `longestNumberKey`, which a 255-character number in common scripts never reaches.
 */
export const numberKey = (number: string | null): string => {
  if (number && isPlain.test(number)) return `0${number.length}${number}`
  const text = number?.trim()
  const key = text && folded(text)
  return key ? cut(`0${key.replace(/[0-9]+/g, digitRun)}`) : '1'
}

/** Most numbers: only digits, without leading zeros. */
const isPlain = /^[1-9][0-9]{0,7}$/

const folded = (text: string) =>
  isAscii(text) ? text.toLowerCase() : withPlainDashes(text.normalize('NFKC')).trim().toLowerCase()

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII begins at NUL
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

/** A run of digits with its length in front: lengths 1 to 8 as one digit, longer ones as 9 and four more digits. */
const digitRun = (run: string) => {
  const digits = run.replace(/^0+(?=.)/, '')
  return digits.length < 9 ? `${digits.length}${digits}` : `9${String(digits.length).padStart(4, '0')}${digits}`
}

const cut = (key: string) => {
  if (key.length * 3 <= longestNumberKey) return key
  const bytes = Buffer.from(key)
  if (bytes.length <= longestNumberKey) return key
  let end = longestNumberKey
  while (((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** A number's key apart: without what parts its letters from its digits, and the total behind its slash. */
type NumberParts = { base: string; total: string | null }

/** The parts of a number's key. Numbers that may be one written in two ways share `base`: BCP-1 and BCP1, RA-SO and RASO, 4/102 and 4. */
export const partsOfNumber = (key: string): NumberParts => {
  if (isUsualKey.test(key)) return { base: key, total: null }
  if (isInitials.test(key)) return { base: key.replaceAll('-', ''), total: null }
  const joined = key.replace(joiners, '')
  const [, base = joined, total = null] = withTotal.exec(joined) ?? []
  return { base, total }
}

/** Whether two numbers of one base may be one: 4 is 4/102, but 4/102 isn't 4/130. */
export const mayBeOneNumber = (one: NumberParts, other: NumberParts) =>
  one.base === other.base && (one.total === null || other.total === null || one.total === other.total)

/**
 * The keys of the ways to write a number, without a total behind it: with a hyphen or nothing at each place between letters and digits, or
 * with a space or a dot at all of them. With many such places, it's the same at all of them.
 */
export const spellingsOfNumber = ({ base }: NumberParts): string[] => {
  if (base.length <= longestInitials && isInitials.test(base)) return spellingsOfInitials(base)
  const [first = '', ...parts] = base.split(between)
  if (parts.length === 0) return [base]
  const alike = (sign: string) => [first, ...parts].join(sign)
  const each = (ways: string[], part: string) => ways.flatMap((way) => [`${way}${part}`, `${way}-${part}`])
  const dashed = parts.length > mostMixed ? ['', '-'].map(alike) : parts.reduce(each, [first])
  return [...dashed, alike(' '), alike('.')]
}
const mostMixed = 5

/** Letters with a hyphen at none, one or two of the places between them. */
const spellingsOfInitials = (base: string): string[] => {
  const places = Array.from({ length: base.length - 2 }, (_, at) => at + 2)
  const dashed = (at: number) => `${base.slice(0, at)}-${base.slice(at)}`
  const twice = (at: number) =>
    places
      .filter((other) => other < at)
      .map((other) => `${base.slice(0, other)}-${base.slice(other, at)}-${base.slice(at)}`)
  return [base, ...places.flatMap((at) => [dashed(at), ...twice(at)])]
}
const longestInitials = 9

const isUsualKey = /^0\d+$/
const isInitials = /^0\p{L}+(?:-\p{L}+)*$/u
const joiners = /(?<=\p{L})[-. ]+(?=\d)|(?<=\d)[-. ]+(?=\p{L})/gu
const between = /(?<=\p{L})(?=\d)|(?<=.\d)(?=\p{L})/u
const withTotal = /^(0[^/]*\d) ?\/ ?(\p{L}{0,8}\d+)$/u
