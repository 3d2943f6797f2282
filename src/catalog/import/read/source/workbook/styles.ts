import { type Format, formatOf } from './format.ts'
import { attributesOf, readTags } from './xml.ts'

/** How cells of a style are shown. Undefined if there's no such style. */
export type Styles = (style: number) => Format | undefined

/** Reads how the styles of a workbook show cells. Throws BadWorkbook. */
export const readStyles = async (pieces: AsyncIterable<string>): Promise<Styles> => {
  const styles: Format[] = []
  const codes = new Map<number, string>()
  const formats = new Map<number, Format>()
  const bases: (number | undefined)[] = []
  let list = ''
  const formatNumbered = (no: number) => {
    const known = formats.get(no) ?? formatOf(no, codes.get(no))
    formats.set(no, known)
    return known
  }
  for await (const { kind, text: name, attributes } of readTags(pieces)) {
    if (name === 'cellStyleXfs' || name === 'cellXfs') list = kind === 'open' ? name : ''
    if (kind === 'close' || (name !== 'numFmt' && name !== 'xf')) continue
    const { numFmtId, formatCode = '', xfId = '' } = attributesOf(attributes)
    const no = numFmtId ? Number(numFmtId) : undefined
    if (name === 'numFmt' && no !== undefined) codes.set(no, formatCode)
    if (name === 'xf' && list === 'cellStyleXfs') bases.push(no)
    if (name === 'xf' && list === 'cellXfs')
      styles.push(formatNumbered(no ?? (Number(xfId) > 0 ? bases[Number(xfId)] : undefined) ?? 0))
  }
  return (style) => styles[style]
}
