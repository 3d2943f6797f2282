import { describe, expect, test } from 'bun:test'
import { zipSync } from 'fflate'
import { countUnpacked } from '../../../../src/catalog/import/read/source/unpack.ts'
import { aWorkbook, type Cell } from '../../../support/workbook.ts'
import { asZip64, changed, streamed, withEntries } from '../../../support/zip.ts'
import { readItems } from '../items.ts'
import { aSheet, relationsPart, sheetPart, sheetsOf } from './sheets.ts'

const rows: Cell[][] = [
  ['set', 'number', 'player'],
  ['Refused', 1, 'Ann Lee'],
]
const good = Buffer.from(aWorkbook({ S: rows }))
const damaged = 'it is damaged or not a workbook'
const tooLarge = 'a sheet spans more than 20,000,000 cells'

/** The good workbook with more rows. */
const more = (added: string) => changed(good, { [sheetPart]: (xml) => xml.replace('</sheetData>', `${added}$&`) })
const one = (cell: string) => more(`<row r="3">${cell}</row>`)
const inSheet = (from: string | RegExp, to: string) => changed(good, { [sheetPart]: (xml) => xml.replace(from, to) })

describe('a workbook is refused as a whole, in one sentence', () => {
  test.each<[string, Buffer, string]>([
    ['cut off', good.subarray(0, 900), damaged],
    ['cut off near its end', good.subarray(0, -10), damaged],
    ['without relations', changed(good, { [relationsPart]: null }), damaged],
    ['without a list of sheets', changed(good, { 'xl/workbook.xml': null }), damaged],
    ['without its sheet', changed(good, { [sheetPart]: null }), 'its sheet S is missing'],
    [
      'with a sheet of no relation',
      changed(good, { [relationsPart]: (xml) => xml.replace('rId1', 'rId7') }),
      'its sheet S is missing',
    ],
    [
      'whose sheet is itself',
      changed(good, { [relationsPart]: (xml) => xml.replace('worksheets/sheet1', 'workbook') }),
      damaged,
    ],
    ['whose XML breaks off', inSheet('</sheetData></worksheet>', ''), damaged],
    ['whose tags do not match', inSheet('</row>', '</raw>'), damaged],
    ['with an attribute that is never closed', inSheet('r="A1"', 'r="A1'), damaged],
    ['that is nested deeply', inSheet('<sheetData>', `${'<a>'.repeat(1000)}<sheetData>`), damaged],
    ['with an endless comment', inSheet('<sheetData>', `<!--${'x'.repeat(2e6)}<sheetData>`), damaged],
    [
      'with entities',
      inSheet(/<worksheet/, '<!DOCTYPE x [<!ENTITY a "aaa">]><worksheet'),
      'it has a document type, which no workbook has',
    ],
    ['with a row far down', more('<row r="99999999999"><c r="A99999999999"><v>1</v></c></row>'), tooLarge],
    ['with a column far out', one('<c r="ZZZZZZ1"><v>1</v></c>'), tooLarge],
    ['with a cell in the last corner', more('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>'), tooLarge],
    ['with a row in another form', more('<row r="1e9"><c><v>1</v></c></row>'), tooLarge],
    ['with a place that is none', one('<c r="11"><v>1</v></c>'), tooLarge],
    ['with a place behind another', one(`<c x=' r="A3"' r="XFDXFD3"><v>1</v></c>`), tooLarge],
    ['with many places left out', one('<c/>'.repeat(20_000)), tooLarge],
    ['with a row below zero', more('<row r="-3"><c><v>1</v></c></row>'), 'its rows are not in order'],
    ['with half a row', more('<row r="4.5"><c><v>1</v></c></row>'), 'its rows are not in order'],
    ['with a row twice', more('<row r="2"><c><v>1</v></c></row>'), 'its rows are not in order'],
    ['with a cell twice', one('<c r="A3"/><c r="A3"/>'), 'its cells are not in order'],
    ['with a number that is none', one('<c r="A3"><v>abc</v></c>'), 'cell A3 cannot be read'],
    ['with a day that is none', one('<c r="A3" s="1"><v>-1e300</v></c>'), 'cell A3 cannot be read'],
    ['with a style that it lacks', one('<c r="A3" s="99"><v>1</v></c>'), 'cell A3 cannot be read'],
    ['with a text that it lacks', one('<c r="A3" t="s"><v>0</v></c>'), 'cell A3 cannot be read'],
    ['with a kind of cell that there is not', one('<c r="A3" t="q"><v>1</v></c>'), 'cell A3 cannot be read'],
    [
      'with a password for its parts',
      withEntries(good, (zip, at) => zip.writeUInt16LE(1, at + 8)),
      'it has a password',
    ],
    [
      'that is packed in another way',
      withEntries(good, (zip, at) => zip.writeUInt16LE(12, at + 10)),
      'it is compressed in a way that cannot be read',
    ],
    ['whose parts are shorter than they are', withEntries(good, (zip, at) => zip.writeUInt32LE(1, at + 20)), damaged],
    [
      'whose parts are longer than the file',
      withEntries(good, (zip, at) => zip.writeUInt32LE(1 << 30, at + 20)),
      damaged,
    ],
    ['whose parts are elsewhere', withEntries(good, (zip, at) => zip.writeUInt32LE(1 << 30, at + 42)), damaged],
    [
      'with more sheets than there are',
      changed(good, { 'xl/workbook.xml': (xml) => xml.replace(/<sheet .*?\/>/, '$&'.repeat(1001)) }),
      'it has more than 1,000 sheets',
    ],
  ])('%s', async (_, book, reason) => {
    const { cards, faults } = await readItems(book, 'book.xlsx')
    expect(faults.map((fault) => fault.reason)).toEqual([`book.xlsx cannot be read as .xlsx: ${reason}.`])
    expect(cards).toEqual([])
  })

  test('an old one, or one with a password, in a zip, too', async () => {
    const old = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, ...Array(600).fill(0))
    expect((await readItems(zipSync({ 'a.xlsx': old }))).faults.map(({ reason }) => reason)).toEqual([
      'a.xlsx cannot be read as .xlsx: it is an old Excel workbook, or one with a password.',
    ])
  })

  test('one that is damaged behind its first rows, and one of random bytes', async () => {
    const many = [
      rows[0] ?? [],
      ...Array.from({ length: 3000 }, (_, no) => ['Refused', no, `Ann ${Bun.hash(`${no}`)}`]),
    ]
    const book = Buffer.from(aWorkbook({ S: many }))
    const middle = book.indexOf(sheetPart) + 30_000
    for (const bytes of [
      book.fill(0xff, middle, middle + 50),
      Buffer.concat([good.subarray(0, 60), Buffer.alloc(5000, 'PK')]),
    ]) {
      const { cards, faults } = await readItems(bytes)
      expect([cards.length, faults.map(({ reason }) => reason)]).toEqual([
        0,
        [`checklist cannot be read as .xlsx: ${damaged}.`],
      ])
    }
  })
})

test('a workbook is read however its zip is written, and whatever sizes that declares', async () => {
  const expected = await sheetsOf(good)
  expect(expected).toEqual({ S: ['"set","number","player"', '"Refused","1","Ann Lee"'] })
  for (const book of [
    changed(good, {}, 0),
    asZip64(good),
    streamed(good),
    Buffer.concat([good.subarray(0, -2), Buffer.from([4, 0]), Buffer.from('note')]),
    withEntries(good, (zip, at) => zip.writeUInt32LE(1, at + 24)),
    withEntries(good, (zip, at) => zip.writeUInt32LE(4_000_000_000, at + 24)),
  ])
    expect(await sheetsOf(book)).toEqual(expected)
})

describe('what a workbook unpacks to counts', () => {
  const most = 'It unpacks to more than 0.001 GB. The import ends here.'
  const read = (book: Uint8Array) => sheetsOf(book, countUnpacked(0.001).count)
  const long = (units: number) => 'x'.repeat(units)

  test.each<[string, Buffer]>([
    ['in a sheet', more(' '.repeat(2_000_000))],
    [
      'in a sheet that declares less',
      withEntries(more(' '.repeat(2_000_000)), (zip, at) => zip.writeUInt32LE(1, at + 24)),
    ],
    ['in a sheet that is not packed', changed(more(' '.repeat(2_000_000)), {}, 0)],
    ['in texts', aSheet('', { texts: `<si><t>${long(2_000_000)}</t></si>` })],
    [
      'in a text that many cells have',
      aSheet('<row><c t="s"><v>0</v></c></row>'.repeat(100), { texts: `<si><t>${long(20_000)}</t></si>` }),
    ],
    ['in styles', aSheet('', { 'xl/styles.xml': `<styleSheet>${' '.repeat(2_000_000)}</styleSheet>` })],
    ['in its list of sheets', aSheet('', { 'xl/workbook.xml': `<workbook>${' '.repeat(2_000_000)}</workbook>` })],
  ])('%s', (_, book) => expect(read(book)).rejects.toThrow(most))

  test('once, although it is read twice', async () => {
    await read(more(' '.repeat(900_000)))
  })
})

test('texts are bounded, because they are kept', async () => {
  const texts = `<si><t>${'x'.repeat(1 << 20)}</t></si>`.repeat(129)
  const { faults } = await readItems(aSheet('', { texts }))
  expect(faults.map(({ reason }) => reason)).toEqual([
    'checklist cannot be read as .xlsx: its texts are larger than 128 MiB.',
  ])
})

test('a large workbook is read while others get their turns, in small pieces', async () => {
  const many = Array.from({ length: 5000 }, (_, no) => ['Many rows', no, `Pat Player ${no}`, 'x'.repeat(40)])
  const workbook = aWorkbook({ S: [['set', 'number', 'player', 'notes'], ...many] })
  let [isDone, longest, last] = [false, 0, performance.now()]
  const started = last
  const reading = sheetsOf(workbook).finally(() => {
    isDone = true
  })
  while (!isDone) {
    await Bun.sleep(1)
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }
  expect((await reading).S).toHaveLength(5001)
  expect(longest).toBeLessThan((last - started) / 2)
})

test('a workbook that takes too long is refused', async () => {
  await expect(sheetsOf(good, undefined, 0)).rejects.toThrow('reading it takes more than 0 seconds')
})
