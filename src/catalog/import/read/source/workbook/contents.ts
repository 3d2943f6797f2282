import { BadWorkbook } from './bad-workbook.ts'
import { unescapeText } from './texts.ts'
import { attributesOf, readTags } from './xml.ts'

/** The parts that a workbook refers to, by id: what each is, such as `worksheet`, and its name. */
export type Relations = Map<string, { kind: string; part: string }>

/** Reads the relations of a workbook. Throws BadWorkbook. */
export const readRelations = async (pieces: AsyncIterable<string>): Promise<Relations> => {
  const relations: Relations = new Map()
  for await (const { kind, text, attributes } of readTags(pieces)) {
    if (kind === 'close' || text !== 'Relationship') continue
    const { Id = '', Type = '', Target = '' } = attributesOf(attributes)
    const part = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
    relations.set(Id, { kind: Type.slice(Type.lastIndexOf('/') + 1), part })
  }
  return relations
}

/** What a workbook lists: its sheets, with the ids of their relations, and whether its days are counted from 1904. */
export type Contents = { sheets: { name: string; id: string; isHidden: boolean }[]; is1904: boolean }

/** The most sheets, many times what a workbook has. */
const mostSheets = 1000

/** Reads what a workbook lists. Throws BadWorkbook. */
export const readContents = async (pieces: AsyncIterable<string>): Promise<Contents> => {
  const contents: Contents = { sheets: [], is1904: false }
  for await (const { kind, text, attributes } of readTags(pieces)) {
    if (kind === 'close') continue
    const { name, id = '', state = 'visible', date1904 = '' } = attributesOf(attributes)
    if (text === 'workbookPr') contents.is1904 ||= ['1', 'true'].includes(date1904)
    if (text === 'sheet' && name) contents.sheets.push({ name: unescapeText(name), id, isHidden: state !== 'visible' })
    if (contents.sheets.length > mostSheets) throw new BadWorkbook('it has more than 1,000 sheets')
  }
  return contents
}
