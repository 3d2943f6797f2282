import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { everyWayOf, textsOf } from './every-way.ts'

/** Parallels and inserts that files name in different columns: nothing changes a set's kind in silence. */
const app = await testApp()
const { everyWay, setsOf } = everyWayOf(app)

/** The sets with a word in their parents' names, each with its kind, its cards and how many of these are based on another. */
const kindsOf = async (word: string) => {
  const rows = await app.db.sql<{ line: string }[]>`
    select concat_ws(' ', s.name, s.kind, count(c.id), count(c.parent_id)) as line
    from sets s join sets p on p.id = s.parent_id left join cards c on c.set_id = s.id and c.deleted_at is null
    where p.name like ${`%${word}%`} and s.deleted_at is null group by s.id order by line`
  return rows.map(({ line }) => line)
}

const base = ['Set,Card #,Player', '2018 NAME,1,Ann NAME', '2018 NAME,2,Bo NAME', '2018 NAME,3,Cy NAME']

describe('an insert that another file has in its column of parallels', () => {
  const insert = ['Set,Insert,Card #,Player', '2018 NAME,Stars,S-1,Ann NAME', '2018 NAME,Stars,S-2,Bo NAME']
  const variety = ['Year,Set,Card Number,Subject,Variety', '2018,2018 NAME,S-1,Ann NAME,Stars']

  test.each([
    ['without the cards of its release', [insert, variety]],
    ['with them', [base, insert, variety]],
  ])('keeps its kind, whichever file comes first, and is listed: %s', async (_, files) => {
    await everyWay(files, async (word, reports, isTurned) => {
      expect(await kindsOf(word)).toEqual([`Stars ${isTurned ? 'parallel' : 'insert'} 2 0`])
      expect(textsOf(reports, 'kind-differs')).toEqual([
        `2018 ${word}: Stars (2018, 2 cards, ID) is of the kind ${isTurned ? 'parallel; the file has it as insert' : 'insert; the file has it as parallel'}`,
      ])
    })
  })
})

describe('a parallel that another file has in its column of inserts', () => {
  const insert = ['Set,Insert,Card #,Player', '2018 NAME,Gold,1,Ann NAME', '2018 NAME,Gold,2,Bo NAME']
  const parallel = ['Set,Parallel,Card #,Player', '2018 NAME,Gold,1,Ann NAME', '2018 NAME,Gold,3,Cy NAME']

  test('is one if its cards are those of its release, and all of them are based on these', async () => {
    await everyWay([base, insert, parallel], async (word) => expect(await kindsOf(word)).toEqual(['Gold parallel 3 3']))
  })

  test('also as a card set with Base in front, which the report says', async () => {
    const cardSet = [
      'Program,Card Set,Card #,Player',
      '2018 NAME,Base Gold,1,Ann NAME',
      '2018 NAME,Base Gold,2,Bo NAME',
    ]
    await everyWay([base, cardSet], async (word, reports, isTurned) => {
      expect(await kindsOf(word)).toEqual(['Base Gold parallel 2 2'])
      // Before the cards of its release, nothing tells; importing it again settles it.
      if (isTurned && reports.length > 1) return
      expect(textsOf(reports, 'kind-differs')).toEqual([
        `2018 ${word}: Base Gold (2018, 2 cards, ID), which was of the kind base, is a parallel: its cards are those of 2018 ${word} (2018, 3 cards, ID)`,
      ])
    })
  })
})

describe('one parallel that sites name in their own ways', () => {
  const ways = {
    'a release behind a dash': [
      'Set,Card #,Player',
      '2018 NAME Chrome - Gold Waves,1,Ann NAME',
      '2018 NAME Chrome - Gold Waves,2,Bo NAME',
    ],
    'the base set in brackets': [
      'Set,Card #,Player',
      '2018 NAME Chrome - [Base] - Gold Wave /50,1,Ann NAME',
      '2018 NAME Chrome - [Base] - Gold Wave /50,3,Cy NAME',
    ],
    'a card set with Base in front': [
      'Program,Card Set,Card #,Player',
      '2018 NAME Chrome,Base Gold Wave,1,Ann NAME',
      '2018 NAME Chrome,Base Gold Wave,2,Bo NAME',
    ],
    'a column of parallels': [
      'Set,Parallel,Card #,Player',
      '2018 NAME Chrome,Gold Waves,1,Ann NAME',
      '2018 NAME Chrome,Gold Waves,3,Cy NAME',
    ],
  }
  const names = Object.keys(ways) as (keyof typeof ways)[]
  const pairs = names.flatMap((one, at) => names.slice(at + 1).map((other) => [one, other] as const))
  const childrenOf = async (word: string) =>
    app.db.sql<{ name: string; parent: string | null; cards: number }[]>`
      select s.name, p.name as parent, s.live_cards as cards from sets s left join sets p on p.id = s.parent_id
      where s.name || coalesce(p.name, '') like ${`%${word}%`} and s.live_cards > 0 and s.deleted_at is null`

  test.each(pairs)('%s, and %s: one set', async (one, other) => {
    await everyWay([ways[one], ways[other]], async (word) => expect(await childrenOf(word)).toHaveLength(1))
  })

  test('and all of them are one parallel of the release', async () => {
    const release = [
      'Set,Card #,Player',
      ...[1, 2, 3].map((at) => `2018 NAME Chrome,${at},${['Ann', 'Bo', 'Cy'][at - 1]} NAME`),
    ]
    await everyWay([release, ...Object.values(ways)], async (word) =>
      expect(await kindsOf(word)).toEqual([expect.stringMatching(/Gold Waves? parallel 3 3$/)]),
    )
  })
})

test('a parallel of a release and of its set Base is one, and all of its cards are based on these', async () => {
  const below = [
    'Product,Card Set,Parallel,Card #,Player',
    '2018 NAME,Base,,1,Ann NAME',
    '2018 NAME,Base,,2,Bo NAME',
    '2018 NAME,Base,Gold,1,Ann NAME',
  ]
  const beside = ['Set,Parallel,Card #,Player', '2018 NAME,Gold,1,Ann NAME', '2018 NAME,Gold,2,Bo NAME']
  await everyWay([below, beside], async (word) => {
    const sets = await app.db.sql<{ cards: number; based: number }[]>`
      with recursive tree as (
        select id, name from sets where name = ${`2018 ${word}`}
        union select s.id, s.name from sets s join tree t on s.parent_id = t.id
      )
      select count(c.id)::int as cards, count(c.parent_id)::int as based
      from tree t join cards c on c.set_id = t.id where t.name = 'Gold' group by t.id`
    expect([...sets]).toEqual([{ cards: 2, based: 2 }])
  })
})

describe('a release with its base set behind a dash, as shops list it', () => {
  const release = ['Sport,Card Set,Card #,Player', 'Baseball,2023 NAME Chrome Baseball,1,Ann NAME']
  const listed = (part: string, row: string) => ['Card Set,Card #,Player', `2023 NAME Chrome Baseball ${part},${row}`]
  const namesOf = async (word: string) => (await setsOf(word)).map((line) => line.replace(/ \{.*\}/, '')).toSorted()

  test.each(['- Base', '– Base Set', '- base cards', '- [Base]'])('%s is the release', async (part) => {
    await everyWay([release, listed(part, '2,Bo NAME')], async (word) =>
      expect(await setsOf(word)).toEqual([`2023 ${word} Chrome Baseball {2023, Baseball} 2`]),
    )
  })

  test.each(['- Base Gold Refractor', '- Base – Gold Refractor', '- Base Set Gold Refractor'])(
    '%s is a parallel of it',
    async (part) => {
      await everyWay([release, listed(part, '1,Ann NAME')], async (word) => {
        expect(await namesOf(word)).toEqual([
          `2023 ${word} Chrome Baseball 1`,
          `2023 ${word} Chrome Baseball > Gold Refractor 1`,
        ])
        expect(await kindsOf(word)).toEqual(['Gold Refractor parallel 1 1'])
      })
    },
  )

  test.each(['- Base Autographs', '- Base Image Variations', '- Base Prospects'])('%s is another set', async (part) => {
    await everyWay([release, listed(part, '7,Bo NAME')], async (word) =>
      expect(await namesOf(word)).toEqual([`2023 ${word} Chrome Baseball ${part} 1`, `2023 ${word} Chrome Baseball 1`]),
    )
  })
})
