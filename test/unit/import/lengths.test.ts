import { describe, expect, test } from 'bun:test'
import { readChecklist } from '../../../src/catalog/import/read/checklist.ts'
import { isInProportion } from '../../support/proportion.ts'
import { aWorkbook } from '../../support/workbook.ts'
import { collect, readItems } from './items.ts'

const read = async (text: string, name: string) => {
  const { cards, faults, notes } = await readItems(text, name)
  return {
    cards: cards.map(({ number }) => number),
    faults: faults.map(({ line, reason }) => [line, reason]),
    unread: notes.filter(({ rule }) => rule === 'unread-column').map((note) => note.text),
  }
}

const long = 'x'.repeat(10_001)

describe('a cell above 10,000 characters refuses its row, whatever is in it', () => {
  test.each(['set', 'number', 'player', 'team', 'title', 'notes', 'print_run', 'id:tcdb'])('%s', async (column) => {
    const names = [...new Set(['set', 'number', 'player', column])]
    const row = (no: number, more: Record<string, string> = {}) => ({
      set: 'S',
      number: `${no}`,
      player: 'Al Lee',
      ...more,
    })
    const cells = (each: Record<string, string>) => names.map((name) => each[name] ?? '').join(',')
    const rows = [row(1), row(2, { [column]: long }), row(3)]
    const reason = `${column} is longer than 10,000 characters`
    expect(await read([names.join(','), ...rows.map(cells), ''].join('\n'), 'a.csv')).toMatchObject({
      cards: ['1', '3'],
      faults: [[3, reason]],
    })
    expect(await read(rows.map((each) => JSON.stringify(each)).join('\n'), 'a.jsonl')).toMatchObject({
      cards: ['1', '3'],
      faults: [[2, reason]],
    })
  })

  test('one that no column reads may be of any length', async () => {
    expect(await read(`set,number,player,Essay\nS,1,Al Lee,${long}\n`, 'a.csv')).toMatchObject({
      cards: ['1'],
      faults: [],
    })
  })
})

test('refused rows have cells that are too long up to their limit, with a mark, and the others whole', async () => {
  const text = (player: string, essay: string) => `set,number,player,Essay\nS,1,${player},${essay}\n`
  const cellsOf = async (file: string) => (await readItems(file, 'a.csv')).faults.map(({ cells }) => cells)
  const cut = `${'x'.repeat(10_001)}…`
  const whole = { set: 'S', number: '1', Essay: 'short' }
  expect(await cellsOf(text('x'.repeat(300_000), 'short'))).toEqual([{ ...whole, player: cut }])
  expect(await cellsOf(text(`"${'x'.repeat(300_000)}"`, 'short'))).toEqual([{ ...whole, player: cut }])
  expect(await cellsOf(text('"Al" Lee', 'x'.repeat(300_000)))).toEqual([{ ...whole, player: '"Al" Lee', Essay: cut }])
  // The apostrophe in front of a formula doesn't count, and makes no cell short enough.
  const [row] = await cellsOf(text(`'=${'x'.repeat(300_000)}`, 'short'))
  const file = text(String(row?.player), 'short')
  expect(await read(file, 'a.csv')).toMatchObject({ faults: [[2, 'player is longer than 10,000 characters']] })
})

test('a heading above 200 characters is unread and named, with the limit', async () => {
  const heading = `${'Notes '.repeat(40)}`
  const unread = [`${heading.slice(0, 100)}… is longer than 200 characters`]
  expect(await read(`set,number,player,${heading}\nS,1,Al Lee,n\n`, 'a.csv')).toMatchObject({ cards: ['1'], unread })
  const json = JSON.stringify({ set: 'S', number: '1', player: 'Al Lee', [heading]: 'n' })
  expect(await read(json, 'a.jsonl')).toMatchObject({ cards: ['1'], unread })
})

describe('more than 1,000 columns', () => {
  const reason = 'the table has more than 1,000 columns; the limit is 1,000'
  const names = (count: number) => [
    'set',
    'number',
    'player',
    ...Array.from({ length: count - 3 }, (_, no) => `numbr${no}`),
  ]

  test('refuse the file, with the limit', async () => {
    const { cards, faults } = await read(`${names(1001).join(',')}\nS,1,Al Lee\n`, 'a.csv')
    expect([cards, faults]).toEqual([[], [[1, expect.stringContaining('1,001 columns; the limit is 1,000')]]])
    expect((await read(`${names(1000).join(',')}\nS,1,Al Lee\n`, 'a.csv')).cards).toEqual(['1'])
  })

  test('do not count where they have no heading', async () => {
    const commas = ','.repeat(16_000)
    expect(await read(`set,number,player${commas}\nS,1,Al Lee${commas}\n`, 'a.csv')).toMatchObject({
      cards: ['1'],
      faults: [],
    })
  })

  test('refuse an object of JSON Lines', async () => {
    const json = Object.fromEntries([...names(1001).map((name) => [name, 'x'])])
    expect((await read(JSON.stringify(json), 'a.jsonl')).faults).toEqual([
      [1, 'the object has 1,001 members; the limit is 1,000'],
    ])
  })

  test('by the hundred thousand are refused with that limit, in time that grows with their number', async () => {
    const readWide = (count: number) => read(`${names(count).join(',')}\nS,1,Al Lee\n`, 'a.csv')
    expect((await readWide(100_000)).faults).toEqual([[1, reason]])
    expect(
      await isInProportion(
        () => readWide(12_500),
        () => readWide(100_000),
      ),
    ).toBe(true)
  })

  test('by the hundred thousand below a title are refused with it, too', async () => {
    const text = `My cards\n\n${names(100_000).join(',')}\nS,1,Al Lee\n`
    const { faults } = await collect(readChecklist({ name: 'a.csv', stream: new Blob([text]).stream() }, {}))
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([[3, reason]])
  })

  test('refuse a workbook', async () => {
    const { cards, faults } = await readItems(aWorkbook({ Cards: [names(1001), ['S', '1', 'Al Lee']] }), 'a.xlsx')
    expect([cards, faults.map(({ reason }) => reason)]).toEqual([
      [],
      [expect.stringContaining('1,001 columns; the limit is 1,000')],
    ])
  })
})
