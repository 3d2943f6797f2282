import { describe, expect, test } from 'bun:test'
import { aWorkbook, type Cell } from '../../../support/workbook.ts'
import { changed } from '../../../support/zip.ts'
import { inShort, readItems } from '../items.ts'
import { aSheet, sheetPart, sheetsOf } from './sheets.ts'

/** A workbook of these rows, with more XML behind and before them. */
const withLayout = (rows: Cell[][], { behind = '', before = '', hiddenRows = [] as number[] }) =>
  changed(aWorkbook({ S: rows }), {
    [sheetPart]: (xml) =>
      hiddenRows
        .reduce((all, row) => all.replace(`<row r="${row}"`, `$& hidden="1"`), xml)
        .replace('<sheetData>', `${before}<sheetData>`)
        .replace('</sheetData>', `</sheetData>${behind}`),
  })

const merged = (...refs: string[]) =>
  `<mergeCells>${refs.map((ref) => `<mergeCell ref="${ref}"/>`).join('')}</mergeCells>`

const cardsOf = async (book: Uint8Array, hidden = false) => {
  const { cards, faults, notes } = await readItems(book, 'book.xlsx', { hidden })
  return {
    cards: cards.map((card) => [card.number, inShort(card).join(), card.serialNumber]),
    faults: faults.map(({ line, reason }) => `${line} ${reason}`),
    notes: notes.map(({ rule, text }) => `${rule} ${text}`),
  }
}

describe('a merged cell', () => {
  test('has its value in all of its cells, down the rows', async () => {
    const rows = [
      ['Set', 'Card #', 'Player', 'Team', 'Print Run'],
      ['S', 1, 'Ann Lee', 'Mets', 99],
      [null, 2, 'Bo Lee'],
      [null, 3, 'Cy Lee'],
      [null, 4, 'Dy Lee', 'Cubs'],
    ]
    expect(await cardsOf(withLayout(rows, { behind: merged('A2:A5', 'D2:D4', 'E2:E3') }))).toEqual({
      cards: [
        ['1', 'Ann Lee @ Mets', '/99'],
        ['2', 'Bo Lee @ Mets', '/99'],
        ['3', 'Cy Lee @ Mets', null],
        ['4', 'Dy Lee @ Cubs', null],
      ],
      faults: [],
      notes: [],
    })
  })

  test('over two columns has it in both; of a title, a section and a total it stays one', async () => {
    const rows = [
      ['1990 Fleer'],
      ['Set', 'Card #', 'Player', 'RC', 'Auto'],
      ['Base Set'],
      ['S', 1, 'Ann Lee', 'x'],
      ['Inserts', null, null, null, '10 cards'],
      ['S', 2, 'Bo Lee'],
    ]
    const { cards, faults } = await readItems(
      withLayout(rows, { behind: merged('A1:E1', 'A3:E3', 'D4:E4', 'A5:D5') }),
      'book.xlsx',
    )
    expect(cards.map(({ number, attributes }) => [number, ...attributes])).toEqual([['1', 'RC', 'AU'], ['2']])
    expect(faults.map(({ line }) => line)).toEqual([5])
  })

  test('of a header over two rows', async () => {
    const rows = [
      ['Set', 'Card #', 'Who'],
      [null, null, 'Player', 'Team'],
      ['S', 1, 'Ann Lee', 'Mets'],
    ]
    const { cards, faults } = await cardsOf(withLayout(rows, { behind: merged('A1:A2', 'B1:B2', 'C1:D1') }))
    expect([cards, faults]).toEqual([[['1', 'Ann Lee @ Mets', null]], []])
  })

  test('gives nothing to rows that are empty, and is no wider than the table', async () => {
    const rows = [
      ['Set', 'Card #', 'Player'],
      ['S', 1, 'Ann Lee'],
    ]
    const book = withLayout(rows, { behind: merged('A2:A9', 'C2:XFD2', 'A7:XFD1048576') })
    expect(await sheetsOf(book)).toEqual({ S: ['"Set","Card #","Player"', '"S","1","Ann Lee"'] })
  })

  test('by the hundred thousand over each other is refused', async () => {
    const cells = '<row><c><v>1</v></c></row>'.repeat(3000)
    const sheet = `<worksheet><sheetData>${cells}</sheetData>${merged(...Array(10_000).fill('A1:C3000'))}</worksheet>`
    const book = changed(aSheet(''), { [sheetPart]: () => sheet })
    await expect(sheetsOf(book)).rejects.toThrow('a sheet spans more than')
  })
})

describe('a number is what its format shows', () => {
  const shown = async (code: string, cell: string) => {
    const styles = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${code.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')}"/></numFmts><cellXfs><xf/><xf numFmtId="164"/></cellXfs></styleSheet>`
    const { S } = await sheetsOf(aSheet(`<row>${cell}<c><v>1</v></c></row>`, { 'xl/styles.xml': styles }))
    return S?.[0]?.replace(/,?"1"$/, '').replace(/^"|"$/g, '')
  }

  test.each([
    ['000', 7, '007'],
    ['"RC-"0', 8, 'RC-8'],
    ['0"/"00', 199, '1/99'],
    ['"/"0', 25, '/25'],
    ['\\#0', 5, '#5'],
    ['#,##0', 1234, '1,234'],
    ['0.0', 7, '7.0'],
    ['@', 7, '7'],
    ['0%', 0.5, '50%'],
    ['# ?/?', 1.5, '1 1/2'],
    ['0;[Red]"-"0', -3, '-3'],
    ['[Red]000', 5, '005'],
    ['[<100]"A-"0;"B-"0', 150, 'B-150'],
    ['[$-409]"No. "General', 3, 'No. 3'],
    ['0;0;"none"', 0, 'none'],
    [';;;', 5, ''],
    ['yyyy', 45303, '2024'],
    ['"Topps "yyyy', 45303, 'Topps 2024'],
    ['mmm-yy', 45303, '2024-01-12'],
    ['d. mmm', 45303, '2024-01-12'],
    ['General', 123456789012345, '123456789012345'],
    ['General', 0.1 + 0.2, '0.3'],
    ['no "format', 7, '7'],
    [`${'0'.repeat(256)}`, 7, '7'],
  ])('%s', async (code, value, text) => {
    expect(await shown(code, `<c s="1"><v>${value}</v></c>`)).toBe(text)
  })

  test('and a text, too, if the format has a part for texts', async () => {
    const text = (code: string) => shown(code, '<c s="1" t="inlineStr"><is><t>8a</t></is></c>')
    expect([await text('"RC-"@'), await text('000'), await text('0;0;0;"#"@')]).toEqual(['RC-8a', '8a', '#8a'])
  })
})

describe('a formula without a stored value', () => {
  const row = (cells: string) => `<row>${cells}</row>`
  const text = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`
  const header = row(['set', 'number', 'player', 'Price'].map(text).join(''))

  test.each([
    ['no value', '<c><f>1+1</f></c>', true],
    ['an empty value', '<c><f>1+1</f><v></v></c>', true],
    ['an empty tag', '<c><f>1+1</f><v/></c>', true],
    ['no text', '<c t="str"><f>A1</f></c>', true],
    ['a shared formula', '<c><f t="shared" si="0"/></c>', true],
    ['a value', '<c><f>1+1</f><v>2</v></c>', false],
  ])('refuses its row: %s', async (_, cell, isRefused) => {
    const { cards, faults } = await cardsOf(aSheet(header + row(text('S') + cell + text('Ann Lee'))))
    expect(cards).toHaveLength(isRefused ? 0 : 1)
    expect(faults).toEqual(
      isRefused
        ? ['2 number is a formula without a stored value: open the workbook in a spreadsheet program and save it']
        : [],
    )
  })

  test('does not, in a column that is not read, nor if its value is an empty text', async () => {
    const cells = `${text('S')}<c><v>1</v></c>${text('Ann Lee')}<c><f>2*2</f></c>`
    expect(await cardsOf(aSheet(header + row(cells)))).toMatchObject({ cards: [['1', 'Ann Lee', null]], faults: [] })
    const empty = `${text('S')}<c t="str"><f>A1</f><v></v></c>${text('Ann Lee')}`
    expect(await cardsOf(aSheet(header + row(empty)))).toMatchObject({ cards: [[null, 'Ann Lee', null]], faults: [] })
  })
})

describe('what is hidden in a workbook is not read, and is named', () => {
  const rows = [
    ['Set', 'Card #', 'Player', 'Team'],
    ['S', 1, 'Ann Lee', 'Mets'],
    ['S', 2, 'Bo Lee', 'Mets'],
    ['S', 3, 'Cy Lee', 'Mets'],
    ['S', 4, 'Dy Lee', 'Mets'],
  ]
  const not = 'not read without the option hidden'

  test('rows, those of a filter among them', async () => {
    const book = withLayout(rows, { hiddenRows: [2, 4, 5] })
    expect(await cardsOf(book)).toEqual({
      cards: [['2', 'Bo Lee @ Mets', null]],
      faults: [],
      notes: [`hidden hidden rows 2, 4–5: ${not}`],
    })
    expect((await cardsOf(book, true)).cards.map(([number]) => number)).toEqual(['1', '2', '3', '4'])
    expect((await cardsOf(book, true)).notes).toEqual([])
  })

  test('columns', async () => {
    const book = withLayout(rows.slice(0, 2), { before: '<cols><col min="4" max="9" hidden="1"/></cols>' })
    expect(await cardsOf(book)).toEqual({
      cards: [['1', 'Ann Lee', null]],
      faults: [],
      notes: [`hidden hidden columns D (Team): ${not}`],
    })
    expect((await cardsOf(book, true)).cards).toEqual([['1', 'Ann Lee @ Mets', null]])
  })

  test.each(['hidden', 'veryHidden'])('sheets that are %s', async (state) => {
    const book = changed(aWorkbook({ S: rows, Old: rows }), {
      'xl/workbook.xml': (xml) => xml.replace('name="Old"', `$& state="${state}"`),
    })
    const { all, cards, notes } = await readItems(book, 'book.xlsx')
    expect([cards.length, notes.map(({ file, text }) => [file, text])]).toEqual([
      4,
      [['book.xlsx: Old', `the sheet is hidden: ${not}`]],
    ])
    expect(all.filter(({ kind }) => kind === 'fault')).toEqual([])
    expect(
      (await readItems(book, 'book.xlsx', { hidden: true })).all.filter(({ kind }) => kind === 'file'),
    ).toHaveLength(2)
  })

  test('but a merged cell that begins there shows its value below', async () => {
    const book = withLayout(
      rows.map(([set, ...others], at) => [at < 2 ? (set ?? null) : null, ...others]),
      {
        behind: merged('A2:A5'),
        hiddenRows: [2],
      },
    )
    expect((await cardsOf(book)).cards.map(([number]) => number)).toEqual(['2', '3', '4'])
  })
})
