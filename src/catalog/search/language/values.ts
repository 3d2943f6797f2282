import { numberKey } from '../../model/card-number.ts'
import type { NumberComparison, Range, Wanted } from './query.ts'

/** A comparison. `:` reads as `=`, and may also come before another comparison. */
export type Comparison = '=' | NumberComparison

const most = 999_999_999

/** Reads `1986`, `1986..1990`, `1986..` or `..1990` as a range. Returns a sentence if it is none of these. */
const readRange = (comparison: Comparison, value: string, one: RegExp, format: string): Range | string => {
  const [, from = '', to = ''] = /^(.*?)\.\.(.*)$/.exec(value) ?? []
  const isNumber = (text: string) => one.test(text) && Number(text) <= most
  if (from || to) {
    if (comparison !== '=') return 'A range goes after a colon or an equals sign.'
    if ((from && !isNumber(from)) || (to && !isNumber(to))) return format
    if (from && to && Number(from) > Number(to)) return 'The range ends before it begins.'
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

/** The fault of a year that can't be read. */
export const yearFormat = 'Write a year as four digits, a season, or a range like 1986..1990.'

/** A comparison of years. A season counts as its first year. */
export const readYears = (comparison: Comparison, value: string): Wanted | string => {
  const range = readRange(
    comparison,
    value.replace(season, (text, first, second) => (isNext(first, second) ? first : text)),
    /^\d{4}$/,
    yearFormat,
  )
  return typeof range === 'string' ? range : { kind: 'years', range }
}

/** A comparison of print runs, with or without the slash. */
export const readSerial = (comparison: Comparison, value: string): Wanted | string => {
  const format = 'Write a serial number as its limit, such as 25, <=25 or 1..10.'
  const range = readRange(comparison, value.replace(/^1?\/(?=\d)/, ''), /^\d{1,9}$/, format)
  return typeof range === 'string' ? range : { kind: 'serial', range }
}

/** A comparison of card numbers, in checklist order. */
export const readNumbers = (comparison: Comparison, value: string): Wanted | string => {
  const [, from = '', to = ''] = /^(.*?)\.\.(.*)$/.exec(value) ?? []
  if (from || to) {
    if (comparison !== '=') return 'A range goes after a colon or an equals sign.'
    if (from && to && numberKey(from) > numberKey(to)) return 'The range ends before it begins.'
    const bounds = [
      ...(from ? [{ comparison: '>=', number: from } as const] : []),
      ...(to ? [{ comparison: '<=', number: to } as const] : []),
    ]
    return { kind: 'numbers', bounds }
  }
  if (!/[\p{L}\p{N}]/u.test(value)) return 'The number is missing.'
  return comparison === '='
    ? { kind: 'number', spellings: spellingsOf(value) }
    : { kind: 'numbers', bounds: [{ comparison, number: value }] }
}

/** The ways to write a card number: with and without a hyphen between letters and digits. */
export const spellingsOf = (number: string): string[] => {
  const text = number.trim()
  const joined = text.replaceAll('-', '')
  const hyphenated = joined.replace(/(?<=\p{L})(?=\d)/u, '-')
  return [...new Set([text, joined, hyphenated].filter(Boolean))]
}
