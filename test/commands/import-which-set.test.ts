import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** Which set a file means by its name, in whatever order the files come: one after the other, and as one import. */
const app = await testApp()
const { everyWay, setsOf } = everyWayOf(app)

/** It names the other set with its parent, facts and number of cards, and how to make both one. */
const mayBe =
  /a new set, may be .*Xyl.* \(.*\d cards?, ID\)\. If they are one: cardstock merge sets ID NEW, where NEW is the new set's id$/

describe('a dash in front of a part of the name', () => {
  const list = 'Card Set,Card #,Player'
  test.each([
    [list, '2018 NAME Chrome - Gold Waves', '2018 NAME Chrome Gold Waves'],
    ['set,number,player', '2018 NAME Chrome - Gold Waves', '2018 NAME Chrome Gold Waves'],
    [list, '2018 NAME Chrome - Gold - Autographs', '2018 NAME Chrome Gold Autographs'],
    [list, '2018-19 NAME All-Stars', '2018/19 NAME All Stars'],
    [list, '2018 NAME Die - Cut Stars', '2018 NAME Die-Cut Stars'],
  ])('%s: %s and %s are one set', async (head, one, other) => {
    await everyWay(
      [
        [head, `${one},1,Ann Lee`, `${one},2,Bo Lee`],
        [head, `${other},1,Ann Lee`, `${other},3,Cy Lee`],
      ],
      async (word) => expect(await setsOf(word)).toEqual([expect.stringMatching(/ 3$/)]),
    )
  })

  test('is that of a parallel’s release', async () => {
    await everyWay(
      [
        ['Set,Parallel,Card #,Player', '2018 NAME Chrome,Gold Waves,1,Ann Lee'],
        [list, '2018 NAME Chrome - Gold Waves,1,Ann Lee'],
      ],
      async (word) =>
        expect((await setsOf(word)).filter((line) => line.endsWith(' 1'))).toEqual([
          expect.stringContaining('Gold Waves'),
        ]),
    )
  })
})

test.each([
  ['Brand', 'Topps'],
  ['Manufacturer', 'Topps'],
])('a release’s insert and parallel are one set each with and without a column %s', async (heading, maker) => {
  await everyWay(
    [
      [
        'Set,Subset,Parallel,Card #,Player,Team',
        '2051 Topps Chrome NAME Baseball,,,1,Ann Lee,Boston Red Sox',
        '2051 Topps Chrome NAME Baseball,,Gold Waves,1,Ann Lee,Boston Red Sox',
        '2051 Topps Chrome NAME Baseball,Coming Stars,,CS-1,Bo Lee,Boston Red Sox',
      ],
      [
        `Category,Year,${heading},Set,Subset,Parallel,Card #,Player,Team`,
        `Baseball,2051,${maker},2051 Topps Chrome NAME Baseball,,,1,Ann Lee,Boston Red Sox`,
        `Baseball,2051,${maker},2051 Topps Chrome NAME Baseball,,Gold Waves,1,Ann Lee,Boston Red Sox`,
        `Baseball,2051,${maker},2051 Topps Chrome NAME Baseball,Coming Stars,,CS-1,Bo Lee,Boston Red Sox`,
      ],
    ],
    async (word) => expect(await setsOf(word)).toHaveLength(3),
  )
})

describe('a part that one file names below its release and another with it', () => {
  test.each([
    [
      'Young Guns, below a release',
      'Release,Set,Card #,Player',
      '2015-16 NAME Deck,Young Guns',
      'Set,Card #,Player',
      '2015-16 NAME Deck Young Guns',
    ],
    [
      'Young Guns, as a subset',
      'Set,Subset,Card #,Player',
      '2015-16 NAME Deck,Young Guns',
      'Set,Card #,Player',
      '2015-16 NAME Deck Young Guns',
    ],
    [
      'a release by its year and sport in columns',
      'Sport,Year,Set,Subset,Card #,Player',
      'Hockey,2015-16,NAME Deck,Young Guns',
      'Sport,Set,Card #,Player',
      'Hockey,2015-16 NAME Deck Young Guns',
    ],
    [
      'a release with its sport behind it, and both files say it',
      'Set,Subset,Card #,Player',
      '2015-16 NAME Deck Hockey,Young Guns',
      'Sport,Year,Set,Card #,Player',
      'Hockey,2015-16,2015-16 NAME Deck Young Guns',
    ],
    [
      'the sport behind the release, and behind the part',
      'Program,Card Set,Card #,Player',
      '2015-16 NAME Deck Hockey,Young Guns',
      'Set,Card #,Player',
      '2015-16 NAME Deck Young Guns Hockey',
    ],
    [
      'the sport in a column, and between release and part',
      'Sport,Set,Subset,Card #,Player',
      'Hockey,2015-16 NAME Deck,Young Guns',
      'Set,Card #,Player',
      '2015-16 NAME Deck Hockey Young Guns',
    ],
  ])('%s: one set', async (_, head, below, otherHead, whole) => {
    await everyWay(
      [
        [head, `${below},201,Ann NAME`, `${below},202,Bo NAME`],
        [otherHead, `${whole},203,Cy NAME`],
      ],
      async (word) =>
        expect((await setsOf(word)).filter((line) => !line.endsWith(' 0'))).toEqual([expect.stringMatching(/ 3$/)]),
    )
  })

  const others: [string, string[], string[], string][] = [
    [
      'whose release says the sport alone',
      ['Set,Subset,Card #,Player', '2015-16 NAME Deck Hockey,Young Guns'],
      ['Set,Card #,Player', '2015-16 NAME Deck Young Guns'],
      'a new set, may be',
    ],
    [
      'that one file gives no year',
      ['Set,Subset,Card #,Player', '2015-16 NAME Deck,NAME Guns'],
      ['Year,Brand,Set,Card #,Player', '2015-16,NAME Deck,NAME Guns'],
      'a new set, may be',
    ],
  ]
  test.each(others)('%s: one if they have cards in common', async (_, [head, below], [otherHead, whole]) => {
    await everyWay(
      [
        [head ?? '', `${below},201,Ann NAME`, `${below},202,Bo NAME`],
        [otherHead ?? '', `${whole},201,Ann NAME`, `${whole},202,Bo NAME`, `${whole},203,Cy NAME`],
      ],
      async (word) =>
        expect((await setsOf(word)).filter((line) => !line.endsWith(' 0'))).toEqual([expect.stringMatching(/ 3$/)]),
    )
  })

  test.each(others)('%s: named as perhaps the same if not', async (_, [head, below], [otherHead, whole], text) => {
    await everyWay(
      [
        [head ?? '', `${below},201,Ann NAME`],
        [otherHead ?? '', `${whole},301,Bo NAME`],
      ],
      async (word, reports) => {
        const cards = (await setsOf(word)).filter((line) => !line.endsWith(' 0'))
        if (cards.length > 1) expect(textsOf(reports, 'shared-set-name')).toEqual([expect.stringContaining(text)])
      },
    )
  })

  test('and a release of another sport is another one', async () => {
    await everyWay(
      [
        ['Sport,Set,Subset,Card #,Player', 'Baseball,2020 NAME,Silver,1,Ann NAME'],
        ['Sport,Set,Card #,Player', 'Football,2020 NAME Silver,1,Ann NAME'],
      ],
      async (word) => expect((await setsOf(word)).filter((line) => line.endsWith(' 1'))).toHaveLength(2),
    )
  })
})

describe('a parallel in the singular and in the plural', () => {
  test.each([
    ['Gold Refractor', 'Gold Refractors'],
    ['Logo Patch', 'Logo Patches'],
    ['Red Prizm', 'Red Prizms'],
  ])('%s and %s of one release are one', async (one, other) => {
    const table = (parallel: string, number: number) => [
      'Set,Parallel,Card #,Player',
      `2018 NAME,${parallel},1,Ann NAME`,
      `2018 NAME,${parallel},${number},Bo NAME`,
    ]
    await everyWay([table(one, 2), table(other, 3)], async (word) =>
      expect((await setsOf(word)).filter((line) => !line.endsWith(' 0'))).toEqual([expect.stringMatching(/ 3$/)]),
    )
  })

  test('that is an insert in one file is told', async () => {
    await everyWay(
      [
        ['Set,Insert,Card #,Player', '2018 NAME,Gold Refractor,1,Ann NAME'],
        ['Set,Insert,Card #,Player', '2018 NAME,Gold Refractors,9,Bo NAME'],
      ],
      async (word, reports) => {
        expect((await setsOf(word)).filter((line) => line.endsWith(' 1'))).toHaveLength(2)
        expect(textsOf(reports, 'shared-set-name')).toEqual([expect.stringMatching(mayBe)])
      },
    )
  })
})

test('a release above its sets says their year, sport and makers in its name', async () => {
  await everyWay(
    [
      ['Program,Card Set,Card #,Player', '2023 Topps NAME Football,Stars,1,Ann NAME'],
      [
        'Sport,Year,Manufacturer,Set,Insert,Card #,Player',
        'Football,2023,Topps,2023 Topps NAME Football,Stars,1,Ann NAME',
      ],
    ],
    async (word) => {
      expect(await setsOf(word)).toEqual([
        `2023 Topps ${word} Football > Stars {2023, Football} 1`,
        `2023 Topps ${word} Football {2023, Football} 0`,
      ])
      const makers = await app.db.sql<{ maker: string | null }[]>`
        select m.name as maker from sets s left join manufacturers m on m.id = s.manufacturer_id where s.name like ${`%${word}%`}`
      expect(makers.map(({ maker }) => maker)).toEqual(['Topps'])
    },
  )
})
