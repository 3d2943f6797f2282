import { takeIn } from '../../../../src/catalog/import/read/source/at-hand.ts'
import { readWorkbook } from '../../../../src/catalog/import/read/source/workbook/workbook.ts'
import { aWorkbook } from '../../../support/workbook.ts'
import { changed } from '../../../support/zip.ts'

/** The name of the first sheet's part, and of the parts that say where the others are. */
export const sheetPart = 'xl/worksheets/sheet1.xml'
export const relationsPart = 'xl/_rels/workbook.xml.rels'
export const textsPart = 'xl/sharedStrings.xml'

/** The sheets of a workbook, with their lines. */
export const sheetsOf = async (
  workbook: Uint8Array,
  count: (bytes: number) => void = () => undefined,
  mostSeconds?: number,
) => {
  const stream = async function* () {
    for (let at = 0; at < workbook.length; at += 1000) yield workbook.subarray(at, at + 1000)
  }
  const read: Record<string, string[]> = {}
  for (const { name, csv } of await readWorkbook(await takeIn(stream()), count, { mostSeconds })) {
    const pieces = await Array.fromAsync(csv ?? [])
    read[name] = Buffer.concat(pieces).toString().split('\n').slice(0, -1)
  }
  return read
}

/** A workbook with one sheet of these rows, as XML, and texts that its cells share. */
export const aSheet = (rows: string, { texts, ...parts }: Partial<Record<string, string>> = {}): Buffer =>
  changed(aWorkbook({ S: [] }), {
    [sheetPart]: () => `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
    ...(texts === undefined
      ? {}
      : { [textsPart]: () => `<sst>${texts}</sst>`, [relationsPart]: (xml) => withTexts(xml) }),
    ...Object.fromEntries(Object.entries(parts).map(([name, xml = '']) => [name, () => xml])),
  })

const withTexts = (relations: string) =>
  relations.replace(
    '</Relationships>',
    '<Relationship Id="rId98" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
  )
