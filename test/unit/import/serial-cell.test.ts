import { describe, expect, test } from 'bun:test'
import { countsRows, readSerialCell } from '../../../src/catalog/import/read/rows/serial-cell.ts'
import { readItems } from './items.ts'

test('a copy of a print run says the print run; one of one is no copy', () => {
  expect(readSerialCell('12/99')).toEqual({ run: '/99', copy: '12/99', unread: null })
  expect(readSerialCell('/99')).toEqual({ run: '/99', copy: null, unread: null })
  expect(readSerialCell('1/1')).toEqual({ run: '/1', copy: null, unread: null })
  expect(readSerialCell('28746511')).toEqual({ run: null, copy: null, unread: '28746511' })
  expect(readSerialCell(null)).toEqual({ run: null, copy: null, unread: null })
})

test('numbers in order count the rows, print runs do not', () => {
  for (const cells of [
    ['1', '2'],
    ['1', '2', '3'],
    ['101', '102', '103'],
    ['1.0', '2.0', '3.0'],
  ])
    expect(countsRows(cells)).toBe(true)
  for (const cells of [[], ['1'], ['99', '100'], ['25', '50', '99'], ['1', '1'], ['1', 'x'], ['/1', '/2', '/3']])
    expect(countsRows(cells)).toBe(false)
})

describe('a column of', () => {
  const serialsIn = async (heading: string, ...cells: string[]) => {
    const { cards, notes, faults } = await readItems(
      [`Set Name,Card #,Player,${heading}`, ...cells.map((cell, at) => `S,${at + 1},Ann Lee,${cell}`)].join('\n'),
    )
    return {
      runs: cards.map(({ serialNumber }) => serialNumber),
      notes: notes.map(({ rule, text }) => `${rule} ${text}`),
      faults,
    }
  }

  test.each(['Serial', 'Serial #', 'Serial Number', 'Serial No.', 'serial_number', 'Copy', 'Copy #'])(
    'copies, %s, has print runs where it says them',
    async (heading) => {
      const { runs, notes, faults } = await serialsIn(
        heading,
        '1234/2011',
        '/99',
        '7 of 25',
        'xx/50',
        '1/1',
        '',
        '28746511',
        '12',
      )
      expect(faults).toEqual([])
      expect(runs).toEqual(['/2011', '/99', '/25', '/50', '/1', null, null, null])
      expect(notes).toEqual([
        'copy-number S: 1 1234/2011',
        'copy-number S: 3 7/25',
        `unread-serial S: 7 ${heading}: 28746511`,
        `unread-serial S: 8 ${heading}: 12`,
      ])
    },
  )

  test('print runs has them without a slash, too, and copies of them', async () => {
    expect(await serialsIn('Numbered', '12/99', '25', 'SN10')).toMatchObject({
      runs: ['/99', '/25', '/10'],
      notes: ['copy-number S: 1 12/99'],
    })
    expect((await serialsIn('Seq', '25', '50', '99')).runs).toEqual(['/25', '/50', '/99'])
  })

  test('counted rows is unread and named', async () => {
    const { runs, notes } = await serialsIn('Sequence', '1', '2', '3')
    expect(runs).toEqual([null, null, null])
    expect(notes).toEqual(['unread-column Sequence: counts the rows'])
    const rows = [1, 2, 3].map((at) => ({ set: 'S', number: at, player: 'Ann Lee', Sequence: at }))
    const json = await readItems(rows.map((row) => JSON.stringify(row)).join('\n'))
    expect(json.cards.map(({ serialNumber }) => serialNumber)).toEqual([null, null, null])
    expect(json.notes.map(({ rule, text }) => `${rule} ${text}`)).toEqual(['unread-column Sequence'])
  })

  test('copies of numbered cards has a number alone, too; 1 may mean yes', async () => {
    const { runs, notes, faults } = await serialsIn('Serial Numbered', '50', '12/99', '28746511', '1', 'Yes', '')
    expect([runs, faults]).toEqual([['/50', '/99', null, null, null, null], []])
    expect(notes).toEqual([
      'copy-number S: 2 12/99',
      ...['3 Serial Numbered: 28746511', '4 Serial Numbered: 1', '5 Serial Numbered: Yes'].map(
        (said) => `unread-serial S: ${said}`,
      ),
    ])
  })

  test.each(['Print Run', 'Serial #', 'Numbered', 'serial_number'])('%s has no print run of 0', async (heading) => {
    const { runs, notes, faults } = await serialsIn(heading, '0', '/0', '/50')
    expect([runs, faults]).toEqual([[null, null, '/50'], []])
    expect(notes).toEqual([
      expect.stringMatching(new RegExp(`^unread-serial S: 1 ${heading}: /?0$`)),
      `unread-serial S: 2 ${heading}: /0`,
    ])
  })

  test('copies gives way to none of print runs, which say it first', async () => {
    const { cards, notes } = await readItems(
      'Set Name,Card #,Player,Serial #,Sequence,Print Run\nS,1,Ann Lee,12/99,1,99\nS,2,Ann Lee,12/99,2,50\n',
    )
    expect(cards.map(({ serialNumber }) => serialNumber)).toEqual(['/99', '/50'])
    expect(notes.map(({ rule, text }) => `${rule} ${text}`)).toEqual([
      'unread-column Sequence: a second print_run',
      'copy-number S: 1 12/99',
      'serial-differs S: 2 /99',
      'copy-number S: 2 12/99',
    ])
  })

  test('copies refuses what a spreadsheet made of one', async () => {
    const { faults } = await serialsIn('Serial #', '25-Jan')
    expect(faults.map(({ reason }) => reason)).toEqual([expect.stringContaining('serial 25-Jan is a date')])
  })

  test('our own serial numbers is taken word for word', async () => {
    const { cards } = await readItems('set,number,player,serial_number\nS,1,Ann Lee,12/99\n')
    expect(cards.map(({ serialNumber }) => serialNumber)).toEqual(['12/99'])
  })
})
