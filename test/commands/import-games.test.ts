import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { dryFirst } from './dry-first.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** Sets of card games, which files name with and without a year, and whose games have several names. */
const app = await testApp()
const { everyWay, run, setsOf } = everyWayOf(app)
const { importText, importFiles } = dryFirst(app, ({ sets, cards }) => ({ sets, cards }))
const nothing = () => ({ created: 0, updated: 0, failed: 0 })

test.each([
  ['One Piece Card Game', 'One Piece', 'One Piece Card Game'],
  ['Magic: The Gathering', 'Magic', 'Magic: The Gathering'],
  ['Pokemon TCG', 'Pokémon', 'Pokémon'],
  ['YuGiOh', 'Yu-Gi-Oh! Trading Card Game', 'Yu-Gi-Oh!'],
])('%s and %s are one game', async (one, other, game) => {
  const table = (said: string, ...rows: string[]) => [
    'Game,Set,Number,Name,Rarity',
    ...rows.map((row) => `${said},NAME Dawn,${row},Common`),
  ]
  await everyWay([table(one, '1,Bear', '2,Wolf'), table(other, '1,Bear', '3,Fox')], async (word, reports) => {
    expect(await setsOf(word)).toEqual([`${word} Dawn {${game}} 3`])
    expect(textsOf(reports, 'shared-set-name')).toEqual([])
  })
})

test('a game that nobody has listed is one with and without “TCG”, named as the catalog has it', async () => {
  const rows = ['Game,Set,Number,Name,Rarity', 'Xylgame TCG,Xylgame Dawn,1,Bear,Common']
  await run(['-'], `${rows.join('\n')}\n`)
  await run(['-'], `${rows.join('\n').replace('Xylgame TCG', 'Xylgame')}\n`)
  expect(await setsOf('Xylgame')).toEqual(['Xylgame Dawn {Xylgame TCG} 1'])
})

describe('a set that one file gives no year', () => {
  const table = (year: string, ...rows: string[]) => [
    `Game,${year ? 'Year,' : ''}Set,Number,Name,Rarity`,
    ...rows.map((row) => `Magic,${year}NAME Core,${row},Common`),
  ]

  test('is one with a year if they have a card in common', async () => {
    await everyWay([table('', '1,Bear', '2/99,Wolf'), table('2021,', '002,Wolf', '3,Fox')], async (word) =>
      expect(await setsOf(word)).toEqual([`${word} Core {2021, Magic: The Gathering} 3`]),
    )
  })

  test('is listed if not, and each file finds its own again', async () => {
    await everyWay(
      [table('', '1,Bear', '2,Wolf'), table('2021,', '3,Fox', '4,Elk')],
      async (word, reports, isTurned) => {
        expect(await setsOf(word)).toHaveLength(isTurned ? 1 : 2)
        expect(textsOf(reports, 'shared-set-name')).toEqual([
          isTurned
            ? `${word} Core, without a year, is ${word} Core (2021, Magic: The Gathering, 2 cards, ID): no card is in both`
            : `${word} Core, a new set, may be ${word} Core (Magic: The Gathering, 2 cards, ID). If they are one: cardstock merge sets ID NEW, where NEW is the new set's id`,
        ])
      },
    )
  })

  test('is the one of several years with its cards, in every order', async () => {
    const files = [table('', '1,Bear', '2,Wolf'), table('2021,', '1,Bear', '2,Wolf'), table('2022,', '1,Fox', '2,Elk')]
    for (const first of [0, 1, 2])
      await everyWay([...files.slice(first), ...files.slice(0, first)], async (word) =>
        expect(await setsOf(word)).toEqual([
          `${word} Core {2021, Magic: The Gathering} 2`,
          `${word} Core {2022, Magic: The Gathering} 2`,
        ]),
      )
  })
})

test('a release with parts that names no year may be several, so that its rows are refused', async () => {
  const release = (year: number, ...rows: string[]) =>
    `Year,Set,Subset,Card #,Player\n${rows.map((row) => `${year},Xylparts Deck,Stars,${row}\n`).join('')}`
  await run(['-'], release(2021, '1,Ann Lee', '2,Bo Lee', '3,Cy Lee'))
  await run(['-'], release(2022, '1,Di Lee', '4,Ed Lee'))
  const both = 'number,player,set,parent_set\n1,Ann Lee,Stars,Xylparts Deck\n2,Bo Lee,Stars,Xylparts Deck\n'
  expect(await run(['-'], both)).toMatchObject({ cards: { created: 0, updated: 0, failed: 2 } })
})

describe('a set of a game called Base Set, which is its own name', () => {
  const table = (game: string, year: string, ...rows: string[]) =>
    `Game,${year && 'Year,'}Set Name,Number,Name,Rarity\n${rows.map((row) => `${game},${year}Base Set,${row},Rare\n`).join('')}`
  const ofGame = (game: string) => [table(game, '', '4,Bear', '5,Wolf'), table(game, '1999,', '4,Bear', '6,Fox')]

  test.each([
    ['Lorcana', 'in turn', false],
    ['Union Arena', 'in turn', true],
    ['Grand Archive', 'together', false],
    ['Flesh and Blood', 'together', true],
  ])('is one with and without a year: %s, %s, turned: %p', async (game, how, isTurned) => {
    const files = isTurned ? ofGame(game).toReversed() : ofGame(game)
    const imports = how === 'together' ? [() => importFiles(files)] : files.map((file) => () => importText(file))
    for (const each of imports) await each()
    for (const each of imports) expect(await each()).toMatchObject({ sets: nothing(), cards: nothing() })
    const sets = await app.db.sql`
      select y.name as year, s.live_cards as cards from sets s join genres g on g.id = s.genre_id
      left join years y on y.id = s.year_id where g.name = ${game} and s.deleted_at is null`
    expect([...sets]).toEqual([{ year: '1999', cards: 3 }])
  })

  test('is the one of several years with its cards', async () => {
    await importText(table('Sorcery', '1999,', '4,Bear', '6,Fox'))
    await importText(table('Sorcery', '2016,', '4,Owl', '6,Elk'))
    expect(await importText(table('Sorcery', '', '4,Bear'))).toMatchObject({ sets: nothing(), cards: nothing() })
  })
})

test('the name of a game’s card is its title, also beside cards of a sport', () =>
  everyWay(
    [
      ['category,year,brand,set,name,number,flags', 'pokemon,1999,NAME,NAME Dawn,NAME Bear,4/102,HOLO'],
      [
        'category,year,brand,set,name,number,flags',
        'baseball,1999,NAME,NAME Dusk,Ann NAME,4,RC',
        'pokemon,1999,NAME,NAME Dawn,NAME Wolf,5/102,',
      ],
      ['Game,Year,Set,Number,Title', 'Pokémon,1999,NAME Dawn,4/102,NAME Bear'],
    ],
    async (word) => {
      const cards = await app.db.sql`
        select c.number, c.title, p.name as player from cards c join sets s on s.id = c.set_id
        left join oncard o on o.card_id = c.id left join players p on p.id = o.player_id
        where s.name like ${`${word}%`} and c.deleted_at is null order by c.number_key collate "C"`
      expect([...cards]).toEqual([
        { number: '4', title: null, player: `Ann ${word}` },
        { number: '4/102', title: `${word} Bear`, player: null },
        { number: '5/102', title: `${word} Wolf`, player: null },
      ])
    },
  ))
