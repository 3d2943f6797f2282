import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** Which set a file means by its sport, maker and year, in whatever order the files come: one after the other, and as one import. */
const app = await testApp()
const { everyWay, run, setsOf } = everyWayOf(app)

describe('a set whose sport only one file says', () => {
  const sportless = ['Year,Set,Card #,Player', '2020,NAME,1,Ann NAME', '2020,NAME,2,Bo NAME']
  const football = ['Sport,Year,Set,Card #,Player', 'Football,2020,NAME,2,Bo NAME', 'Football,2020,NAME,3,Cy NAME']

  test('is one, and the report names it', async () => {
    await everyWay([sportless, football], async (word, reports, isTurned) => {
      expect(await setsOf(word)).toEqual([`${word} {2020, Football} 3`])
      expect(textsOf(reports, 'shared-set-name')).toEqual([
        isTurned
          ? `${word}, without a sport, is ${word} (2020, Football, 2 cards, ID)`
          : `${word} of Football is ${word} (2020, Football, 2 cards, ID), which had no sport`,
      ])
    })
  })

  test.each([
    ['their teams are of other sports', ['New York Mets', 'Mariners'], ['Dallas Cowboys', 'Chicago Bears']],
    ['one of them has teams', ['Boston Red Sox', 'Chicago Cubs'], ['', '']],
  ])('is two if %s', async (_, baseball, other) => {
    await everyWay(
      [
        ['Year,Set,Card #,Player,Team', ...baseball.map((team, at) => `2020,NAME,${at},Ann NAME,${team}`)],
        ['Sport,Year,Set,Card #,Player,Team', ...other.map((team, at) => `Football,2020,NAME,${at},Bo NAME,${team}`)],
      ],
      async (word, reports, isTurned) => {
        expect(await setsOf(word)).toEqual([`${word} {2020, Football} 2`, `${word} {2020} 2`])
        expect(textsOf(reports, 'shared-set-name')).toEqual([
          expect.stringMatching(
            /^Xyl..q, a new set, has the name of Xyl..q \(2020, (?:Football, )?2 cards, ID\), but other people or teams\. If they are one: cardstock merge sets ID NEW, where NEW is the new set's id$/,
          ),
        ])
        if (isTurned) expect(textsOf(reports, 'shared-number')).toEqual([])
      },
    )
  })

  test('is two if its people are on cards of another sport', async () => {
    await run(['-'], 'Sport,Year,Set,Card #,Player\nSoccer,2019,Kickers,1,Kim Kick\nSoccer,2019,Kickers,2,Lou Kick\n')
    const rows = (sport: string, who: string[]) => [
      sport === '' ? 'Year,Set,Card #,Player' : 'Sport,Year,Set,Card #,Player',
      ...who.map((name, at) => `${sport}2020,NAME,${at},${name}`),
    ]
    await everyWay([rows('', ['Kim Kick', 'Lou Kick']), rows('Football,', ['Dee Throw', 'Eve Throw'])], async (word) =>
      expect(await setsOf(word)).toEqual([`${word} {2020, Football} 2`, `${word} {2020} 2`]),
    )
  })

  test('is two if all of its numbers have other people', async () => {
    const rows = (head: string, sport: string, who: string) => [
      head,
      ...[1, 2, 3, 4].map((number) => `${sport}2020,NAME,${number},${who} NAME${'abcd'[number - 1]}`),
    ]
    await everyWay(
      [rows('Year,Set,Card #,Player', '', 'Ann'), rows('Sport,Year,Set,Card #,Player', 'Football,', 'Bo')],
      async (word) => expect(await setsOf(word)).toEqual([`${word} {2020, Football} 4`, `${word} {2020} 4`]),
    )
  })
})

describe('a new set with the name and year of another', () => {
  test.each([
    ['maker', 'Year,Manufacturer,Set,Card #,Player', '2021,Topps', '2021,Panini'],
    ['sport', 'Sport,Year,Set,Card #,Player', 'Football,2021', 'Baseball,2021'],
  ])('of another %s is listed', async (_, head, one, other) => {
    await everyWay(
      [
        [head, `${one},NAME,1,Ann NAME`],
        [head, `${other},NAME,1,Bo NAME`],
      ],
      async (word, reports) => {
        expect(await setsOf(word)).toHaveLength(2)
        expect(textsOf(reports, 'shared-set-name')).toEqual([
          expect.stringMatching(
            new RegExp(
              `^${word}, a new set, has the name of ${word} \\(2021, (?:.*, )?\\d cards?, ID\\), of another sport or maker$`,
            ),
          ),
        ])
      },
    )
  })
})

describe('a year, and the season that begins in it', () => {
  const layouts: [string, string[], string[]][] = [
    [
      'in columns',
      ['Sport,Year,Set,Card #,Player', 'Basketball,2023,NAME'],
      ['Sport,Year,Set,Card #,Player', 'Basketball,2023-24,NAME'],
    ],
    ['in names', ['Set,Card #,Player', '2023 NAME Basketball'], ['Set,Card #,Player', '2023-24 NAME Basketball']],
    [
      'in a column and in a name',
      ['Year,Set,Card #,Player', '2023,NAME Basketball'],
      ['Set,Card #,Player', '2023-24 NAME Basketball'],
    ],
  ]
  test.each(layouts)(
    '%s are one set of that season if they have cards in common',
    async (_, [head, year], [other, season]) => {
      await everyWay(
        [
          [head ?? '', `${year},1,Ann NAME`, `${year},2,Bo NAME`],
          [other ?? '', `${season},1,Ann NAME`, `${season},3,Cy NAME`],
        ],
        async (word, reports) => {
          expect(await setsOf(word)).toEqual([expect.stringMatching(/\{2023-24, Basketball\} 3$/)])
          expect(textsOf(reports, 'shared-set-name')).toEqual([expect.stringContaining('they have cards in common')])
        },
      )
    },
  )

  test.each(layouts)('%s are told as two if not', async (_, [head, year], [other, season]) => {
    await everyWay(
      [
        [head ?? '', `${year},1,Ann NAME`],
        [other ?? '', `${season},2,Bo NAME`],
      ],
      async (word, reports) => {
        expect(await setsOf(word)).toHaveLength(2)
        expect(textsOf(reports, 'shared-set-name')).toEqual([
          expect.stringMatching(
            /a new set, may be .*Xyl.* \(.*\d cards?, ID\)\. If they are one: cardstock merge sets ID NEW, where NEW is the new set's id$/,
          ),
        ])
      },
    )
  })

  test('hold for the parallels below it, too', async () => {
    const head = 'Sport,Year,Set,Parallel,Card #,Player'
    await everyWay(
      [
        [head, 'Basketball,2023,NAME,,1,Ann NAME', 'Basketball,2023,NAME,Silver,1,Ann NAME'],
        [head, 'Basketball,2023-24,NAME,,1,Ann NAME', 'Basketball,2023-24,NAME,Silver,1,Ann NAME'],
      ],
      async (word) =>
        expect(await setsOf(word)).toEqual([
          `${word} > Silver {2023-24, Basketball} 1`,
          `${word} {2023-24, Basketball} 1`,
        ]),
    )
  })

  test('of another sport, or two seasons, are two', async () => {
    await everyWay(
      [
        ['Sport,Year,Set,Card #,Player', 'Basketball,2023-24,NAME,1,Ann NAME'],
        ['Sport,Year,Set,Card #,Player', 'Hockey,2023,NAME,1,Ann NAME', 'Basketball,2024-25,NAME,1,Ann NAME'],
      ],
      async (word) => expect(await setsOf(word)).toHaveLength(3),
    )
  })
})
