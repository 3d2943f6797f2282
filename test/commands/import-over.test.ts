import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Files with other columns about the same cards, in one import or one after the other. */
const app = await testApp()
const { sql } = app.db
const folder = mkdtempSync(join(tmpdir(), 'cardstock-over-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Report = Record<string, never> & { notes: Record<string, { examples: { text: string }[] }>; changes: unknown[] }
const run = async (words: string[], content?: string | Uint8Array): Promise<Report> => {
  const { out, err } = await runningCommands(app.context, content)('import', ...words, '--json')
  if (out === '') throw new Error(`The import printed no report: ${err}`)
  return JSON.parse(out)
}
const imported = (content: string | Uint8Array, ...flags: string[]) => run(['-', ...flags], content)
/** Imports files of one folder, in the order of their names, after a dry run that has to say the same. */
const importedTogether = async (files: string[], ...flags: string[]) => {
  const path = join(folder, Bun.randomUUIDv7())
  mkdirSync(path)
  for (const [at, content] of files.entries()) writeFileSync(join(path, `${at}.csv`), content)
  const dry = await run([path, '--dry-run', ...flags])
  const report = await run([path, ...flags])
  expect(countsOf(dry)).toEqual(countsOf(report))
  return report
}
const countsOf = ({ sets, cards, players, teams, playerTeams, labels, notes, missingCount, keptCount }: Report) => ({
  ...{ sets, cards, players, teams, playerTeams, labels, missingCount, keptCount },
  notes: Object.fromEntries(Object.entries(notes).map(([rule, { examples }]) => [rule, examples])),
})

const textsOf = ({ notes }: Report, rule: string) => notes[rule]?.examples.map(({ text }) => text)

/** The cards of a set: number, people with their teams, title, codes, serial number. */
const cardsOf = async (set: string) => {
  const rows = await sql<{ line: string }[]>`
    select concat_ws(' ', c.number,
      (select string_agg(concat_ws(' of ', p.name, t.name), ' / ' order by o.position) from oncard o
       left join players p on p.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id),
      c.title,
      (select string_agg(a.attribute, ' ' order by a.attribute) from card_attributes m
       join attributes a on a.id = m.attribute_id where m.card_id = c.id),
      c.serial_number) as line
    from cards c join sets s on s.id = c.set_id
    where s.name = ${set} and c.deleted_at is null order by c.number_key collate "C", c.name, line`
  return rows.map(({ line }) => line)
}

describe('files with other columns in one import are about the same cards', () => {
  const files = (set: string) => [
    `Set,Card #,Player\n${set},1,Ann Lee\n${set},2,Bo Lee\n`,
    `Set,Card #,Player,Team\n${set},1,Ann Lee,New York Mets\n${set},3,Cy Lee,Chicago Cubs\n`,
    `Set,Card #,Player,Rookie,Print Run\n${set},1,Ann Lee,yes,\n${set},2,Bo Lee,,99\n`,
  ]
  const whole = ['1 Ann Lee of New York Mets RC', '2 Bo Lee /99', '3 Cy Lee of Chicago Cubs']
  const orders = [
    [0, 1, 2],
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ]

  test.each(orders)('in a folder, in the order %d %d %d, and a dry run says so', async (...order) => {
    const set = `Together ${order.join('')}`
    const report = await importedTogether(order.map((at) => files(set)[at] as string))
    expect(report).toMatchObject({ cards: { created: 3, failed: 0 }, missingCount: 0, faultCount: 0 })
    expect(await cardsOf(set)).toEqual(whole)
    const again = await importedTogether(order.map((at) => files(set)[at] as string))
    expect(again).toMatchObject({ cards: { created: 0, updated: 0 }, playerTeams: 0 })
  })

  test('in an archive', async () => {
    const zip = zipSync(Object.fromEntries(files('Zipped').map((text, at) => [`${at}.csv`, strToU8(text)])))
    await imported(zip)
    expect(await cardsOf('Zipped')).toEqual(whole)
  })

  test('one after the other, in every order', async () => {
    for (const order of orders) {
      const set = `In turn ${order.join('')}`
      for (const at of order) await imported(files(set)[at] as string)
      expect(await cardsOf(set)).toEqual(whole)
    }
  })

  test('rows of one file stay cards of their own, and a later file finds each', async () => {
    const titled = 'Set,Card #,Player,Card Title\nPairs,1,Ann Lee,Home\nPairs,1,Ann Lee,Away\n'
    const plain = 'Set,Card #,Player\nPairs,1,Ann Lee\nPairs,1,Ann Lee\n'
    await importedTogether([titled, plain])
    expect(await cardsOf('Pairs')).toEqual(['1 Ann Lee Away', '1 Ann Lee Home'])
  })

  test('cards that a file lacks are missing, even if several files have the others', async () => {
    await imported('Set,Card #,Player\nLacking,1,Ann Lee\nLacking,2,Bo Lee\n')
    const one = 'Set,Card #,Player\nLacking,1,Ann Lee\n'
    const report = await importedTogether([one, one.replace('Player', 'Player,Team').replace('Lee', 'Lee,Cubs')])
    expect(report).toMatchObject({ missingCount: 1 })
  })

  test('an undo takes back what both files made', async () => {
    const identified = 'Set,Card #,Player,Team,id:tcdb\nUndone,1,Ann Lee,New York Mets,undone-1\n'
    const report = await importedTogether([files('Undone')[0] as string, identified])
    expect(report).toMatchObject({ cards: { created: 2, updated: 1 } })
    await runningCommands(app.context)('import', '--undo', report.id as unknown as string)
    expect(await cardsOf('Undone')).toEqual([])
  })

  test('a parallel of a later file has the card of an earlier one as its parent, and a dry run says so', async () => {
    const base = 'Set,Card #,Player\nAbove,1,Ann Lee\n'
    const gold = 'Set,Card #,Player,Parallel\nAbove,1,Ann Lee,Gold\n'
    await imported(gold)
    expect(await importedTogether([base, gold])).toMatchObject({ cards: { created: 1, updated: 1 } })
    const [row] = await sql`select count(*)::int as n from cards c join cards p on p.id = c.parent_id
      join sets s on s.id = p.set_id where s.name = 'Above'`
    expect(row?.n).toBe(1)
  })
})

describe('a player whose name is written in another way', () => {
  const row = (set: string, player: string, team = 'San Diego Padres') =>
    `Set,Card #,Player,Team\n${set},7,${player},${team}\n`

  test.each([
    ['Ha-Seong Kim', 'Ha Seong Kim'],
    ['Hyun Jin Ryu', 'Hyun-Jin Ryu'],
    ['Shin-Soo Choo', 'Shinsoo Choo'],
    ['J.D. Martinez', 'JD Martinez'],
    ['JT Realmuto', 'J. T. Realmuto'],
    ['Isiah Kiner Falefa', 'Isiah Kiner\u2013Falefa'],
  ])('%s and %s are one player on one card', async (one, other) => {
    const set = `Spelled ${one}`
    expect(await imported(row(set, one))).toMatchObject({ players: 1 })
    for (const name of [other, one])
      expect(await imported(row(set, name))).toMatchObject({ players: 0, playerTeams: 0, cards: { unchanged: 1 } })
    expect(await cardsOf(set)).toEqual([`7 ${one} of San Diego Padres`])
  })

  test('also as new names of one file, and in a dry run', async () => {
    const rows = 'Set,Card #,Player\nNew Dashes,1,Chan-Ho Park\nNew Dashes,2,Chan Ho Park\n'
    expect(await imported(rows, '--dry-run')).toMatchObject({ players: 1 })
    expect(await imported(rows)).toMatchObject({ players: 1 })
  })

  test('but the player who has just that name goes first', async () => {
    const make = factories(app)
    const dashed = await make.player({ first_name: 'Ann-Marie', last_name: 'Oh' })
    const spaced = await make.player({ first_name: 'Ann Marie', last_name: 'Oh' })
    await imported('Set,Card #,Player\nBoth Known,1,Ann Marie Oh\nBoth Known,2,Ann-Marie Oh\n')
    const rows = await sql`select o.player_id as id from oncard o join cards c on c.id = o.card_id
      join sets s on s.id = c.set_id where s.name = 'Both Known' order by c.number`
    expect(rows.map(({ id }) => id)).toEqual([spaced.id, dashed.id])
  })

  test('that is nearly the same is a correction, and the report says so', async () => {
    await imported(row('Corrected', 'Ken Grifey'))
    const report = await importedTogether([row('Corrected', 'Ken Griffey Jr.')])
    expect(report).toMatchObject({ cards: { updated: 1, created: 0 } })
    expect(textsOf(report, 'name-replaced')).toEqual(['7 Ken Griffey Jr., in place of 7 Ken Grifey'])
    expect(await cardsOf('Corrected')).toEqual(['7 Ken Griffey Jr. of San Diego Padres'])
  })

  test('and no other: sharing a team does not make two players one, and the report lists both cards', async () => {
    await imported(row('Two Of A Team', 'Tony Gwynn'))
    const report = await importedTogether([row('Two Of A Team', 'Steve Garvey')])
    expect(report).toMatchObject({ cards: { created: 1, updated: 0 }, missingCount: 1 })
    expect(textsOf(report, 'shared-number')).toEqual(['7 Steve Garvey, beside 7 Tony Gwynn'])
    const again = await importedTogether([row('Two Of A Team', 'Tony Gwynn')])
    expect(again).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 1 }, notes: {} })
    expect(await cardsOf('Two Of A Team')).toEqual([
      '7 Steve Garvey of San Diego Padres',
      '7 Tony Gwynn of San Diego Padres',
    ])
  })

  test('a father and his son are two', async () => {
    await imported(row('Family', 'Sandy Alomar Sr.'))
    expect(await imported(row('Family', 'Sandy Alomar Jr.'))).toMatchObject({ cards: { created: 1 } })
    expect(await cardsOf('Family')).toHaveLength(2)
  })
})

describe('remarks', () => {
  const heads = ['Set,Card #,Player', 'set,number,player']

  test.each(heads)('behind a player are codes, numbers of namesakes or titles, under %s', async (head) => {
    const set = `Remarks under ${head.length}`
    const players = ['Cy Lee (Rookie)', 'Cy Lee (RC)', 'Cy Lee (Auto)', 'Cy Lee (AU)', 'Cy Lee (2)', 'Cy Lee (Cap On)']
    const report = await imported(`${head}\n${players.map((name, at) => `${set},${at + 1},${name}\n`).join('')}`)
    expect(await cardsOf(set)).toEqual([
      ...['1 Cy Lee RC', '2 Cy Lee RC', '3 Cy Lee AU', '4 Cy Lee AU', '5 Cy Lee', '6 Cy Lee Cap On'],
    ])
    expect(textsOf(report, 'namesake-number')).toEqual([`${set}: 5 Cy Lee (2)`])
  })

  test.each([
    ['1.', '1'],
    ['No. 4', '4'],
    ['No 4', '4'],
    ['#4', '4'],
    ['# 4', '4'],
    ['Nr. 7', '7'],
    ['N\u00ba 7', '7'],
    ['\u2116 7', '7'],
    ['No. RC-7', 'RC-7'],
    ['NO-7', 'NO-7'],
    ['NO7', 'NO7'],
  ])('the number %s is %s', async (written, number) => {
    for (const head of heads) {
      const set = `Numbered ${Bun.randomUUIDv7()}`
      await imported(`${head}\n${set},${written},Ann Lee\n`)
      expect(await cardsOf(set)).toEqual([`${number} Ann Lee`])
    }
  })
})

describe('a set under two names is one', () => {
  /** Each way to name one set: a header and what stands in front of number and player. */
  const ways: [string, [head: string, row: string], [head: string, row: string]][] = [
    [
      'a child, and its full name',
      ['Product,Card Set,Card #,Player', '2031 Topps Chrome Baseball,Autographs'],
      ['Set,Card #,Player', '2031 Topps Chrome Baseball Autographs'],
    ],
    [
      'a child whose parent has its year in a column, and its full name',
      ['Year,Product,Card Set,Card #,Player', '2036,Topps Finest Baseball,Autographs'],
      ['Set,Card #,Player', '2036 Topps Finest Baseball Autographs'],
    ],
    [
      'year and maker in columns, and in the name',
      ['Year,Manufacturer,Set,Card #,Player', '2031-32,Panini,Prizm Basketball'],
      ['Set,Card #,Player', '2031-32 Panini Prizm Basketball'],
    ],
    [
      'the same in our own form',
      ['year,brand,set,number,player', '2032-33,Panini,Mosaic Basketball'],
      ['set,number,player', '2032-33 Panini Mosaic Basketball'],
    ],
    [
      'year and sport in columns, and in the name',
      ['Year,Sport,Set,Card #,Player', '2033,Football,Topps Finest'],
      ['Card Set,Card #,Player', '2033 Topps Finest Football'],
    ],
    [
      'curly quotes, and straight ones',
      ['set,number,player', '2034 \u201cBest\u201d Bowman\u2019s'],
      ['set,number,player', `2034 ""Best"" Bowman's`],
    ],
  ]
  const quoted = ([head, row]: [string, string], number: number, player: string) =>
    `${head}\n${row
      .split(',')
      .map((cell) => `"${cell}"`)
      .join(',')},${number},${player}\n`

  /** The number of sets that have the two newest cards. */
  const setsOfNewest = async () => {
    const rows = await sql`select set_id from cards where deleted_at is null order by created_at desc, id limit 2`
    return new Set(rows.map(({ set_id }) => set_id)).size
  }
  const later = ([head, row]: [string, string], years: number): [string, string] => [
    head,
    row.replace(/(20|-)(3\d)/g, (_, before, year) => `${before}${Number(year) + years}`),
  ]

  test.each(ways)('%s', async (_, one, other) => {
    for (const [at, ways] of [
      [one, other],
      [other, one],
    ].entries()) {
      const [a, b] = ways as [typeof one, typeof one]
      for (const content of [quoted(later(a, at * 10), 1, 'Ann Lee'), quoted(later(b, at * 10), 2, 'Bo Lee')])
        expect(await imported(content)).toMatchObject({ cards: { created: 1 }, faultCount: 0 })
      expect(await setsOfNewest()).toBe(1)
      const files = [quoted(later(a, at * 10 + 20), 1, 'Ann Lee'), quoted(later(b, at * 10 + 20), 2, 'Bo Lee')]
      expect(await importedTogether(files)).toMatchObject({ cards: { created: 2 }, faultCount: 0 })
      expect(await setsOfNewest()).toBe(1)
    }
  })

  test('and two that differ in the maker, the sport or the year are two', async () => {
    await imported('Year,Manufacturer,Sport,Set,Card #,Player\n2039,Panini,Baseball,Prestige,1,Ann Lee\n')
    for (const set of [
      '2039 Panini Prestige Football',
      '2040 Panini Prestige Baseball',
      '2039 Topps Prestige Baseball',
    ])
      expect(await imported(`Set,Card #,Player\n${set},1,Ann Lee\n`)).toMatchObject({ sets: { created: 1 } })
  })

  test('and one that does not say its sport is two, and the report says so', async () => {
    await imported('Set,Card #,Player\n2041 Topps Chrome Baseball,1,Ann Lee\n')
    const [set] = await sql`select id from sets where name = '2041 Topps Chrome Baseball'`
    const report = await importedTogether(['set,year,number,player\nTopps Chrome,2041,1,Ann Lee\n'])
    expect(report).toMatchObject({ sets: { created: 1 } })
    expect(textsOf(report, 'shared-set-name')).toEqual([
      `Topps Chrome, a new set, may be 2041 Topps Chrome Baseball (2041, Baseball, 1 card, ${set?.id}). If they are one: cardstock merge sets ${set?.id} NEW, where NEW is the new set's id`,
    ])
    const sport = 'set,year,genre,number,player\nTopps Chrome,2042,Baseball,1,Ann Lee\n'
    await imported(sport)
    expect(await imported('Set,Card #,Player\n2042 Topps Chrome Baseball,2,Bo Lee\n')).toMatchObject({
      sets: { created: 0 },
    })
  })
})
