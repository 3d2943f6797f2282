/** What a spreadsheet shows instead of a value: errors, or # signs if a column was too narrow. */
export const spreadsheetError =
  /^#(?:REF!|N\/A|VALUE!|DIV\/0!|NAME\?|NULL!|NUM!|SPILL!|CALC!|ERROR!|FIELD!|BLOCKED!|CONNECT!|UNKNOWN!|GETTING_DATA|#{2,})$/i

/** `7.0` is 7. `1.000` may be 1000, so it stays. */
export const wholeNumber = (text: string) => /^(\d+)\.0{1,2}$/.exec(text)?.[1] ?? text

/** `1,001` is 1001. */
export const withoutThousands = (text: string) => (/^\d{1,3}(?:,\d{3})+$/.test(text) ? text.replaceAll(',', '') : text)

/** `1.000` and `2.500`: the point may be a decimal point or a thousands separator. */
export const isEitherPoint = (text: string) => /^\d{1,3}\.\d{3}$/.test(text)

/** Months as spreadsheets shorten them: English and German, and in lower case French, Spanish and Italian. */
const month = `(?:${[
  'Jan|Feb|Mar|Mrz|Mär|Apr|May|Mai|Jun|Jul|Aug|Sept?|Oct|Okt|Nov|Dec|Dez',
  'janv?|févr?|mars?|avr|mai|juin|juil|août|sept?|oct|nov|déc|ene|feb|abr|may|jun|jul|ago|dic|gen|mag|giu|lug|ott',
].join('|')})\\.?`

/** Jan-12, 12-Jan, 12. Jan, 1/12/24, 2024-01-12, with or without a time, and a time alone. */
export const date = new RegExp(
  `^(?:${[
    `${month}[- ]\\d{1,4}`,
    `\\d{1,2}(?:-|\\. ?)${month}(?:[- ]\\d{2,4})?`,
    '(?:\\d{1,2}[/.]\\d{1,2}[/.]\\d{2,4}|\\d{1,2}-\\d{1,2}-\\d{4}|\\d{4}([-/.])\\d{1,2}\\1\\d{1,2})(?:[T ].*)?',
    '\\d{1,2}:\\d{2}(?::\\d{2})?(?: ?[AP]M)?',
  ].join('|')})$`,
)
export const exponent = /^\d(?:\.\d+)?E[+-]\d{1,3}$/i

/** Whether a text is a date from 1954 to 2064 as spreadsheets store it, a count of days. */
export const isDay = (text: string) => /^\d{5}$/.test(text) && Number(text) >= 20_000 && Number(text) <= 60_000
export const largestUsual = 10_000

/** The largest number that isn't a spreadsheet's date. Infinity if there is none. */
export const largestOf = (numbers: string[]) => {
  const plain = numbers.map(wholeNumber).filter((number) => /^\d{1,9}$/.test(number) && !isDay(number))
  return plain.length > 0 ? Math.max(...plain.map(Number)) : Number.POSITIVE_INFINITY
}
