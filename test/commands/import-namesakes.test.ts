import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Two people of one name in one set, and one person under two. */
const app = await testApp()
const { sql } = app.db
const make = factories(app)

type Report = { players: number; notes: Record<string, { count: number; examples: { text: string }[] }> }
const imported = async (content: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await runningCommands(app.context, content)('import', '-', '--json', ...flags)).out)
const textsIn = ({ notes }: Report, rule: string) =>
  notes[rule]?.examples.map(({ text }) => text.replace(/[0-9a-f-]{36}/g, 'he')) ?? []
/** The notes of a rule from an import and from the dry run before it, which have to be the same. */
const notedBy = async (rule: string, set: string, ...rows: string[]) => {
  const content = `Sport,Year,Set,Card #,Player,Team\n${rows.map((row) => `Hockey,2023,${set},${row}\n`).join('')}`
  const [dry, report] = [await imported(content, '--dry-run'), await imported(content)]
  expect(textsIn(dry, rule)).toEqual(textsIn(report, rule))
  return textsIn(report, rule)
}
const bearersOf = async (name: string) => {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from players where name = ${name}`
  return row?.count
}

describe('one name in one set', () => {
  const [first, second] = ['12,Sebastian Lee,Carolina Hurricanes', '340,Sebastian Lee,New York Islanders']
  const said = ['340 Sebastian Lee: 12 in this set is of another team']

  test('under two numbers and teams is noted once, and nobody is parted', async () => {
    expect(await notedBy('ambiguous-player', 'Teams', first, second, second.replace('340', '341'))).toEqual(said)
    expect(await bearersOf('Sebastian Lee')).toBe(1)
  })

  test('also if the second comes in another import', async () => {
    expect(await notedBy('ambiguous-player', 'In turn', first.replaceAll('Sebastian', 'Otto'))).toEqual([])
    expect(await notedBy('ambiguous-player', 'In turn', second.replaceAll('Sebastian', 'Otto'))).toHaveLength(1)
    expect(await notedBy('ambiguous-player', 'In turn', second.replaceAll('Sebastian', 'Otto'))).toEqual([])
  })

  test('with one team, one number or in another set is not', async () => {
    expect(await notedBy('ambiguous-player', 'Same', '1,Ann Lee,Boston Bruins', '2,Ann Lee,Boston Bruins')).toEqual([])
    expect(await notedBy('ambiguous-player', 'Same', '3,Bo Lee,Boston Bruins', '3,Bo Lee,St. Louis Blues')).toEqual([])
    expect(await notedBy('ambiguous-player', 'Same', '4,Cy Lee,Boston Bruins', '5,Cy Lee,')).toEqual([])
    expect(await notedBy('ambiguous-player', 'Other', '6,Ann Lee,St. Louis Blues')).toEqual([])
  })

  test('with the years of a life in one row alone is noted, in either order', async () => {
    const rows = ['12,Dy Lee (b. 1996),', '340,Dy Lee,']
    expect(await notedBy('ambiguous-player', 'Life', ...rows)).toEqual(['340 Dy Lee: 12 in this set is (b. 1996)'])
    const others = rows.map((row) => row.replace('Dy', 'Ed')).toReversed()
    expect(await notedBy('ambiguous-player', 'Life', ...others)).toEqual([
      '12 Ed Lee: 340 in this set is not (b. 1996)',
    ])
  })

  test('with two lives is two people', async () => {
    expect(await notedBy('ambiguous-player', 'Lives', '12,Flo Lee (b. 1996),', '340,Flo Lee (b. 1997),')).toEqual([])
    expect(await bearersOf('Flo Lee')).toBe(2)
  })
})

test('of two players with one name, a row is the one who has its team', async () => {
  const players = [
    await make.player({ first_name: 'Gus', last_name: 'Lee' }),
    await make.player({ first_name: 'Gus', last_name: 'Lee' }),
  ]
  const teams = ['Ottawa Senators', 'Dallas Stars']
  for (const [at, player] of players.entries())
    await make.playerTeam({ player, team: await make.team({ name: teams[at] }) })
  expect(await notedBy('ambiguous-player', 'Known', '1,Gus Lee,Dallas Stars', '2,Gus Lee,Ottawa Senators')).toEqual([])
  const rows = await sql<{ id: string }[]>`
    select o.player_id as id from cards c join sets s on s.id = c.set_id join oncard o on o.card_id = c.id
    where s.name = 'Known' order by c.number`
  expect(rows.map(({ id }) => id)).toEqual(players.map(({ id }) => id).toReversed())
})

describe('two spellings under one number of a file', () => {
  test.each([
    ['Mike Trout', 'Micheal Trout'],
    ['Ken Grifey', 'Ken Griffey'],
    ['Ken Griffey', 'Ken Griffey Jr.'],
    ['J. Soto', 'Juan Soto'],
  ])('%s and %s are listed', async (one, other) => {
    const said = [`7 ${other}, beside 7 ${one}`]
    expect(await notedBy('similar-names', `Near ${one} ${other}`, `7,${one},`, `8,Ann Lee,`, `7,${other},`)).toEqual(
      said,
    )
  })

  test('far from one another in a long file, too', async () => {
    const others = Array.from({ length: 4500 }, (_, at) => `${at + 100},,Boston Bruins`)
    const rows = ['7,Mike Trout,', ...others, '7,Micheal Trout,']
    expect(await notedBy('similar-names', 'Far', ...rows)).toEqual(['7 Micheal Trout, beside 7 Mike Trout'])
  })

  test.each([
    ['Ann Lee', 'Bo Lee'],
    ['Sandy Alomar Sr.', 'Sandy Alomar Jr.'],
  ])('%s and %s are not', async (one, other) => {
    expect(await notedBy('similar-names', `Apart ${one}`, `7,${one},`, `7,${other},`)).toEqual([])
  })
})
