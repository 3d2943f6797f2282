import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

/** Teams as checklists write them: short, several, or none. */
const app = await testApp()
const { sql } = app.db

type Report = { id: string; notes: Record<string, { examples: { text: string }[] }> }

const run = async (content: string, ...flags: string[]): Promise<Report> =>
  JSON.parse((await runningCommands(app.context, content)('import', '-', '--json', ...flags)).out)
const textsOf = ({ notes }: Report, rule: string) => notes[rule]?.examples.map(({ text }) => text) ?? []
const noted = (report: Report) =>
  Object.keys(report.notes).flatMap((rule) => textsOf(report, rule).map((text) => `${rule} ${text}`))

/** The players and teams on the cards of an import, in the order of their numbers. */
const onCards = async ({ id }: Report) => {
  const rows = await sql<{ line: string }[]>`
    select coalesce((
        select string_agg(concat_ws(' @ ', pl.name, t.name), ' + ' order by o.position) from oncard o
        left join players pl on pl.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id
      ), '-') as line
    from cards c
    where c.id in (select unnest(ids) from import_made where import_id = ${id} and object_type = 'cards')
    order by c.number_key collate "C"`
  return rows.map(({ line }) => line)
}

let readings = 0
/** The teams that cells are read as on cards of a sport and year, and what the report says of them. */
const read = async (
  facts: [genre: string, year: string],
  cells: string[],
  header = 'Sport,Year,Set,Card #,Player,Team',
) => {
  const player = `Ann L${'e'.repeat(++readings)}`
  const rows = cells.map((cell, at) => `${facts},Set ${Bun.randomUUIDv7()},${at + 1},${player},${cell}\n`)
  const content = `${header}\n${rows.join('')}`
  const dry = await run(content, '--dry-run')
  const report = await run(content)
  expect(noted(dry)).toEqual(noted(report))
  return {
    teams: (await onCards(report)).map((line) => line.replace(player, '').replace(' @ ', '')),
    notes: noted(report),
  }
}

test.each([
  ['SEA', 'Baseball', '2020', 'Seattle Mariners'],
  ['SEA', 'Football', '2020', 'Seattle Seahawks'],
  ['Mariners', '', '2020', 'Seattle Mariners'],
  ['MARINERS', '', '2020', 'Seattle Mariners'],
  ['LA Dodgers', '', '2020', 'Los Angeles Dodgers'],
  ['LA Dodgers', 'Baseball', '2020', 'Los Angeles Dodgers'],
  ['Dodgers', 'Baseball', '1952', 'Brooklyn Dodgers'],
  ['Angels', 'Baseball', '1975', 'California Angels'],
  ['a’s', 'Baseball', '1989', 'Oakland Athletics'],
  ['Giants', 'Football', '1986', 'New York Giants'],
  ['Rangers', 'Hockey', '2023-24', 'New York Rangers'],
  ['Seattle', 'Basketball', '1995-96', 'Seattle SuperSonics'],
  ['Mariners', 'Baseball', '', 'Seattle Mariners'],
  ['Chi White Sox', '', '2020', 'Chicago White Sox'],
  ['Arizona D-backs', '', '', 'Arizona Diamondbacks'],
  ['Chi Cubs', 'Baseball', '2020', 'Chicago Cubs'],
  ['N.Y. Yankees', 'Baseball', '1955', 'New York Yankees'],
  ['SD Padres', 'Baseball', '2020', 'San Diego Padres'],
  ['SF Giants', '', '2020', 'San Francisco Giants'],
  ['TB Rays', 'Baseball', '2020', 'Tampa Bay Rays'],
  ['KC Royals', '', '2020', 'Kansas City Royals'],
  ['Dallas Mavs', '', '2020', 'Dallas Mavericks'],
])('%s in %s of %s is the team that it means, and the report says so', async (cell, genre, year, team) => {
  expect(await read([genre, year], [cell])).toEqual({ teams: [team], notes: [`team-read-as ${cell}: ${team}`] })
})

test('a short name is found in our own form and in JSON, too', async () => {
  const own = await run('genre,year,set,number,player,team\nBaseball,2020,Own form,1,Ann Lee,CHC\n')
  const rows = await run(
    '{"genre":"Baseball","year":"2020","set":"Rows of JSON","number":"1","player":"Ann Lee","team":"CHC"}\n',
  )
  expect([await onCards(own), await onCards(rows)]).toEqual([['Ann Lee @ Chicago Cubs'], ['Ann Lee @ Chicago Cubs']])
})

test('a file without sport and year is about the sport and year of its set', async () => {
  await run('Sport,Year,Set,Card #,Player,Team\nHockey,2021,2021 Iced,1,Ann Lee,Seattle Kraken\n')
  const report = await run('Set,Card #,Player,Team\n2021 Iced,2,Bo Lee,SEA\n')
  expect(await onCards(report)).toEqual(['Bo Lee @ Seattle Kraken'])
})

test.each([
  ['LA', 'Baseball', '2020', 'may be Los Angeles Angels or Los Angeles Dodgers'],
  ['New York', 'Baseball', '2020', 'may be New York Mets or New York Yankees'],
  ['Giants', '', '2020', 'may be San Francisco Giants or New York Giants'],
  ['SEA', '', '1975', 'may be Seattle SuperSonics'],
  ['Storm', '', '2020', 'may be Seattle Storm'],
  ['Kraken', 'Hockey', '1995', 'no team of its sport and year'],
])('%s in %s of %s stays as it is written, and the report says so', async (cell, genre, year, teams) => {
  expect(await read([genre, year], [cell])).toEqual({ teams: [cell], notes: [`ambiguous-team ${cell}: ${teams}`] })
})

test.each(['Free Agent', 'Various', 'Multiple', 'No Team', 'Unknown', 'multiple teams'])(
  '%s is no team, and the report says so',
  async (cell) => {
    expect(await read(['Baseball', '2020'], [cell])).toEqual({ teams: [''], notes: [`no-team ${cell}`] })
  },
)

test('a dash and N/A are an empty cell', async () => {
  expect(await read(['Baseball', '2020'], ['-', 'N/A'])).toEqual({ teams: ['', ''], notes: [] })
})

test('each name is noted once', async () => {
  const { teams, notes } = await read(['Baseball', '2020'], ['STL', 'STL', 'Various', 'STL'])
  expect(teams).toEqual(['St. Louis Cardinals', 'St. Louis Cardinals', '', 'St. Louis Cardinals'])
  expect(notes).toEqual(['team-read-as STL: St. Louis Cardinals', 'no-team Various'])
})

test('what the catalog has by that name stays it, and what it has by its abbreviation or place is found', async () => {
  await factories(app).team({ name: 'Unknown' })
  await factories(app).team({ name: 'Kobe Waves', location: 'Kobe', abbreviation: 'KWV' })
  const known = await read(['Chess', '2020'], ['Unknown', 'KWV', 'kobe', 'Waves', 'Kobe Waves', 'Sharks'])
  expect(known).toEqual({
    teams: ['Unknown', 'Kobe Waves', 'Kobe Waves', 'Kobe Waves', 'Kobe Waves', 'Sharks'],
    notes: ['KWV', 'kobe', 'Waves'].map((cell) => `team-read-as ${cell}: Kobe Waves`),
  })
})

test('a place of two sports is the team of the sport', async () => {
  await factories(app).team({ name: 'Oslo Rooks', location: 'Oslo' })
  await factories(app).team({ name: 'Oslo Tides', location: 'Oslo' })
  await run(
    'Sport,Year,Set,Card #,Player,Team\nChess,2020,Rooks,1,Ann Lee,Oslo Rooks\nRowing,2020,Tides,1,Bo Lee,Oslo Tides\n',
  )
  expect((await read(['Rowing', '2020'], ['Oslo'])).teams).toEqual(['Oslo Tides'])
  expect(await read(['', '2020'], ['Oslo'])).toEqual({
    teams: ['Oslo'],
    notes: ['ambiguous-team Oslo: may be Oslo Rooks or Oslo Tides'],
  })
})

test('teams against each other are one for each player, as with a slash', async () => {
  const facts = 'Sport,Year,Set,Card #,Player,Team\nBaseball,2020,Against,'
  for (const cell of ['Mets vs. Cubs', 'Mets vs Cubs', 'NYM / CHC'])
    expect(await onCards(await run(`${facts}${cell},Ann Lee / Bo Lee,${cell}\n`))).toEqual([
      'Ann Lee @ New York Mets + Bo Lee @ Chicago Cubs',
    ])
  expect(await onCards(await run(`${facts}4,,Mets vs. Cubs\n`))).toEqual(['New York Mets + Chicago Cubs'])
  const own = await run('genre,year,set,number,player,team\nBaseball,2020,Against,5,Ann Lee,Mets vs. Cubs\n')
  expect(noted(own)).toEqual(['ambiguous-team Mets vs. Cubs: may be several teams'])
})
