import { expect, test } from 'bun:test'
import { inShort, readItems } from './items.ts'

const headings = 'Set,Year,Sport,Card Number,Name,Team,Rarity'.split(',')

/** Who and what is on the cards of rows under these headings, as a table and as JSON Lines. */
const read = async (...rows: string[][]) => {
  const table = [headings, ...rows].map((cells) => cells.join()).join('\n')
  const json = rows.map((cells) => JSON.stringify(Object.fromEntries(headings.map((name, at) => [name, cells[at]]))))
  const both = [await readItems(table), await readItems(json.join('\n'), 'rows.jsonl')]
  return both.map(({ cards }) => cards.map((card) => card.title ?? inShort(card).join()))
}

test.each([
  ['its sport is one', ['Topps', '1980', 'Baseball', '270', 'Mike Schmidt', '', 'Common'], 'Mike Schmidt'],
  ['its set is of a sport', ['1980 Topps Baseball', '', '', '270', 'Mike Schmidt', '', 'Common'], 'Mike Schmidt'],
  ['it has teams', ['Topps', '1980', '', '270', 'Mike Schmidt', 'Phillies', 'Common'], 'Mike Schmidt @ Phillies'],
])('a column of names beside a rarity has people if %s', async (_, row, said) => {
  expect(await read(row)).toEqual([[said], [said]])
})

test('a later row without a team is of a person, too', async () => {
  const rows = ['Phillies', ''].map((team, at) => ['Topps', '1980', '', `${at}`, 'Mike Schmidt', team, 'Common'])
  const said = ['Mike Schmidt @ Phillies', 'Mike Schmidt']
  expect(await read(...rows)).toEqual([said, said])
})

test.each(['Magic: The Gathering', 'Pokemon', ''])('a game called %j has titles', async (genre) => {
  const row = ['Alpha', '1993', genre, '1', 'Black Lotus', '', 'Rare']
  expect(await read(row)).toEqual([['Black Lotus'], ['Black Lotus']])
})

test('a second table of a file is read as the first', async () => {
  const row = (number: string) => `Topps,1980,Baseball,${number},Mike Schmidt,,Common`
  const { cards } = await readItems(
    [headings.join(), row('1'), headings.toReversed().join(), 'Common,,Bo Lee,2,Baseball,1980,Topps'].join('\n'),
  )
  expect(cards.map((card) => card.title ?? inShort(card).join())).toEqual(['Mike Schmidt', 'Bo Lee'])
})
