import { expect, test } from 'bun:test'
import { readItems } from './items.ts'

const header = 'set,number,player,title'
const read = async (...rows: string[]) => {
  const { cards, faults } = await readItems([header, ...rows, ''].join('\n'), 'quotes.csv')
  return {
    cards: cards.map(({ number, title }) => [number, title]),
    faults: faults.map(({ line, reason }) => [line, reason]),
  }
}

const behind = 'there is text behind a closing quote'
const backslash = 'there is a backslash before a quote'

test.each([
  ['S,1,Ann Lee,"The "Kid" Returns"', behind],
  ['"S" Club,1,Ann Lee,Title', behind],
  ['S,1,"Ann" Lee,Title', behind],
  [String.raw`S,1,Ann Lee,"The \"Kid\" Returns"`, backslash],
  [String.raw`S,1,Ann Lee,"6'2\""`, backslash],
])('quotes that do not fit CSV refuse their row: %s', async (row, reason) => {
  expect(await read(row, 'S,2,Bo Lee,Next')).toEqual({ cards: [['2', 'Next']], faults: [[2, reason]] })
})

test('quotes in a cell that does not begin with one are text, and so are two for one', async () => {
  expect(await read('S,1,Ann Lee,The "Kid" Returns', 'S,2,Bo Lee,"The ""Kid"""', 'S,3,Cy Lee,6\'2"')).toEqual({
    cards: [
      ['1', 'The "Kid" Returns'],
      ['2', 'The "Kid"'],
      ['3', '6\'2"'],
    ],
    faults: [],
  })
})

test('spaces behind a closing quote are no text', async () => {
  expect(await read('"S" ,"1","Ann Lee" ,"Title"  ')).toEqual({ cards: [['1', 'Title']], faults: [] })
})

test('a cell of several lines whose quotes do not fit takes no rows behind it along, and its rest becomes no card', async () => {
  const { cards, faults } = await read('S,1,Ann Lee,"one', 'S,2', 'the "Kid" is, here"', 'S,3,Cy Lee,Whole')
  expect(cards).toEqual([['3', 'Whole']])
  expect(faults.map(([line]) => line)).toEqual([2, 3, 4])
})
