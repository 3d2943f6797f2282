import { type Reader, termOf } from './plain.ts'
import type { Pattern } from './query.ts'
import { sequenceOf } from './wording.ts'

/** The first two digits of the years that cards are from. */
export const centuries = ['19', '20', '18']

/** `'89`. */
export const readShortYear: Reader = ([first]) => {
  const [, digits] = /^['‘’ʼ`](\d\d)$/u.exec(first?.text ?? '') ?? []
  return first && digits ? { node: termOf(first.at, { kind: 'shortYear', digits }), length: 1 } : undefined
}

/** `1980s`, `80s`, `'80s`. Without a century, `00s` to `20s` are 2000 to 2029; the rest are in the 1900s. */
export const readDecade: Reader = ([first]) => {
  const [, century, tens] = /^(?:(1[89]|20)|['‘’ʼ`])?(\d)0['’]?s$/u.exec(first?.text ?? '') ?? []
  if (!first || tens === undefined) return undefined
  const from = Number(`${century ?? (Number(tens) < 3 ? '20' : '19')}${tens}0`)
  return { node: termOf(first.at, { kind: 'years', range: { from, to: from + 9 } }), length: 1 }
}

/** `1986/87`, `1986-1987` and `1986/1987` are a season. `1978-1980` is every year from the first to the last. */
export const readSeason: Reader = ([first]) => {
  const [, from = '', to = ''] = /^((?:18|19|20)\d\d)[-/](\d\d|(?:18|19|20)\d\d)$/.exec(first?.text ?? '') ?? []
  if (!first || !from) return undefined
  const next = String(Number(from) + 1)
  if (to === next || to === next.slice(2))
    return { node: termOf(first.at, seasonOf([[from, next.slice(2)]], first.text)), length: 1 }
  const range = { from: Number(from), to: Number(to.length === 2 ? from.slice(0, 2) + to : to) }
  return range.to > range.from ? { node: termOf(first.at, { kind: 'years', range }), length: 1 } : undefined
}

/** A term for years with these names, each given as words. */
const seasonOf = (years: string[][], text: string) =>
  ({
    kind: 'words',
    words: years[0] ?? [],
    text,
    pattern: { any: years.map(sequenceOf) },
    isQuoted: true,
  }) as const

/** The years that `86` or the season `86-87` may be short for. */
export const yearsOf = (text: string): Pattern | undefined => {
  const [, first = '', second] = /^(\d\d)(?:[-/](\d\d))?$/.exec(text) ?? []
  if (!first || (text.includes('/') && (Number(first) + 1) % 100 !== Number(second))) return undefined
  return { any: centuries.map((century) => sequenceOf([`${century}${first}`, ...(second ? [second] : [])])) }
}

/** `86/87` as a season, if it can be one. `86-87` counts only where a year is required, since it may be a card number. */
export const shortSeasonOf = (text: string, isYear = false) => {
  const spelled = isYear ? text.replace('-', '/') : text
  const years = spelled.includes('/') ? yearsOf(spelled) : undefined
  return (
    years &&
    seasonOf(
      years.any.map((words) => words.map(({ word }) => word)),
      text,
    )
  )
}
