import { withPlainDashes } from '../../../lib/fold-text.ts'
import { numberKey } from '../../model/card-number.ts'
import type { NumberComparison, Range, Wanted } from './query.ts'

/** A comparison. `:` reads as `=`, and may also come before another comparison. */
export type Comparison = '=' | NumberComparison

const most = 999_999_999

/** What is wrong with a value, and what was probably meant instead. */
export type ValueFault = string | { detail: string; meant: string }

const endsFirst = (from: string, to: string): ValueFault => ({
  detail: 'The range ends before it begins.',
  meant: `${to}..${from}`,
})

/** Reads `1986`, `1986..1990`, `1986..` or `..1990` as a range. Returns what is wrong if it is none of these. */
const readRange = (comparison: Comparison, value: string, one: RegExp, format: string): Range | ValueFault => {
  const [, from = '', to = ''] = /^(.*?)\.\.(.*)$/s.exec(value) ?? []
  const isNumber = (text: string) => one.test(text) && Number(text) <= most
  if (from || to) {
    if (comparison !== '=') return 'A range goes after a colon or an equals sign.'
    if ((from && !isNumber(from)) || (to && !isNumber(to))) return format
    if (from && to && Number(from) > Number(to)) return endsFirst(from, to)
    return { ...(from ? { from: Number(from) } : {}), ...(to ? { to: Number(to) } : {}) }
  }
  if (!isNumber(value)) return format
  const at = Number(value)
  if (comparison === '!=') return { except: at }
  if (comparison === '<') return { to: at - 1 }
  if (comparison === '<=') return { to: at }
  if (comparison === '>') return { from: at + 1 }
  return comparison === '>=' ? { from: at } : { from: at, to: at }
}

/** `1986-87` or `1986/87`, alone or as a bound of a range. */
const season = /(?<![^.])(\d{4})[-/](\d{4}|\d\d)(?![^.])/g
const isNext = (first: string, second: string) => String(Number(first) + 1).endsWith(second)

/** `5-10`: whether a dash stands where a range has two dots. */
const dashed = /^(\d{1,9})-(\d{1,9})$/

/** The fault of a year that can't be read. */
export const yearFormat = 'Write a year as four digits, a season, or a range like 1986..1990.'

const isFault = (read: Range | ValueFault): read is ValueFault => typeof read === 'string' || 'detail' in read

/** A comparison of years. A season counts as its first year. */
export const readYears = (comparison: Comparison, value: string): Wanted | ValueFault => {
  const range = readRange(
    comparison,
    value.replace(season, (text, first, second) => (isNext(first, second) ? first : text)),
    /^\d{4}$/,
    yearFormat,
  )
  return isFault(range) ? range : { kind: 'years', range }
}

/** A comparison of print runs, with or without the slash. */
export const readSerial = (comparison: Comparison, value: string): Wanted | ValueFault => {
  const format = 'Write a serial number as its limit, such as 25, <=25 or 1..10.'
  const limits = value.replace(/(?<![^.])#?(?:1?\/)?(?=\d)/g, '')
  if (dashed.test(limits)) return { detail: format, meant: limits.replace('-', '..') }
  const range = readRange(comparison, limits, /^\d{1,9}$/, format)
  return isFault(range) ? range : { kind: 'serial', range }
}

/** A comparison of card numbers, in checklist order. `1-10` as a number is quoted, since it is meant as a range more often. */
export const readNumbers = (comparison: Comparison, typed: string, isQuoted: boolean): Wanted | ValueFault => {
  const value = typed.replace(/(?<=^|\.\.)#+\s*/g, '')
  const [, from = '', to = ''] = /^(.*?)\.\.(.*)$/s.exec(value) ?? []
  if (from || to) {
    if (comparison !== '=') return 'A range goes after a colon or an equals sign.'
    if (from && to && numberKey(from) > numberKey(to)) return endsFirst(from, to)
    const bounds = [
      ...(from ? [{ comparison: '>=', number: from } as const] : []),
      ...(to ? [{ comparison: '<=', number: to } as const] : []),
    ]
    return { kind: 'numbers', bounds }
  }
  if (!/[^\s-]/u.test(value)) return 'The number is missing.'
  const [, first, last] = (!isQuoted && dashed.exec(value)) || []
  if (first && Number(first) < Number(last))
    return {
      detail: 'Write a range of numbers with two dots, and a number with a dash in quotation marks.',
      meant: `${first}..${last}`,
    }
  return comparison === '='
    ? { kind: 'number', spellings: spellingsOf(value) }
    : { kind: 'numbers', bounds: [{ comparison, number: value }] }
}

/** The ways to write a card number: with and without a hyphen between letters and digits. Between digits it stays. */
export const spellingsOf = (number: string): string[] => {
  const text = withPlainDashes(number).trim()
  const joined = text.replace(/(?<!\d)-|-(?!\d)/g, '')
  const hyphenated = joined.replace(/(?<=\p{L})(?=\d)/u, '-')
  return [...new Set([text, joined, hyphenated].filter(Boolean))]
}
