import { plainName } from '../../../../lib/plain-text.ts'

/**
 * A season as `2023-24`, however it is written (decisions.md §19): `2023/24`, `2023-2024`, `23-24`, `'23-24`, with any dash. Years
 * that don't follow each other stay as they are, but for their dash. Two digits are from 1940 to 2039. `1993年` and `平成5年` are
 * 1993. Any other text is plain.
 */
export const readSeason = (text: string): string => {
  const plain = plainName(text)
  if (plain.includes('年')) return japaneseYear(plain) ?? plain
  const [, from, to] = season.exec(plain) ?? []
  if (!from || !to) return plain
  const first = yearOfTwo(from)
  const isNext = String(Number(first) + 1).endsWith(to)
  if (isNext) return `${first}-${to.slice(-2)}`
  return from.length === 4 && plain.includes('-') ? `${first}-${to.slice(-2)}` : plain
}

/** A year of two digits is from 1940 to 2039. Others stay as they are. */
export const yearOfTwo = (digits: string): string =>
  /^\d{2}$/.test(digits) ? `${Number(digits) < 40 ? 20 : 19}${digits}` : digits

const japaneseYear = (text: string): string | null => {
  const [, era, digits] = /^(\D{2})?(\d{1,4}|元)年$/.exec(text) ?? []
  if (!digits) return null
  if (!era) return digits.length === 4 ? digits : null
  const [first, last] = eras.get(era) ?? []
  const year = (first ?? 0) + (digits === '元' ? 1 : Number(digits)) - 1
  return first && last && year >= first && year <= last ? String(year) : null
}

/** The first and last year of each era. */
const eras = new Map<string, [first: number, last: number]>([
  ['明治', [1868, 1912]],
  ['大正', [1912, 1926]],
  ['昭和', [1926, 1989]],
  ['平成', [1989, 2019]],
  ['令和', [2019, 2118]],
])

const season = /^['\u2018\u2019]?(\d{4}|\d{2}) ?[-/] ?['\u2018\u2019]?(\d{4}|\d{2})$/

/** The other ways in which a season may be written where it was stored: `2023/24` for `2023-24`. None for any other text. */
export const otherSeasons = (year: string): string[] => {
  const [, century = '', from, to] = /^(\d{2})(\d{2})-(\d{2})$/.exec(year) ?? []
  if (!from || !to) return []
  const first = century + from
  const next = String(Number(first) + 1)
  const ends = next.endsWith(to) ? [to, next] : [to]
  const pairs = [...ends.map((end) => [first, end]), ...(next.endsWith(to) ? [[from, to]] : [])]
  return pairs.flatMap(([one, other]) => between.map((sign) => `${one}${sign}${other}`)).filter((text) => text !== year)
}

const between = ['-', '/', '\u2013', '\u2014', '\u2010', '\u2011', '\u2212', ' - ', ' / ']

/** Whether a year is the first of a season: 2023 of 2023-24. */
export const isFirstOf = (year: string, season: string): boolean =>
  /^\d{4}$/.test(year) && /^\d{4}-\d{2}$/.test(season) && season.startsWith(year)

/** A year, and the season that begins in it or the first year of a season. None for what is neither. */
export const seasonsBeside = (year: string | null): string[] => {
  const [, first, end] = /^(\d{4})(-\d{2})?$/.exec(year ?? '') ?? []
  if (!year || !first) return year ? [year] : []
  return [year, end ? first : `${first}-${String(Number(first) + 1).slice(-2)}`]
}
