import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { lineInCell } from './lines.ts'
import { mostCells, spansTooMuch } from './sheet-span.ts'

/** A sheet of a workbook as CSV, one line per row. */
type Sheet = { name: string; csv: string }

/** A workbook that can't be read. The message is part of a sentence. */
export class BadWorkbook extends Error {}

/** The size limits of a workbook in bytes, because all of it is held in memory. */
const most = { packed: 32 * 1024 * 1024, unpacked: 512 * 1024 * 1024 }

/** Reads the sheets of an .xlsx. Dates become 2024-01-12, and errors such as #REF! stay as shown. Throws BadWorkbook. */
export const readSheets = async (bytes: AsyncIterable<Uint8Array>): Promise<Sheet[]> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of bytes) {
    length += piece.length
    if (length > most.packed) throw new BadWorkbook(`it is larger than ${most.packed >> 20} MiB`)
    pieces.push(piece)
  }
  // Loaded on demand: only workbooks need it.
  const { default: readXlsxFile } = await import('read-excel-file/universal')
  try {
    const sheets = await readXlsxFile(new Blob([withErrors(Buffer.concat(pieces))]), { trim: false })
    return sheets.map(({ sheet, data }) => ({ name: sheet, csv: data.map(lineOf).join('') }))
  } catch (error) {
    throw error instanceof BadWorkbook ? error : new BadWorkbook('it is damaged or not a workbook')
  }
}

/** The workbook with its errors stored as texts. Otherwise, the library would read them as empty cells. */
const withErrors = (workbook: Uint8Array): Uint8Array<ArrayBuffer> => {
  let unpacked = 0
  const files = unzipSync(workbook, {
    filter: ({ originalSize }) => {
      unpacked += originalSize
      if (unpacked > most.unpacked) throw new BadWorkbook(`it unpacks to more than ${most.unpacked >> 20} MiB`)
      return true
    },
  })
  for (const [name, content] of Object.entries(files)) {
    // A workbook may keep its sheets wherever it says.
    if (!Buffer.from(content.buffer, content.byteOffset, content.byteLength).includes('sheetData')) continue
    const sheet = strFromU8(content)
    if (spansTooMuch(sheet)) throw new BadWorkbook(`a sheet spans more than ${mostCells.toLocaleString('en-US')} cells`)
    files[name] = strToU8(sheet.replace(/ t="e"/g, ' t="str"'))
  }
  return new Uint8Array(zipSync(files, { level: 0 }))
}

const lineOf = (row: unknown[]) => `${row.map(cellOf).join(',')}\n`

const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ''
  const text = value instanceof Date ? value.toISOString().replace(/T00:00:00\.000Z$/, '') : String(value)
  return `"${text.replace(/[\r\n]+/g, lineInCell).replaceAll('"', '""')}"`
}
