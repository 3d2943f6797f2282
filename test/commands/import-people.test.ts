import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** Files of other layouts that name the people and titles of the same cards, in both orders, and all of them again. */
const app = await testApp()
const { sql } = app.db
const { everyWay } = everyWayOf(app)

/** The cards of sets with a word in their names: number, people with their teams, title and codes, without the word. */
const cardsOf = async (word: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number,
      (select string_agg(concat_ws(' of ', p.name, t.name), ' + ' order by o.position) from oncard o
       left join players p on p.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id),
      '“' || c.title || '”',
      (select string_agg(a.attribute, ' ' order by a.attribute) from card_attributes m
       join attributes a on a.id = m.attribute_id where m.card_id = c.id)) as line
    from cards c join sets s on s.id = c.set_id
    where s.name like ${`%${word}%`} and c.deleted_at is null order by c.number_key collate "C", line`
  return rows.map(({ line }) => line.replaceAll(` ${word}`, ''))
}
const playersOf = async (word: string) => {
  const rows = await sql<{ name: string }[]>`select name from players where name like ${`%${word}%`} order by name`
  return rows.map(({ name }) => name.replaceAll(` ${word}`, ''))
}
const without = (word: string, texts: string[]) => texts.map((text) => text.replaceAll(word, 'NAME'))

describe('a title in a column of its own', () => {
  const plain = ['Set,Card #,Player,Team', '1990 NAME,1,Ann NAME & Bo NAME,Chicago Cubs & New York Mets']

  test('does not make two players one', () =>
    everyWay(
      [
        [
          'Set,Card #,Player,Card Title,Team',
          '1990 NAME,1,Ann NAME / Bo NAME,Rookie Leaders,Chicago Cubs / New York Mets',
        ],
        plain,
      ],
      async (word) => {
        expect(await cardsOf(word)).toEqual(['1 Ann of Chicago Cubs + Bo of New York Mets “Rookie Leaders”'])
        expect(await playersOf(word)).toEqual(['Ann', 'Bo'])
      },
    ))

  test('leaves what may be several names to the title, which takes nobody off the card', () =>
    everyWay(
      [
        ['Set,Card #,Player,Card Title', '1968 NAME,5,Clemente/Alou,Leaders'],
        ['Set,Card #,Player', '1968 NAME,5,Ann NAME & Bo NAME'],
      ],
      async (word, reports, isTurned) => {
        const titled = '“Leaders, Clemente/Alou”'
        expect(await cardsOf(word)).toEqual(isTurned ? [`5 Ann + Bo ${titled}`] : ['5 Ann + Bo', `5 ${titled}`])
        expect(without(word, textsOf(reports, 'undecided-name'))).toEqual([
          '1968 NAME: 5 Clemente/Alou, read as the title Leaders, Clemente/Alou',
        ])
        if (!isTurned) expect(textsOf(reports, 'shared-number')).toHaveLength(1)
      },
    ))
})

test('two players in one name of our own form are told, and parted as soon as another file knows both', () =>
  everyWay(
    [
      ['set,number,player,title', '1990 NAME,1,Ann NAME / Bo NAME,Rookie Leaders'],
      ['Set,Card #,Player,Team', '1990 NAME,1,Ann NAME / Bo NAME,Chicago Cubs / New York Mets'],
    ],
    async (word, reports, isTurned) => {
      expect(await cardsOf(word)).toEqual(['1 Ann of Chicago Cubs + Bo of New York Mets “Rookie Leaders”'])
      expect(await playersOf(word)).toEqual(isTurned ? ['Ann', 'Bo'] : ['Ann', 'Ann / Bo', 'Bo'])
      const readAs = isTurned ? 'players Ann NAME and Bo NAME' : 'player Ann NAME / Bo NAME'
      expect(without(word, textsOf(reports, 'undecided-name'))).toEqual([
        `1990 NAME: 1 Ann NAME / Bo NAME, read as the ${readAs}, with the title Rookie Leaders`,
      ])
      const replaced = isTurned ? [] : ['1 Ann NAME Bo NAME, in place of 1 Ann NAME / Bo NAME Rookie Leaders']
      expect(without(word, textsOf(reports, 'name-replaced'))).toEqual(replaced)
    },
  ))

test.each(['Young Guns', 'Star Makers'])('what a store puts before a player is a title: %s', (label) =>
  everyWay(
    [
      ['Set,Card #,Player', `2023 NAME,451,${label} - Ann NAME`, `2023 NAME,452,${label} - Bo NAME`],
      ['Set,Card #,Player,Team', '2023 NAME,451,Ann NAME,Chicago Cubs', '2023 NAME,452,Bo NAME,New York Mets'],
    ],
    async (word, reports) => {
      expect(await cardsOf(word)).toEqual([`451 Ann of Chicago Cubs “${label}”`, `452 Bo of New York Mets “${label}”`])
      expect(await playersOf(word)).toEqual(['Ann', 'Bo'])
      expect(without(word, textsOf(reports, 'undecided-name'))[0]).toBe(
        `2023 NAME: 451 ${label} - Ann NAME, read as the player Ann NAME, with the title ${label}`,
      )
    },
  ),
)

test('a title that repeats the name is none, and a phrase behind a known name is one', () =>
  everyWay(
    [
      ['Set,Card #,Player,Card Title', '1989 NAME,1,Ann NAME,Ann NAME', '1989 NAME,2,Bo NAME,5000 Strikeouts'],
      ['Set,Card #,Player', '1989 NAME,1,Ann NAME', '1989 NAME,2,Bo NAME - 5000 Strikeouts', '1989 NAME,3,Bo NAME'],
    ],
    async (word) => expect(await cardsOf(word)).toEqual(['1 Ann', '2 Bo “5000 Strikeouts”', '3 Bo']),
  ))

test('a name that is not understood takes no title off a card', () =>
  everyWay(
    [
      ['Set,Card #,Player,Card Title', '1970 NAME,61,Ann NAME & Bo NAME,Batting Leaders'],
      ['Set,Card #,Player', '1970 NAME,61,Rose / Clemente'],
    ],
    async (word, reports, isTurned) => {
      expect(await cardsOf(word)).toEqual(['61 Ann + Bo “Batting Leaders”'])
      expect(without(word, textsOf(reports, 'undecided-name'))).toEqual([
        '1970 NAME: 61 Rose / Clemente, read as the title Rose / Clemente',
      ])
      if (isTurned) expect(textsOf(reports, 'values-replaced')).toHaveLength(1)
    },
  ))

test('two rows of a file that may be copies of one card are two cards, and listed', () =>
  everyWay(
    [
      [
        'Set,Card #,Player,Team,Rookie',
        ...['2018 NAME,285,Ann NAME,Chicago Cubs,yes', '2018 NAME,285,Ann NAME,,', '2018 NAME,286,Bo NAME,,'],
        ...[
          '2018 NAME,286,Bo NAME SP,,',
          '2018 NAME,287,Bo NAME,Chicago Cubs,',
          '2018 NAME,287,Bo NAME,New York Mets,',
        ],
      ],
    ],
    async (word, reports) => {
      expect(await cardsOf(word)).toHaveLength(6)
      expect(without(word, textsOf(reports, 'similar-rows'))).toEqual([
        '285 Ann NAME: two cards, though another row differs only in a team or RC',
      ])
    },
  ))

describe('a team', () => {
  test('in brackets beside its short form is that team, and a base card has no title', () =>
    everyWay(
      [
        ['Set,Card #,Player,Team', '2018 NAME,1,Ann NAME (Hurricanes),CAR', '2018 NAME,3,Bo NAME (Base),VAN'],
        [
          'Sport,Set,Card #,Player,Team',
          'Hockey,2018 NAME,1,Ann NAME,Carolina Hurricanes',
          'Hockey,2018 NAME,3,Bo NAME,Vancouver Canucks',
        ],
      ],
      async (word) =>
        expect(await cardsOf(word)).toEqual(['1 Ann of Carolina Hurricanes', '3 Bo of Vancouver Canucks']),
    ))

  test('behind its place in short is that team', () =>
    everyWay(
      [
        [
          'Sport,Set,Card #,Player,Team',
          'Baseball,2020 NAME,1,Ann NAME,Chi White Sox',
          'Baseball,2020 NAME,2,Bo NAME,Arizona D-Backs',
          'Baseball,2020 NAME,3,Cy NAME,N.Y. Yankees',
        ],
        [
          'Set,Card #,Player,Team',
          '2020 NAME,1,Ann NAME,Chicago White Sox',
          '2020 NAME,2,Bo NAME,Arizona D-backs',
          '2020 NAME,3,Cy NAME,New York Yankees',
        ],
      ],
      async (word) =>
        expect(await cardsOf(word)).toEqual([
          '1 Ann of Chicago White Sox',
          '2 Bo of Arizona Diamondbacks',
          '3 Cy of New York Yankees',
        ]),
    ))

  test('on a parallel is one of its release’s sport', () =>
    everyWay(
      [
        ['Sport,Set,Card #,Player,Team', 'Basketball,2018-19 NAME,280,Ann NAME,Dallas Mavericks'],
        ['Set,Parallel,Card #,Player,Team', '2018-19 NAME,NAME Ice,280,Bo NAME,Mavs'],
      ],
      // Before the catalog knows the sport, a short name may be any sport's.
      async (word, _, isTurned) =>
        expect(await cardsOf(word)).toEqual([
          '280 Ann of Dallas Mavericks',
          `280 Bo of ${isTurned ? 'Mavs' : 'Dallas Mavericks'}`,
        ]),
    ))

  test('that another file writes in short stays what it is', () =>
    everyWay(
      [
        ['Set,Card #,Player,Team', '2019 NAME,1,Ann NAME,NYI'],
        ['Sport,Set,Card #,Player,Team', 'Hockey,2019 NAME,1,Ann NAME,New York Islanders'],
      ],
      async (word) => expect(await cardsOf(word)).toEqual(['1 Ann of New York Islanders']),
    ))
})

describe('look-alikes that another file made', () => {
  test('leave a misspelled row the card that it made', () =>
    everyWay(
      [
        ['Set,Card #,Player,Team', '2003 NAME,2,Ken Grifey NAME,Seattle Mariners'],
        ['Set,Card #,Player,Team', '2003 NAME,2,Ken Griffey NAME,Seattle Mariners'],
      ],
      async (word, reports) => {
        expect(await cardsOf(word)).toHaveLength(1)
        expect(textsOf(reports, 'name-replaced')).toHaveLength(1)
      },
    ))

  test('with one number, and people of their own, are found by these', () =>
    everyWay(
      [
        ['Set,Card #,Player', '1989 NAME,NNO,Ann NAME', '1989 NAME,NNO,Bo NAME'],
        ['Set,Card #,Player,Team', '1989 NAME,NNO,Ann NAME,Chicago Cubs'],
      ],
      async (word) => expect(await cardsOf(word)).toEqual(['NNO Ann of Chicago Cubs', 'NNO Bo']),
    ))

  test('with a number that only looks different keep it, and the report says so', () =>
    everyWay(
      [
        ['Set,Card #,Player', '1991 NAME,7,Ann NAME'],
        ['Set,Card #,Player', '1991 NAME,07,Ann NAME'],
      ],
      async (word, reports, isTurned) => {
        const [first, second] = isTurned ? ['07', '7'] : ['7', '07']
        expect(await cardsOf(word)).toEqual([`${first} Ann`])
        if (reports.length === 1) return
        expect(without(word, textsOf(reports, 'spelling-kept'))).toEqual([
          `${second} Ann NAME: the number ${first} stays`,
        ])
      },
    ))
})

test('a dry run finds a namesake with years of a life by the name alone, as its import does', () =>
  everyWay(
    [['Set,Card #,Player,Team', '2018 NAME,1,Ann NAME,Chicago Cubs', '2018 NAME,2,Ann NAME (b. 1996),New York Mets']],
    async (word) => expect(await playersOf(word)).toEqual(['Ann']),
  ))
