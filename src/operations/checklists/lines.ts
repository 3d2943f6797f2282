import { readChecklist } from '../../catalog/import/read/checklist.ts'
import type { ImportItem } from '../../catalog/import/read/item.ts'
import { findColumn } from '../../catalog/import/read/rows/row.ts'
import { findDelimiter, splitRecord } from '../../catalog/import/read/source/csv.ts'
import { type Fault, validationFailed } from '../../jsonapi/errors.ts'
import { isObject } from '../../jsonapi/json.ts'
import { capital } from '../../lib/capital.ts'

/** The columns of rows without a header. */
const usual = ['number', 'player', 'team', 'attributes']
/** Our own headings, so that no member of a row is one by accident. */
const ownHeadings = { id: 'cardstock_set_id', name: 'cardstock_set' }
const map = { [ownHeadings.id]: 'set_id', [ownHeadings.name]: 'set' } as const

/** The set that rows are added to. */
type Into = { id: string; name: string }

/**
 * Rows of a checklist as the items of an import into a set: CSV rows, of which the first may be a header, and objects. 422 with a
 * fault for each that can't be read, so that all of them are added, or none.
 */
export const readLines = async (lines: unknown[], into: Into): Promise<ImportItem[]> => {
  const faults: Fault[] = []
  const at = (index: number, detail: string) => void faults.push({ pointer: `/data/attributes/lines/${index}`, detail })
  const texts: { index: number; text: string }[] = []
  const objects: { index: number; text: string }[] = []
  for (const [index, line] of lines.entries()) {
    if (typeof line === 'string' && /[\r\n\u2028\u2029]/.test(line)) at(index, 'Must be one line.')
    else if (typeof line === 'string') texts.push({ index, text: line })
    else if (isObject(line) && line !== null) objects.push({ index, text: JSON.stringify(objectIn(line, into)) })
    else at(index, 'Must be a CSV row or an object.')
  }
  if (faults.length > 0) throw validationFailed(faults)
  const { header, rows } = tableOf(texts, into)
  const items = [
    ...(rows.length > 0 ? await collect(`${header}\n`, rows, 'lines.csv', 2, at) : []),
    ...(objects.length > 0 ? await collect('', objects, 'lines.jsonl', 1, at) : []),
  ]
  if (faults.length > 0) throw validationFailed(faults)
  return items.filter((item) => item.kind !== 'set' || item.id !== into.id)
}

const objectIn = (line: object, { id, name }: Into) => ({
  ...Object.fromEntries(Object.entries(line).filter(([name]) => !ofSets.has(String(findColumn(name))))),
  [ownHeadings.id]: id,
  [ownHeadings.name]: name,
})

/** What says the set elsewhere. Here, the URL says it. */
const ofSets: ReadonlySet<string> = new Set(['set', 'set_id', 'parent_set'])

/** CSV rows as a table with the set in front, under their own header or the usual one. */
const tableOf = (texts: { index: number; text: string }[], { id, name }: Into) => {
  const [first] = texts
  const delimiter = findDelimiter(first?.text ?? '')
  const record = first && splitRecord(first.text, delimiter)
  const cells = record && 'cells' in record ? record.cells.filter((cell) => cell.trim() !== '') : []
  const columns = cells.map(findColumn)
  const isHeader = columns.length > 0 && columns.every((column) => column !== null) && columns.includes('number')
  const heading = isHeader ? (first?.text ?? '') : usual.join(delimiter)
  const inFront = [id, `"${name.replaceAll('"', '""')}"`].join(delimiter)
  return {
    header: [ownHeadings.id, ownHeadings.name, heading].join(delimiter),
    rows: (isHeader ? texts.slice(1) : texts).map(({ index, text }) => ({
      index,
      text: text.trim() === '' ? '' : `${inFront}${delimiter}${text}`,
    })),
  }
}

const collect = async (
  header: string,
  rows: { index: number; text: string }[],
  name: string,
  firstLine: number,
  at: (index: number, detail: string) => void,
): Promise<ImportItem[]> => {
  const text = header + rows.map((row) => row.text).join('\n')
  const items: ImportItem[] = []
  for await (const item of readChecklist({ name, stream: streamOf(text) }, { map, encoding: 'utf-8' }))
    if (item.kind === 'fault') at(rows[item.line - firstLine]?.index ?? 0, said(item.reason))
    else items.push(item)
  return items
}

const said = (reason: string) => `${capital(reason)}${/[.!?]$/.test(reason) ? '' : '.'}`

async function* streamOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}
