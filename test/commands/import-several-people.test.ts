import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** A card of several players on a row for each of them. */
const app = await testApp()
const { sql } = app.db
const { everyWay, run } = everyWayOf(app)

/** The names of the cards of sets with a word in their names. */
const cardsOf = async (word: string) => {
  const rows = await sql<{ name: string }[]>`
    select c.name from cards c join sets s on s.id = c.set_id
    where s.name like ${`%${word}%`} and c.deleted_at is null order by c.name`
  return rows.map(({ name }) => name.replaceAll(` ${word}`, ''))
}
const fileOf = (...rows: string[]) => ['Year,Set,Card #,Player', ...rows.map((row) => `2023,2023 NAME Duals,${row}`)]
const told = (card: string) =>
  `${card}: another row of the file has other players under this number. If they are on one card, delete one of the two and import a row with both, A / B`

test('a number with other players on each of its rows is listed once', () =>
  everyWay(
    [
      fileOf(
        ...['DRA-CH,Ann NAME', 'DRA-CH,Bobby NAME', 'DRA-BC,Bobby NAME', 'DRA-BC,Cyrus NAME', 'DRA-BC,Dmitri NAME'],
        ...[
          'NNO,Ann NAME',
          'NNO,Bobby NAME',
          '7,Ann NAME',
          '7,Ann NAME (Home)',
          '8,Bobby NAME / Cyrus NAME',
          '8,Cyrus NAME',
        ],
      ),
    ],
    async (word, reports) => {
      expect(await cardsOf(word)).toHaveLength(11)
      expect(textsOf(reports, 'shared-number').map((text) => text.replaceAll(` ${word}`, ''))).toEqual([
        told('DRA-CH Bobby'),
        told('DRA-BC Cyrus'),
      ])
    },
  ))

test('a number with other players on each of its rows is one card again as the report says', async () => {
  const text = (...rows: string[]) => `${fileOf(...rows).join('\n')}\n`.replaceAll('NAME', 'Xylonq')
  await run(['-'], text('DRA-CH,Ann NAME', 'DRA-CH,Bobby NAME'))
  const [card] = await sql<{ id: string }[]>`
    select c.id from cards c join sets s on s.id = c.set_id where s.name like '%Xylonq%' and c.name like '%Bobby%'`
  await app.operator.delete(`/v1/cards/${card?.id}`)
  await run(['-'], text('DRA-CH,Ann NAME / Bobby NAME'))
  expect(await cardsOf('Xylonq')).toEqual(['DRA-CH Ann / Bobby'])
})
