import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import readXlsxFile from 'read-excel-file/universal'
import { lineInCell } from './lines.ts'
import { mostCells, spansTooMuch } from './sheet-span.ts'

declare const self: { onmessage: (event: { data: Uint8Array }) => void }

/** A sheet of a workbook as CSV, one line per row. */
export type Sheet = { name: string; csv: string }

/** What the thread answers to the bytes of a workbook: its sheets, or what is wrong with it, as part of a sentence. */
export type Answer = { sheets: Sheet[] } | { wrong: string }

class BadWorkbook extends Error {}

/** How much a workbook may unpack to, in bytes, because all of it is held in memory. */
const mostUnpacked = 512 * 1024 * 1024

self.onmessage = async ({ data }) => postMessage(await read(data))

/** Dates become 2024-01-12, and errors such as #REF! stay as shown. */
const read = async (workbook: Uint8Array): Promise<Answer> => {
  try {
    const sheets = await readXlsxFile(new Blob([withErrors(workbook)]), { trim: false })
    return { sheets: sheets.map(({ sheet, data }) => ({ name: sheet, csv: data.map(lineOf).join('') })) }
  } catch (error) {
    return { wrong: error instanceof BadWorkbook ? error.message : 'it is damaged or not a workbook' }
  }
}

/** The workbook with its errors stored as texts. Otherwise, the library would read them as empty cells. */
const withErrors = (workbook: Uint8Array): Uint8Array<ArrayBuffer> => {
  let unpacked = 0
  const files = unzipSync(workbook, {
    filter: ({ originalSize }) => {
      unpacked += originalSize
      if (unpacked > mostUnpacked) throw new BadWorkbook(`it unpacks to more than ${mostUnpacked >> 20} MiB`)
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
