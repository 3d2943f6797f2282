import { mapInTurns } from '../../../../lib/yield-to-event-loop.ts'

/** What a spreadsheet shows instead of a value: errors, or # signs if a column was too narrow. */
export const spreadsheetError =
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|ERROR!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|#{2,})$/i

/** `7.0` is 7. `1.000` may be 1000, so it stays. */
export const wholeNumber = (text: string) => /^(\d+)\.0{1,2}$/.exec(text)?.[1] ?? text

/** `1,001` is 1001. */
export const withoutThousands = (text: string) => (/^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text)

/** `1.000` and `2.500`: the point may be a decimal point or a thousands separator. */
export const isEitherPoint = (text: string) => /^\d{1,3}\.\d{3}$/.test(text)

/** The languages of spreadsheets in which months are words. */
const languages = 'en de fr es pt it nl pl sv da nb fi cs sk hu hr sl ro tr ru uk bg el ca et lv lt id vi'.split(' ')

/** How spreadsheets shorten months where the languages themselves do it otherwise: German and English ones, and French. */
const ownMonths = 'Mrz Mär Sep Sept Okt Dez sep sept déc juil dec des'.split(' ')

/** The words for a part of dates in a language, alone and within a date, where some decline. */
const wordsOf = (part: 'month' | 'weekday', language: string) =>
  (['short', 'long'] as const).flatMap((length) =>
    [{ [part]: length }, { [part]: length, day: 'numeric' as const }].flatMap((shown) => {
      const format = new Intl.DateTimeFormat(language, { ...shown, timeZone: 'UTC' })
      return Array.from({ length: 12 }, (_, month) => wordIn(format, part, Date.UTC(2024, month, 1 + month)))
    }),
  )

type DateWords = { months: string[]; weekdays: string[] }

const dateWordsOf = (language: string): DateWords => ({
  months: wordsOf('month', language),
  weekdays: wordsOf('weekday', language),
})

const wordIn = (format: Intl.DateTimeFormat, part: string, time: number) =>
  (format.formatToParts(time).find(({ type }) => type === part)?.value ?? '').replace(/\.$/, '')

/** Any of some words, those of letters alone: the longest first. */
const anyOf = (words: string[]) =>
  [...new Set(words)]
    .filter((word) => /^\p{L}{2,}$/u.test(word))
    .toSorted((one, other) => other.length - one.length)
    .join('|')

/**
 * Jan-12, 12-Jan, 12. Jan, 12 de enero de 2024, sty 12, 1月12日, 1/12/24, 2024-01-12, with or without a day of the week or a
 * time, and a time alone: dates as spreadsheets write them in any language.
 */
const readDates = (words: DateWords[]) => {
  const month = `(?:${anyOf([...words.flatMap(({ months }) => months), ...ownMonths])})\\.?`
  const weekday = `(?:${anyOf(words.flatMap(({ weekdays }) => weekdays))})\\.?,? `
  const between = "(?: de | d['’]|, |\\. |[-/. ])"
  const clock = '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[AP]M)?'
  return new RegExp(
    `^(?:${weekday})?(?:${[
      `${month}${between}\\d{1,4}(?:,? \\d{4})?`,
      `\\d{1,2}(?:º|er)?${between}${month}(?:${between}\\d{2,4})?`,
      `\\d{4}${between}${month}(?:${between}\\d{1,2}\\.?)?`,
      '(?:\\p{L}{0,2}\\d{1,4}[年년] ?)?\\d{1,2}[月월](?: ?\\d{1,2}[日일])?',
      '(?:\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}|\\d{1,2}-\\d{1,2}-\\d{4}|\\d{4}([-/.])\\d{1,2}\\1\\d{1,2}|\\d{4}\\. \\d{1,2}\\. \\d{1,2}\\.?)(?:[T ].*)?',
      clock,
    ].join('|')})(?:,? ${clock})?$`,
    'u',
  )
}

let dates: RegExp | undefined

/** Prepares what finds dates, which takes a tenth of a second, while others have their turns. */
export const prepareDates = async () => {
  dates ??= readDates(await mapInTurns(languages, dateWordsOf))
}

/** Whether a text is a date or a time as spreadsheets write them. Most texts can't be, and nothing looks further into those. */
export const isDate = (text: string): boolean => {
  if (text.length > longestDate || !/\d/.test(text)) return false
  dates ??= readDates(languages.map(dateWordsOf))
  return dates.test(text)
}

/** Longer than any date in words. */
const longestDate = 60

/** `1.00E+05`, and `1,00E+05` where the comma is the decimal point. */
export const exponent = /^\d(?:[.,]\d+)?E[+-]\d{1,3}$/i

/** Whether a text is a date from 1954 to 2064 as spreadsheets store it, a count of days. */
export const isDay = (text: string) => /^\d{5}$/.test(text) && Number(text) >= 20_000 && Number(text) <= 60_000
export const largestUsual = 10_000

/** The largest number that isn't a spreadsheet's date. Infinity if there is none. */
export const largestOf = (numbers: string[]) => {
  const plain = numbers.map(wholeNumber).filter((number) => /^\d{1,9}$/.test(number) && !isDay(number))
  return plain.length > 0 ? Math.max(...plain.map(Number)) : Number.POSITIVE_INFINITY
}
