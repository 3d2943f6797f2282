import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const importText = async (text: string, ...flags: string[]) => {
  const { out, err } = await runningCommands(app.context, text)('import', '-', '--json', ...flags)
  if (out === '') throw new Error(`The import printed no report: ${err}`)
  return JSON.parse(out)
}
type Card = { id: string; title: string | null; name: string; version: string; deleted: boolean }
const cardsIn = async (set: string) => [
  ...(await sql<Card[]>`
    select c.id, c.title, c.name, c.version, c.deleted_at is not null as deleted
    from cards c join sets s on s.id = c.set_id where s.name = ${set} order by c.number_key collate "C", c.name`),
]
const cardIn = async (set: string) => (await cardsIn(set))[0] as Card
const patch = async (type: string, id: string, attributes: object) => {
  const { status } = await app.operator.patch(`/v1/${type}/${id}`, { data: { type, id, attributes } })
  expect(status).toBe(200)
}
const header = 'set,year,genre,number,player,team,title,notes\n'
const none = { created: 0, updated: 0, unchanged: 0, failed: 0 }

describe("a curator's word", () => {
  const file = (title = 'Old', notes = 'first') => `${header}Kept,1990,Baseball,1,Ann Lee,,${title},${notes}\n`

  test('a field that somebody changed is kept and listed; one that only the source changed is updated', async () => {
    await importText(file())
    const { id } = await cardIn('Kept')
    await patch('cards', id, { title: 'Mended' })
    expect(await importText(file('Old', 'second'))).toMatchObject({
      cards: { ...none, updated: 1 },
      ...{ keptCount: 1, kept: [{ type: 'cards', id, field: 'title', kept: 'Mended', said: 'Old' }] },
    })
    const [card] = await sql`select title, notes from cards where id = ${id}`
    expect(card).toEqual({ title: 'Mended', notes: 'second' })
    expect(await importText(file('Old', 'second'))).toMatchObject({ cards: { ...none, unchanged: 1 }, keptCount: 1 })
    expect(await cardsIn('Kept')).toHaveLength(1)
  })
  test("--overwrite takes the source, and from then on the field is the source's again", async () => {
    expect(await importText(file('Old', 'second'), '--overwrite')).toMatchObject({
      cards: { updated: 1 },
      keptCount: 0,
    })
    expect((await cardIn('Kept')).title).toBe('Old')
    expect(await importText(file('Newer', 'second'))).toMatchObject({ cards: { updated: 1 }, keptCount: 0 })
    expect((await cardIn('Kept')).title).toBe('Newer')
  })
  test('a card that a person deleted stays deleted, but for --overwrite', async () => {
    const { id } = await cardIn('Kept')
    expect((await app.operator.delete(`/v1/cards/${id}`)).status).toBe(204)
    expect(await importText(file('Newer', 'second'))).toMatchObject({
      ...{ cards: { ...none, unchanged: 1 }, keptCount: 1, kept: [{ id, field: 'deleted', kept: true, said: false }] },
    })
    expect(await cardsIn('Kept')).toMatchObject([{ id, deleted: true }])
    await importText(file('Newer', 'second'), '--overwrite')
    expect(await cardsIn('Kept')).toMatchObject([{ id, deleted: false }])
  })
  test('a player-team that a person deleted stays deleted, and rows with it bear the player, but for --overwrite', async () => {
    const rows = (numbers: number[]) =>
      header + numbers.map((number) => `Pairs,1990,Baseball,${number},Al Port,Bay City,,\n`).join('')
    await importText(rows([1]))
    const [pair] = await sql`select id from player_teams where name = 'Al Port (Bay City)'`
    expect((await app.operator.delete(`/v1/player-teams/${pair?.id}`)).status).toBe(204)
    const said = {
      type: 'playerteams',
      id: pair?.id,
      name: 'Al Port (Bay City)',
      field: 'deleted',
      kept: true,
      said: false,
    }
    expect(await importText(rows([1, 2]))).toMatchObject({
      ...{ cards: { ...none, created: 1, unchanged: 1 }, playerTeams: 0, keptCount: 1, kept: [said] },
    })
    const shown = () => sql`select has_team, oncard_ids like 'x%' as paired from cards where name like '% Al Port'`
    expect([...(await shown())]).toEqual(Array(2).fill({ has_team: false, paired: false }))
    expect(await importText(rows([1, 2]), '--overwrite')).toMatchObject({
      cards: { ...none, updated: 2 },
      keptCount: 0,
    })
    expect([...(await shown())]).toEqual(Array(2).fill({ has_team: true, paired: true }))
  })
  test('a player who was renamed is found by the name of the file', async () => {
    const rows = `${header}Renamed,1990,Baseball,1,Ken Grifey,,,\n`
    await importText(rows)
    const [player] = await sql`select id from players where name = 'Ken Grifey'`
    await patch('players', player?.id, { last_name: 'Griffey' })
    const report = await importText(rows)
    expect(report).toMatchObject({ players: 0, cards: { ...none, unchanged: 1 } })
    expect(report.kept).toMatchObject([
      { type: 'players', id: player?.id, field: 'name', kept: 'Ken Griffey', said: 'Ken Grifey' },
    ])
    expect((await cardIn('Renamed')).name).toBe('1 Ken Griffey')
  })
  test('a set that was renamed is found by the name of the file, and keeps its own', async () => {
    const rows = `${header}Set mispelled,1990,Baseball,1,Ann Lee,,,\n`
    await importText(rows)
    const [set] = await sql`select id from sets where name = 'Set mispelled'`
    await patch('sets', set?.id, { name: 'Set misspelled' })
    for (const _ of [1, 2])
      expect(await importText(rows)).toMatchObject({
        ...{ sets: { ...none, unchanged: 1 }, cards: { ...none, unchanged: 1 } },
        kept: [{ type: 'sets', id: set?.id, field: 'name', kept: 'Set misspelled', said: 'Set mispelled' }],
      })
  })
})

describe('names', () => {
  test('are compared as duplicates are, and aliases are names', async () => {
    const player = await make.player({ first_name: 'José', last_name: 'Núñez Jr.' })
    await sql`update players set aliases = ${'Pepe Núñez\nJN'} where id = ${player.id}`
    const rows = ['Jose Nunez Jr', 'Pepe Núñez', 'pepe nunez', 'JN'].map(
      (name, at) => `Aliases,1990,,${at},${name},,,\n`,
    )
    expect(await importText(header + rows.join(''))).toMatchObject({ players: 0, cards: { created: 4 } })
    const [row] = await sql`select count(*)::int as cards from oncard where player_id = ${player.id}`
    expect(row?.cards).toBe(4)
  })
  test.each([
    ['Shin-Soo Choo', 'Shin Soo Choo'],
    ['Hyun Jin Ryu', 'Hyun-Jin Ryu'],
    ['J.-P. Crawford', 'JP Crawford'],
  ])('the alias %s is found as %s, and a card with it stays where it is', async (alias, other) => {
    const set = `Dashed ${alias}`
    const player = await make.player({ first_name: 'Some', last_name: `Body ${alias.length}${alias[0]}` })
    const team = await make.team({ name: `Some Club ${alias.length}${alias[0]}` })
    await sql`update players set aliases = ${`SB\n${alias}`} where id = ${player.id}`
    await sql`update teams set aliases = ${`Club ${alias}`} where id = ${team.id}`
    const rowOf = (number: number, name: string, title = '') =>
      `${set},1990,,${number},${name},Club ${name},${title},\n`
    expect(await importText(header + rowOf(1, alias) + rowOf(2, other))).toMatchObject({ players: 0, teams: 0 })
    const again = await importText(header + rowOf(1, other, 'Titled'))
    expect(again).toMatchObject({ players: 0, cards: { ...none, updated: 1 } })
    const [row] =
      await sql`select count(*)::int as cards from oncard where player_id = ${player.id} and team_id = ${team.id}`
    expect(row?.cards).toBe(2)
  })

  test('that are new are one player in all their spellings, called as the first row calls them', async () => {
    const rows = [
      'Ray Junior Jr.',
      'Ray Junior Jr',
      'Ray Junior, Jr.',
      'RAY JUNIOR JR',
      'J. R. Junior',
      'JR Junior',
    ].map(
      (name, at) =>
        `Spelled,1990,Baseball,${at},${name.includes(',') ? `"${name}"` : name},${at % 2 ? 'St. Town' : 'St Town'},,\n`,
    )
    // Title after title, so that the last spelling comes in a later chunk.
    const titles = Array.from({ length: 5000 }, (_, at) => `Spelled,1990,Baseball,${at + 100},,,Card ${at},\n`)
    const text = [header, ...rows, ...titles, 'Spelled,1990,Baseball,9999,RAY  JUNIOR Jr,ST. TOWN,,\n'].join('')
    const counts = { players: 2, teams: 1, playerTeams: 2, cards: { created: 5007 } }
    expect(await importText(text, '--dry-run')).toMatchObject(counts)
    expect(await importText(text)).toMatchObject(counts)
    expect(
      (
        await sql`select name from players where last_name like 'Junior%' or name ilike 'ray junior%' order by name`
      ).map(({ name }) => name),
    ).toEqual(['J. R. Junior', 'Ray Junior Jr.'])
    expect(await importText(text)).toMatchObject({ players: 0, teams: 0, cards: { ...none, unchanged: 5007 } })
  })
  test('that are equal are told apart by genre, then by year; what remains open is said, and is the one with most cards', async () => {
    const [one, two] = [
      await make.player({ first_name: 'Frank', last_name: 'Thomas' }),
      await make.player({ first_name: 'Frank', last_name: 'Thomas' }),
    ]
    const put = async (player: typeof one, set: string, year: string, genre: string) => {
      await importText(`set,year,genre,number,title\n${set},${year},${genre},1,x\n`)
      const { id } = await cardIn(set)
      const oncard = { data: [{ type: 'players', id: player.id }] }
      expect(
        (await app.operator.patch(`/v1/cards/${id}`, { data: { type: 'cards', id, relationships: { oncard } } }))
          .status,
      ).toBe(200)
    }
    await put(one, 'Thomas 1957', '1957', 'Baseball')
    await put(one, 'Thomas 1958', '1958', 'Baseball')
    await put(two, 'Thomas 1991', '1991', 'Baseball')
    await put(two, 'Thomas Football', '1957', 'Football')
    const whoIsOn = async (set: string) => {
      const rows =
        await sql`select o.player_id as id from cards c join sets s on s.id = c.set_id join oncard o on o.card_id = c.id where s.name = ${set}`
      return rows[0]?.id
    }
    const found = async (set: string, year: string, genre: string) => {
      const report = await importText(`set,year,genre,number,player\n${set},${year},${genre},7,Frank Thomas\n`)
      expect(report.players).toBe(0)
      return [await whoIsOn(set), report.notes['ambiguous-player']?.count ?? 0]
    }
    expect(await found('Found 1960', '1960', 'Baseball')).toEqual([one.id, 0])
    expect(await found('Found 1993', '1993', 'Baseball')).toEqual([two.id, 0])
    expect(await found('Found Football', '1990', 'Football')).toEqual([two.id, 0])
    expect(await found('Found both', '', '')).toEqual([two.id, 1])
  })
})

describe('a row without an id', () => {
  test('updates the one card of the number that shares somebody, and leaves one that another row claims', async () => {
    await importText(
      `${header}By number,1990,,1,Ann Lee,,,\nBy number,1990,,2,Bo Lee,,,\nBy number,1990,,3,,,Checklist,\n`,
    )
    const [first, second, third] = await cardsIn('By number')
    const report = await importText(
      `${header}By number,1990,,1,Ann Lee,Cubs,,\nBy number,1990,,2,Bo Lee,,Variation,\nBy number,1990,,2,Bo Lee,,,\nBy number,1990,,3,Cy Lee,,,\n`,
    )
    expect(report.cards).toMatchObject({ created: 1, updated: 2, unchanged: 1 })
    const cards = await cardsIn('By number')
    expect(cards.map(({ name }) => name)).toEqual(['1 Ann Lee', '2 Bo Lee', '2 Bo Lee Variation', '3 Cy Lee'])
    expect(cards[0]?.id).toBe(first?.id as string)
    expect(cards[1]?.id).toBe(second?.id as string)
    expect(cards[3]?.id).toBe(third?.id as string)
  })
  test('a bare name that several sets have is refused with the candidates; a year or a parent tells them apart', async () => {
    await importText('set,year,number,title\nBare,1990,1,x\nBare,1991,1,x\n')
    const sets = await sql<{ id: string }[]>`select id from sets where name = 'Bare' order by no`
    const report = await importText('set,number,title\nBare,2,y\n')
    expect(report.cards.failed).toBe(1)
    for (const { id } of sets) expect(report.faults[0].reason).toContain(id)
    const twice = await importText(`${header}Bare,,,3,Nobody Yet,Nowhere,,\nBare,,Below,4,Nobody Yet,Nowhere,,\n`)
    expect(twice).toMatchObject({ faultCount: 2, cards: { failed: 2 }, sets: none, players: 0, teams: 0 })
    for (const { id } of sets) for (const { reason } of twice.faults) expect(reason).toContain(id)
    expect(await sql`select from players where name = 'Nobody Yet'`).toHaveLength(0)
    expect(await importText('set,year,number,title\nBare,1991,2,y\n')).toMatchObject({
      sets: { ...none, unchanged: 1 },
    })
    const alone = await importText('set,number,title\nThomas 1991,9,y\n')
    expect(alone).toMatchObject({ sets: { ...none, unchanged: 1 }, cards: { created: 1 } })
  })
})

describe('cards that the file does not have', () => {
  const rows = (numbers: number[]) => header + numbers.map((at) => `Gone,1990,,${at},P ${at},,,\n`).join('')

  test('are counted as missing, and --prune deletes those that no person added or changed', async () => {
    await importText(rows([1, 2, 3, 4]))
    const [, two, three] = await cardsIn('Gone')
    await patch('cards', three?.id as string, { notes: 'Mine' })
    const [set] = await sql`select id from sets where name = 'Gone'`
    await make.card({ set: { type: 'sets', id: set?.id } as never, number: '9', title: 'By hand' })
    expect(await importText(rows([1]))).toMatchObject({ missingCount: 4, pruned: 0 })
    expect(await importText(rows([1]), '--prune', '--dry-run')).toMatchObject({ missingCount: 4, pruned: 2 })
    expect((await cardsIn('Gone')).filter(({ deleted }) => deleted)).toEqual([])
    const report = await importText(rows([1]), '--prune')
    expect(report).toMatchObject({ missingCount: 4, pruned: 2 })
    const left = (await cardsIn('Gone')).filter(({ deleted }) => !deleted)
    expect(left.map(({ name }) => name)).toEqual(['1 P 1', '3 P 3', '9 By hand'])
    await importText(rows([1, 2]))
    expect((await cardsIn('Gone')).find(({ id }) => id === two?.id)).toMatchObject({ deleted: false })
  })
  test('are left where a refused row names their number; the others go', async () => {
    const half = (numbers: number[]) => rows(numbers).replaceAll('Gone', 'Half')
    await importText(`${half([1, 2, 3])}Half too,1990,,1,P 1,,,\nHalf too,1990,,2,P 2,,,\n`)
    const refused = `Half,1990,,2,${'n'.repeat(300)},,,\n`
    const report = await importText(`${half([1])}Half too,1990,,1,P 1,,,\n${refused}`, '--prune')
    expect(report.missing.map(({ name, deleted }: { name: string; deleted: boolean }) => [name, deleted])).toEqual([
      ['3 P 3', true],
      ['2 P 2', false],
      ['2 P 2', false],
    ])
    expect(report.notes['not-pruned'].examples[0].text).toContain('the number of a refused row: 2')
  })
  test('are all left where a refused row names no number', async () => {
    const report = await importText(`${rows([1])}Gone,1990,,${'n'.repeat(300)},P 2,,,\n`, '--prune')
    expect(report).toMatchObject({ pruned: 0, notes: { 'not-pruned': { count: 1 } } })
  })
})

describe('--dry-run', () => {
  test('says of each set and card what it would become, and writes nothing', async () => {
    await importText(`${header}Dry,1990,Baseball,1,Ann Lee,,Old,\n`)
    const count = async () => [
      ...(await sql`select (select count(*)::int from changes) as changes, (select count(*)::int from players) as players,
        (select count(*)::int from sets) as sets, (select count(*)::int from import_made) as made, (select count(*)::int from revisions) as revisions`),
    ]
    const before = await count()
    const report = await importText(
      `${header}Dry,1990,Baseball,1,Ann Lee,,New,\nDry new,1990,Baseball,1,New Person,New Team,,\nDry new,1990,Baseball,2,New Person,,,\n`,
      '--dry-run',
    )
    expect(report).toMatchObject({
      ...{
        sets: { created: 1, unchanged: 1 },
        cards: { created: 2, updated: 1 },
        players: 1,
        teams: 1,
        playerTeams: 1,
      },
      changeCount: 4,
    })
    expect(report.changes).toContainEqual(
      expect.objectContaining({ type: 'cards', before: { title: 'Old' }, after: { title: 'New' } }),
    )
    expect(report.changes).toContainEqual(
      expect.objectContaining({
        name: '1 New Person',
        before: null,
        after: expect.objectContaining({ number: '1', oncard: ['New Person (New Team)'] }),
      }),
    )
    expect(await count()).toEqual(before)
  })
})
