import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runJobs } from '../support/jobs.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const { sql } = app.db

const importText = async (text: string, ...flags: string[]) => {
  const { out, err } = await runningCommands(app.context, text)('import', '-', '--json', ...flags)
  if (out === '') throw new Error(`The import printed no report: ${err}`)
  return JSON.parse(out)
}
const cardsIn = async (set: string) => [
  ...(await sql`
    select c.number, c.title, c.serial_number as serial, c.notes,
      (select array_agg(concat_ws(' of ', p.name, t.name) order by o.position) from oncard o
       left join players p on p.id = o.player_id left join teams t on t.id = o.team_id where o.card_id = c.id) as people,
      (select array_agg(a.attribute order by a.attribute) from card_attributes m join attributes a on a.id = m.attribute_id
       where m.card_id = c.id) as codes
    from cards c join sets s on s.id = c.set_id
    where s.name = ${set} and c.deleted_at is null order by c.number_key collate "C", c.title`),
]
const rich = (set: string) =>
  `set,year,number,player,team,title,attributes,serial_number,notes\n${set},1991,1,Ann Lee,Red Sox,Portrait,RC|SP,/50,Short\n`
const whole = {
  ...{ number: '1', title: 'Portrait', serial: '/50', notes: 'Short' },
  ...{ people: ['Ann Lee of Boston Red Sox'], codes: ['RC', 'SP'] },
}

describe('a column that a file does not have says nothing', () => {
  test('of cards: title, codes, print run, notes and team stay', async () => {
    await importText(rich('Plain'))
    expect(await importText('set,number,player\nPlain,1,Ann Lee\n')).toMatchObject({
      cards: { unchanged: 1, created: 0 },
    })
    expect(await cardsIn('Plain')).toEqual([whole])
  })
  test('a cell that is empty under its heading says that there is none', async () => {
    await importText(rich('Emptied'))
    await importText('set,number,player,title,attributes\nEmptied,1,Ann Lee,,\n')
    expect(await cardsIn('Emptied')).toEqual([{ ...whole, title: null, codes: null }])
  })
  test('--clear-missing clears what the file has no column for', async () => {
    await importText(rich('Cleared'))
    await importText('set,number,player\nCleared,1,Ann Lee\n', '--clear-missing')
    expect(await cardsIn('Cleared')).toEqual([
      { number: '1', title: null, serial: null, notes: 'Short', people: ['Ann Lee'], codes: null },
    ])
  })
  test('a member that a JSON row does not have says nothing, and null says none', async () => {
    await importText(rich('Members'))
    await importText('{"set":"Members","number":"1","player":"Ann Lee"}\n')
    expect(await cardsIn('Members')).toEqual([whole])
    await importText('{"set":"Members","number":"1","player":"Ann Lee","title":null}\n')
    expect(await cardsIn('Members')).toEqual([{ ...whole, title: null }])
  })
  test('a column of one code says nothing of other codes', async () => {
    await importText(rich('By code'))
    await importText('set,number,player,autograph\nBy code,1,Ann Lee,yes\n')
    expect(await cardsIn('By code')).toMatchObject([{ codes: ['AU', 'RC', 'SP'] }])
    await importText('set,number,player,rookie\nBy code,1,Ann Lee,no\n')
    expect(await cardsIn('By code')).toMatchObject([{ codes: ['AU', 'SP'] }])
  })
  test('another player keeps the teams of the others, and a team alone keeps the players', async () => {
    await importText('set,number,player,team\nTeams,1,Ann Lee|Bo Lee,Red Sox|Mets\n')
    await importText('set,number,player\nTeams,1,Ann Lee|Cy Lee\n')
    expect(await cardsIn('Teams')).toMatchObject([{ people: ['Ann Lee of Boston Red Sox', 'Cy Lee'] }])
    await importText('set,number,title,team\nTeams,1,Stars,Red Sox\n')
    expect(await cardsIn('Teams')).toMatchObject([{ title: 'Stars', people: ['Ann Lee of Boston Red Sox', 'Cy Lee'] }])
  })
  test('rows that tell cards of one number apart find theirs, and a poorer file takes them in order', async () => {
    const both = 'set,number,player,title\nTwice,1,Ann Lee,Home\nTwice,1,Ann Lee,Away\n'
    await importText(both)
    const poorer = 'set,number,player\nTwice,1,Ann Lee\nTwice,1,Ann Lee\n'
    expect(await importText(poorer)).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 2 } })
    expect(await importText(both)).toMatchObject({ cards: { created: 0, updated: 0, unchanged: 2 } })
  })
  test('of sets: kind, parent and description stay', async () => {
    const lines = [
      { type: 'sets', id: Bun.randomUUIDv7(), set: 'Above', year: '1991' },
      { type: 'sets', id: Bun.randomUUIDv7(), set: 'Below', year: '1991', kind: 'insert', description: 'Foil' },
    ] as const
    const [above, below] = lines
    await importText(`${JSON.stringify(above)}\n${JSON.stringify({ ...below, parent_set_id: above.id })}\n`)
    await importText('set,year,number,player\nBelow,1991,1,Ann Lee\n')
    await importText(`{"set_id":"${below.id}","set":"Below","year":"1991","number":"2","player":"Ann Lee"}\n`)
    const [set] = await sql`select parent_id, kind, description from sets where id = ${below.id}`
    expect(set).toEqual({ parent_id: above.id, kind: 'insert', description: 'Foil' })
  })
  test('a release and a catalog of games keep what their format does not carry', async () => {
    const release = JSON.stringify({
      name: '1992 Topps Baseball',
      uniqueId: Bun.randomUUIDv7(),
      sets: [
        {
          ...{ name: 'Base', uniqueId: Bun.randomUUIDv7() },
          cards: [{ number: '1', name: 'Ann Lee', uniqueId: Bun.randomUUIDv7(), attributes: ['RC'] }],
        },
      ],
    })
    const game = JSON.stringify([
      {
        ...{ object: 'card', id: Bun.randomUUIDv7(), name: 'Island', set_name: 'First Waters', rarity: 'common' },
        ...{ collector_number: '7', released_at: '1993-08-05', type_line: 'Basic Land — Island' },
      },
    ])
    await importText(release)
    await importText(game)
    await importText('parent_set,set,year,number,player,team\n1992 Topps Baseball,Base,1992,1,Ann Lee,Red Sox\n')
    await importText('set,year,number,title,serial_number\nFirst Waters,1993,7,Island,/100\n')
    await importText(release)
    await importText(game)
    expect(await cardsIn('Base')).toMatchObject([{ people: ['Ann Lee of Boston Red Sox'], codes: ['RC'] }])
    expect(await cardsIn('First Waters')).toMatchObject([{ serial: '/100', title: 'Island' }])
  })
  test('over HTTP, clear_missing brings the old way back', async () => {
    await importText(rich('Asked'))
    const send = async (query: string) => {
      const { text } = await app.operator.send('POST', `/internal/imports?${query}`, {
        body: 'set,number,player\nAsked,1,Ann Lee\n',
        headers: { 'Content-Type': 'text/csv' },
      })
      await runJobs(app.context)
      return JSON.parse(text).job_id as string
    }
    await send('')
    expect(await cardsIn('Asked')).toEqual([whole])
    const { text } = await app.operator.get(`/internal/imports/${await send('clear_missing=true')}`)
    expect(JSON.parse(text)).toMatchObject({ clear_missing: true })
    expect(await cardsIn('Asked')).toMatchObject([{ title: null, codes: null, people: ['Ann Lee'] }])
  })
})

describe('a row that is already there stays there', () => {
  const file = (set: string) => `set,year,genre,number,player,team\n${set},1993,Baseball,1,Cy Young,Red Sox\n`
  const again = { cards: { created: 0, updated: 0, unchanged: 1 }, players: 0, playerTeams: 0 }

  test('after a namesake of its player appeared who has more cards', async () => {
    await importText(file('Stays'))
    const namesake = await make.player({ first_name: 'Cy', last_name: 'Young' })
    const [genre] = (await app.operator.get('/v1/genres?filter[name]=Baseball')).many
    const [year] = (await app.operator.get('/v1/years?filter[name]=1993')).many
    const other = await make.set({ genre, year })
    for (const number of ['1', '2', '3']) await make.card({ set: other, number, oncard: [namesake] })
    expect(await importText(file('Stays'))).toMatchObject({ ...again, notes: {} })
  })
  test('after its player was renamed, and another one bears the name', async () => {
    const rows = 'set,year,number,player\nStill,1994,1,Al Kaline\n'
    await importText(rows)
    const [player] = await sql`select id from players where name = 'Al Kaline'`
    const renamed = { data: { type: 'players', id: player?.id, attributes: { last_name: 'Kaline Senior' } } }
    expect((await app.operator.patch(`/v1/players/${player?.id}`, renamed)).status).toBe(200)
    await make.player({ first_name: 'Al', last_name: 'Kaline' })
    expect(await importText(rows)).toMatchObject(again)
    expect(await cardsIn('Still')).toMatchObject([{ people: ['Al Kaline Senior'] }])
  })
  test('but a card of its number with other people is another card', async () => {
    await importText('set,number,player\nOthers,1,Di Lee\n')
    expect(await importText('set,number,player\nOthers,1,Ed Lee\n')).toMatchObject({ cards: { created: 1 } })
  })
})
