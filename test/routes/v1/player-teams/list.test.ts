import { expect, test } from 'bun:test'
import { idsOf } from '../../../support/answer.ts'
import { testApp, testBaseUrl } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const make = factories(app)
const set = await make.set({ status: 'published' })
const [mj, lb] = [
  await make.player({ first_name: 'Michael', last_name: 'Jordan' }),
  await make.player({ first_name: 'Larry', last_name: 'Bird' }),
]
const [bulls, wizards] = [await make.team({ name: 'Bulls' }), await make.team({ name: 'Wizards' })]
const mjBulls = await make.playerTeam({ player: mj, team: bulls })
const mjWizards = await make.playerTeam({ player: mj, team: wizards })
const lbBulls = await make.playerTeam({ player: lb, team: bulls })
await make.card({ set, oncard: [mjBulls, mjWizards] })

const names = async (query: string, caller = app.reader, path = 'player-teams') => {
  const { status, many, meta } = await caller.get(`/v1/${path}?${query}`)
  expect([status, meta.total]).toEqual([200, many.length])
  return many.map(({ attributes }) => attributes.name as string)
}

test('player-teams are listed by name; only those that a published card bears to published readers', async () => {
  expect(await names('')).toEqual(['Michael Jordan (Bulls)', 'Michael Jordan (Wizards)'])
  expect(await names('', app.draftReader)).toEqual([
    'Larry Bird (Bulls)',
    'Michael Jordan (Bulls)',
    'Michael Jordan (Wizards)',
  ])
})

test('filters by player and by team are exact ids', async () => {
  expect(await names(`filter[player_id]=${mj.id}`)).toEqual(['Michael Jordan (Bulls)', 'Michael Jordan (Wizards)'])
  expect(await names(`filter[team_id]=${bulls.id}`, app.draftReader)).toEqual([
    'Larry Bird (Bulls)',
    'Michael Jordan (Bulls)',
  ])
  expect(await names(`filter[team_id]=${bulls.id}`)).toEqual(['Michael Jordan (Bulls)'])
  expect(await names(`filter[team_id]=${bulls.id}&filter[player_id]=${lb.id}`, app.draftReader)).toEqual([
    'Larry Bird (Bulls)',
  ])
  for (const value of ['', 'x', `like:${mj.id}`])
    expect((await app.reader.get(`/v1/player-teams?filter[player_id]=${value}`)).faults).toEqual([
      'INVALID_PARAMETER filter[player_id]',
    ])
})

test('the bare names and the old path are deprecated and work', async () => {
  for (const path of [
    `player-teams?team_id=${bulls.id}`,
    `player-teams?player_id=${mj.id}`,
    'playerteams',
    `playerteams/${mjBulls.id}`,
    'playerteams?include=player',
  ]) {
    const { status, headers } = await app.reader.get(`/v1/${path}`)
    expect([path, status, headers.get('deprecation'), headers.has('sunset')]).toEqual([path, 200, '@1795219200', true])
  }
  expect(await names(`player_id=${mj.id}`, app.reader, 'playerteams')).toHaveLength(2)
  expect((await app.reader.get(`/v1/player-teams?filter[team_id]=${bulls.id}`)).headers.has('deprecation')).toBe(false)
  expect((await app.anonymous.get('/v1/playerteams')).headers.has('deprecation')).toBe(true)
})

test('the old path says that it is deprecated to a method that it does not take, too', async () => {
  const [old, present] = [
    await app.operator.send('PUT', '/v1/playerteams'),
    await app.operator.send('PUT', '/v1/player-teams'),
  ]
  expect([old.status, old.headers.get('deprecation'), old.headers.has('sunset')]).toEqual([405, '@1795219200', true])
  expect([present.status, present.headers.has('deprecation')]).toEqual([405, false])
})

test('what the old path answers points at itself or the new path, never elsewhere', async () => {
  const { links, many } = await app.reader.get('/v1/playerteams?per_page=1')
  for (const link of Object.values(links))
    expect((await app.reader.get((link as string).slice(testBaseUrl.length))).status).toBe(200)
  expect(many[0]?.links.self).toBe(`${testBaseUrl}/v1/player-teams/${many[0]?.id}`)
})

test('include brings player and team, each once', async () => {
  const { included } = await app.draftReader.get('/v1/player-teams?include=player,team')
  expect(idsOf(included).toSorted()).toEqual(idsOf([mj, lb, bulls, wizards]).toSorted())
  const { included: ofOne } = await app.draftReader.get(`/v1/player-teams/${lbBulls.id}?include=team`)
  expect(idsOf(ofOne)).toEqual([bulls.id])
})

test('unknown parameters are refused one by one', async () => {
  const { faults } = await app.reader.get('/v1/player-teams?filter[name]=x&name=y&include=cards&page=0')
  expect(faults).toEqual(['filter[name]', 'name', 'include', 'page'].map((name) => `INVALID_PARAMETER ${name}`))
})
