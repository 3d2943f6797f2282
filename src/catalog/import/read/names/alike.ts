import { plainName } from '../../../../lib/plain-text.ts'
import { otherSeasons, readSeason } from './season.ts'

/**
 * The form in which names of sets, makers and years look the same (decisions.md §19): without case, accents, dots and apostrophes,
 * with spaces and dashes of every kind as one, and a season in front written in one way.
 */
export const alikeKey = (name: string): string => {
  if (isUsual.test(name)) return name.toLowerCase()
  const [first = '', ...rest] = plainName(name).split(' ')
  return [readSeason(first), ...rest]
    .join(' ')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\u0300-\u036f.'"\u201c-\u201f`\u00b4\u00b7\u2018\u2019\u02bc]/g, '')
    .replace(/[ -]+/g, ' ')
    .trim()
}

/** The form in which the singular and the plural of a name's last word are one: Gold Refractor, Gold Refractors. */
export const pluralKey = (name: string): string => singular(alikeKey(name))

const singular = (key: string) => key.replace(/(?<=ch|sh|x)es$|(?<=[a-z]{2}[^s\W])s$/, '')

/** A parallel of the base set by its own name: `Base Gold Refractor` and `[Base] - Gold Refractor` are Gold Refractor. */
export const withoutBase = (name: string): string => name.replace(baseInFront, '')

const baseInFront =
  /^(?:\[base\]|base(?: set)?)(?: ?[-\u2013:] ?| )(?!(?:sets?|cards?|variations?|sp|ssp|autos?|autographs?)\b|\d)(?=.*\p{L})/iu

/** The form in which the parts of a release are one: without the base set in front, in the singular. */
export const partKey = (name: string): string => pluralKey(withoutBase(name))

/** A name with its last word in the plural, or in the singular if it is one. */
export const otherPlurals = (name: string): string[] => {
  const one = singular(name.toLowerCase())
  return one.length < name.length ? [name.slice(0, one.length)] : [`${name}s`, `${name}es`]
}

/** What else a part of a release may be called: with and without the base set in front, in the singular and in the plural. */
export const partSpellings = (name: string): string[] => {
  const bare = withoutBase(name)
  const all = [bare, ...otherPlurals(bare)].flatMap((each) => [each, `Base ${each}`])
  return all.filter((each) => each !== name)
}

/** Most names: words of letters and digits. */
const isUsual = /^[A-Za-z0-9]+(?: [A-Za-z0-9]+)*$/

/** Other spellings under which a name may be stored, besides its dashes: a season in other ways, and other quotes. */
export const otherSpellings = (name: string): string[] => {
  const [first = '', ...rest] = name.split(' ')
  const years = rest.length > 0 ? otherSeasons(readSeason(first)) : []
  const seasons = [readSeason(first), ...years].map((year) => [year, ...rest].join(' '))
  const quotes = /["\u201c-\u201f]/.test(name)
    ? [name.replace(/[\u201c-\u201f]/g, '"'), curled(name), name.replace(/["\u201c-\u201f]/g, '')]
    : []
  return [...new Set([...seasons, ...quotes])].filter((spelling) => spelling !== name)
}

/** A name with curly quotes. */
const curled = (name: string) => name.replace(/(^|[ (])["\u201e]/g, '$1\u201c').replaceAll('"', '\u201d')
