import { format, getFormatDateInfo } from 'numfmt'

/** How a cell is shown: a date as one, or else a number, or a text, as `show` says. Without `show` it's shown as it is. */
export type Format = { isDate: boolean; show?: (value: number | string) => string }

/** The longest code of a format, as in Excel. */
const longestCode = 255

/**
 * The format of a number that a workbook gives it, with its code if it has one of its own. A date is shown as one in ISO 8601,
 * unless its format shows only the year.
 */
export const formatOf = (no: number, ownCode?: string): Format => {
  const code = builtInCodes[no] ?? (no < firstCustom && ownCode === undefined ? general : (ownCode ?? general))
  const isDate = isBuiltInDate(no) || (no >= firstCustom && isDateCode(code))
  const isShown = isDate ? showsYear(code) : !/^(?:general|standard|@)?$/i.test(code)
  return isShown && code.length <= longestCode ? { isDate: false, show: shownBy(code, isDate) } : { isDate }
}

const general = 'General'

/** A code that can't be read shows a value as it is. */
const shownBy = (code: string, isDate: boolean) => (value: number | string) => {
  if (typeof value === 'string' && (isDate || !showsText(code))) return value
  try {
    return format(code, value).replace(/\s+/g, ' ').trim()
  } catch {
    return `${value}`
  }
}

/** Whether a format has a part for texts. */
const showsText = (code: string) => code.includes('@') || code.split(';').length > 3

const showsYear = (code: string): boolean => {
  try {
    const { clockType: _, ...parts } = getFormatDateInfo(code)
    return parts.year && Object.values(parts).filter(Boolean).length === 1
  } catch {
    return false
  }
}

/** The formats of numbers that need no code. Those of money have the dollar sign, whatever the country. */
const builtInCodes: Partial<Record<number, string>> = {
  1: '0',
  2: '0.00',
  3: '#,##0',
  4: '#,##0.00',
  9: '0%',
  10: '0.00%',
  11: '0.00E+00',
  12: '# ?/?',
  13: '# ??/??',
  37: '#,##0;(#,##0)',
  38: '#,##0;(#,##0)',
  39: '#,##0.00;(#,##0.00)',
  40: '#,##0.00;(#,##0.00)',
  48: '##0.0E+0',
}

/** Formats below this number have a meaning of their own. */
const firstCustom = 100

/** The numbers of dates and times among the formats that need no code, those of East Asia and Thailand among them. */
const dates = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const

const isBuiltInDate = (no: number) => dates.some(([first, last]) => no >= first && no <= last)

/** Whether the code of a format, such as `d. mmm yyyy`, shows a date or a time: one of its parts has their letters and no others. */
const isDateCode = (code: string): boolean =>
  code
    .toLowerCase()
    .replace(/;@$/, '')
    .replace(/\\./g, ' ')
    .split(';')
    .some((part) => {
      const words = part
        .replace(/"[^"]*"/g, ' ')
        .replace(/(\[?[smhd]{1,2}\]?)[.,]0{1,3}/g, '$1')
        .replace(/\[([smhd]{1,2})\]/g, '$1')
        .replace(/\[[^\]]*\]/g, '')
        .match(/[a-z0#?%]+/g)
      return words?.every((word) => letters.test(word)) ?? false
    })

const letters = /^(?:s{1,2}|m{1,5}|h{1,2}|d{1,4}|yy?|yyyy|[ap]m?|a{3,5}|ee?|eeee)$/
