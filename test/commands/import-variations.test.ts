import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** A card and its variation in files of their own, in both orders, and in one file. */
const app = await testApp()
const { sql } = app.db
const { everyWay } = everyWayOf(app)

/** The names of the cards of sets with a word in their names, without the word. */
const cardsOf = async (word: string) => {
  const rows = await sql<{ name: string }[]>`
    select c.name from cards c join sets s on s.id = c.set_id
    where s.name like ${`%${word}%`} and c.deleted_at is null order by c.name`
  return rows.map(({ name }) => name.replaceAll(` ${word}`, ''))
}
const without = (word: string, texts: string[]) => texts.map((text) => text.replaceAll(` ${word}`, ''))
const fileOf = (...players: string[]) => [
  'Year,Set,Card #,Player,Sport',
  ...players.map((player) => `2023,2023 NAME,27,${player},Baseball`),
]

describe.each([
  ['Ann NAME (Image Variation)', '27 Ann Image Variation', '27 Ann Image Variation'],
  ['Ann NAME SSP', '27 Ann SSP', '27 Ann'],
])('a card and its variation %s', (variation, card, said) => {
  const [plain, varied, both] = [fileOf('Ann NAME'), fileOf(variation), fileOf('Ann NAME', variation)]
  const mend = 'To have two cards, import both in one file'

  test('in files of their own are one card, and the report says so', () =>
    everyWay([plain, varied], async (word, reports, isTurned) => {
      expect(await cardsOf(word)).toEqual([card])
      expect(without(word, textsOf(reports, 'variation-or-not'))).toEqual([
        isTurned
          ? `27 Ann: no variation, taken for the card that is one. ${mend}`
          : `${said}: a variation, taken for the card that was none. ${mend}`,
      ])
    }))

  test.each([
    ['before', [plain, varied, both]],
    ['after', [varied, plain, both]],
    ['before, the other way round', [plain, varied, fileOf(variation, 'Ann NAME')]],
  ])('in one file are two, whatever files of their own said %s', (_, files) =>
    everyWay(files, async (word) => expect(await cardsOf(word)).toEqual(['27 Ann', card])),
  )
})
