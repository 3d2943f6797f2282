import { strToU8, zipSync } from 'fflate'

/** A cell of a workbook: a text, a number, a day as spreadsheets count them, an error, or nothing. */
export type Cell = string | number | { day: number } | { error: string } | null

const head = '<?xml version="1.0" encoding="UTF-8"?>'
const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const documents = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const packages = 'http://schemas.openxmlformats.org/package/2006'
const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** A workbook (.xlsx) with these sheets by name. */
export const aWorkbook = (sheets: Record<string, Cell[][]>): Uint8Array => {
  const numbered = Object.keys(sheets).map((name, index) => ({ name, no: index + 1 }))
  const parts: Record<string, string> = {
    '[Content_Types].xml': `<Types xmlns="${packages}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${sheetType}.sheet.main+xml"/>${numbered.map(({ no }) => `<Override PartName="/xl/worksheets/sheet${no}.xml" ContentType="${sheetType}.worksheet+xml"/>`).join('')}</Types>`,
    '_rels/.rels': `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${documents}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${documents}"><sheets>${numbered.map(({ name, no }) => `<sheet name="${name}" sheetId="${no}" r:id="rId${no}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships xmlns="${packages}/relationships">${numbered.map(({ no }) => `<Relationship Id="rId${no}" Type="${documents}/worksheet" Target="worksheets/sheet${no}.xml"/>`).join('')}<Relationship Id="rId99" Type="${documents}/styles" Target="styles.xml"/></Relationships>`,
    'xl/styles.xml': `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/></cellXfs></styleSheet>`,
  }
  for (const [index, rows] of Object.values(sheets).entries())
    parts[`xl/worksheets/sheet${index + 1}.xml`] =
      `<worksheet xmlns="${main}"><sheetData>${rows.map(rowOf).join('')}</sheetData></worksheet>`
  return zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(head + xml)])))
}

/** The letters of a column: A, Z, AA, AAA. */
const lettersOf = (column: number): string =>
  (column < 26 ? '' : lettersOf(Math.floor(column / 26) - 1)) + String.fromCharCode(65 + (column % 26))

const rowOf = (cells: Cell[], index: number) =>
  `<row r="${index + 1}">${cells.map((cell, column) => cellOf(cell, `${lettersOf(column)}${index + 1}`)).join('')}</row>`

const cellOf = (cell: Cell, at: string) => {
  if (cell === null) return ''
  if (typeof cell === 'string') return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`
  return 'day' in cell ? `<c r="${at}" s="1"><v>${cell.day}</v></c>` : `<c r="${at}" t="e"><v>${cell.error}</v></c>`
}
