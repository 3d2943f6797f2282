import { describe, expect, test } from 'bun:test'
import { readItems } from './items.ts'

const rows = async (column: string, values: string[]) => {
  const names = [...new Set(['set', 'number', 'player', 'title', column])]
  const cells = (value: string, no: number) =>
    names.map((name) => `"${{ set: 'S', number: `${no}`, player: 'Al Lee', [column]: value }[name] ?? ''}"`).join(',')
  return readItems([names.join(','), ...values.map(cells), ''].join('\n'), 'a.csv')
}

const dates = [
  ...['Jan-12', '12-Jan', '12-Jan-24', 'January 12', 'Friday, January 12, 2024', 'Jan 12, 2024', '1/12/24 3:05 PM'],
  ...['12. Jan', '12. Mrz', '12. März 2024', 'Mai 24', 'Freitag, 12. Januar 2024', '12. Dezember'],
  ...['12-janv', '12 janv.', '12-févr', 'juil-24', '1er août 2024', 'vendredi 12 janvier 2024'],
  ...['12-ene', 'ene-12', '12 de enero de 2024', 'dic-24', '12/jan', 'fev/24', '12 de março de 2024', 'dez/24'],
  ...['12-gen', 'mag-24', '12 settembre 2024', '12-mrt', '12 maart 2024', 'mei-24', '12-okt'],
  ...['12-sty', 'sty-12', '12 stycznia 2024', '12 paź 2024', 'gru 24', '12-maj', '12 januari 2024', 'maj-24'],
  ...[
    '12. led',
    '12. ledna 2024',
    '2024. jan. 12',
    '12 Oca',
    'Ağu 24',
    '12.янв',
    '12 января 2024',
    '12 січня',
    '12 Ιαν',
  ],
  ...['1月12日', '2024年1月12日', '令和6年1月12日', '12月', '1월 12일', '2024년 1월 12일', '2024. 1. 12'],
]
const floats = ['1.00E+05', '1,00E+05', '1,2E-3', '3E+10']

describe('a date or a float that a spreadsheet made, in any of its languages, refuses its row', () => {
  test.each(['number', 'serial_number', 'player', 'team'])('as %s', async (column) => {
    const { cards, faults } = await rows(column, [...dates, ...floats])
    expect(cards.map((card) => card.number)).toEqual([])
    expect(faults).toHaveLength(dates.length + floats.length)
    for (const { reason } of faults) expect(reason).toMatch(/date|float/)
  })

  test('in JSON, too', async () => {
    const lines = [...dates, ...floats].map((number) => JSON.stringify({ set: 'S', number, player: 'Al Lee' }))
    const { cards, faults } = await readItems(lines.join('\n'), 'a.jsonl')
    expect([cards, faults.length]).toEqual([[], dates.length + floats.length])
  })
})

test('true titles, names and numbers with such words are none', async () => {
  const titles = ['May 24', 'January 12, 2024', '1月12日', 'Mars 12', 'March Madness']
  expect((await rows('title', titles)).cards.map(({ title }) => title)).toEqual(titles)
  const names = ['Jan Kowalski', 'April Ross', 'Mai Tanaka', 'Juni Kim', 'August Wilson', 'Marc 2nd']
  expect((await rows('player', names)).cards).toHaveLength(names.length)
  const numbers = ['MAR-12', 'JUN-1', 'SEP-7', 'DEC24', 'OCT-10', '1E5', 'T-1', 'RC-12', 'Maj-1a', 'A12月']
  expect((await rows('number', numbers)).cards.map(({ number }) => number)).toEqual(numbers)
})
