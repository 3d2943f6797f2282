import { describe, expect, test } from 'bun:test'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { spansTooMuch } from '../../../src/catalog/import/read/source/sheet-span.ts'
import { BadWorkbook, readSheets } from '../../../src/catalog/import/read/source/sheets.ts'
import { aWorkbook } from '../../support/workbook.ts'
import { readItems } from './items.ts'

const row = (at: string, cells = '') => `<row r="${at}">${cells}</row>`
const filled = (at: string) => `<c r="${at}" t="inlineStr"><is><t>x</t></is></c>`
const sheet = (...rows: string[]) => `<worksheet><sheetData>${rows.join('')}</sheetData></worksheet>`

describe('a sheet spans', () => {
  test.each([
    ['nothing', sheet()],
    ['many rows', sheet(row('1', filled('A1')), row('1048576', filled('S1048576')))],
    ['many columns', sheet(row('1', filled('XFD1')), row('1200', filled('A1200')))],
    ['many columns, empty ones', sheet(row('1', '<c r="XFD1" s="3"/>'), row('1048576', filled('B1048576')))],
  ])('no more than is read: %s', (_, xml) => expect(spansTooMuch(xml)).toBe(false))

  test.each([
    ['a row far down', sheet(row('99999999999', filled('A99999999999')))],
    ['a cell in the last corner', sheet(row('1048576', filled('XFD1048576')))],
    ['a far column and a far row', sheet(row('1', filled('XFD1')), row('5000', filled('A5000')))],
    ['a number of another form', sheet(row('1e9', filled('A1')))],
    ['a place in characters by number', sheet(row('1', filled('&#88;FD1')))],
    ['a place behind another', sheet(row('1', `<c x=' r="A1"' r="XFDXFD1"><v>1</v></c>`))],
    ['tags with a prefix', sheet(`<x:row r="1048576"><x:c r="XFD1048576"><x:v>1</x:v></x:c></x:row>`)],
  ])('more than is read: %s', (_, xml) => expect(spansTooMuch(xml)).toBe(true))
})

test('a workbook with a cell far out is refused, wherever its sheet is', async () => {
  const parts = unzipSync(aWorkbook({ S: [['set', 'number', 'player', 'x']] }))
  const { 'xl/worksheets/sheet1.xml': inner, 'xl/_rels/workbook.xml.rels': rels, ...rest } = parts
  const far = strToU8(strFromU8(inner as Uint8Array).replace('r="D1"', 'r="D99999999999"'))
  const moved = strToU8(strFromU8(rels as Uint8Array).replace('worksheets/sheet1.xml', 'elsewhere.xml'))
  const books = [
    { ...parts, 'xl/worksheets/sheet1.xml': far },
    { ...rest, 'xl/_rels/workbook.xml.rels': moved, 'xl/elsewhere.xml': far },
  ]
  for (const book of books)
    expect((await readItems(zipSync(book))).faults.map(({ reason }) => reason)).toEqual([
      'checklist cannot be read as .xlsx: a sheet spans more than 20,000,000 cells.',
    ])
})

async function* once(bytes: Uint8Array) {
  yield bytes
}

test('a large workbook is read in a thread of its own, while others get their turns', async () => {
  const rows = Array.from({ length: 5000 }, (_, no) => ['Many rows', no, `Pat Player ${no}`, 'x'.repeat(40)])
  const workbook = aWorkbook({ S: [['set', 'number', 'player', 'notes'], ...rows] })
  let [isDone, longest, last] = [false, 0, performance.now()]
  const started = last
  const reading = readSheets(once(workbook)).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await Bun.sleep(1)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  expect((await reading)[0]?.csv.split('\n')).toHaveLength(5002)
  expect(longest).toBeLessThan((last - started) / 2)
})

test('a workbook that takes too long is refused', async () => {
  const reading = readSheets(once(aWorkbook({ S: [['set']] })), 0)
  await expect(reading).rejects.toThrow(new BadWorkbook('reading it takes more than 0 seconds'))
})
