import { attributesOf, readTags } from './xml.ts'

/** Whether numbers in cells of a style are dates. Undefined if there's no such style. */
export type AreDates = (style: number) => boolean | undefined

/** Reads which styles of a workbook show numbers as dates. Throws BadWorkbook. */
export const readStyles = async (pieces: AsyncIterable<string>): Promise<AreDates> => {
  const areDates: boolean[] = []
  const formats = new Map<number, string>()
  const bases: (number | undefined)[] = []
  let list = ''
  for await (const { kind, text: name, attributes } of readTags(pieces)) {
    if (name === 'cellStyleXfs' || name === 'cellXfs') list = kind === 'open' ? name : ''
    if (kind === 'close' || (name !== 'numFmt' && name !== 'xf')) continue
    const { numFmtId, formatCode = '', xfId = '' } = attributesOf(attributes)
    const format = numFmtId ? Number(numFmtId) : undefined
    if (name === 'numFmt' && format !== undefined) formats.set(format, formatCode)
    if (name === 'xf' && list === 'cellStyleXfs') bases.push(format)
    if (name === 'xf' && list === 'cellXfs')
      areDates.push(
        format === undefined
          ? isBuiltIn(Number(xfId) > 0 ? bases[Number(xfId)] : undefined)
          : isDate(format, formats.get(format)),
      )
  }
  return (style) => areDates[style]
}

/** Formats below this number have a meaning of their own, whatever a workbook says. */
const firstCustom = 100

/** The numbers of dates and times among the formats that need no code, those of East Asia and Thailand among them. */
const builtIn = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
  [71, 81],
] as const

const isBuiltIn = (format: number | undefined) =>
  format !== undefined && builtIn.some(([first, last]) => format >= first && format <= last)

const isDate = (format: number, code = '') => isBuiltIn(format) || (format >= firstCustom && isDateCode(code))

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
