import { expect, test } from 'bun:test'
import { type TestApp, testApp } from '../../support/app.ts'
import { concurrentDatabase } from '../../support/database.ts'
import { aDocument, factories, toMany, toOne } from '../../support/factories.ts'
import { writers } from '../../support/writers.ts'

const database = await concurrentDatabase('a storm of writers on the same few records')

const writersAtOnce = 8
const operationsEach = 50

const claims = (app: TestApp) => {
  const make = factories(app)
  const { operator } = app

  test('publishers, card writers, deleters and renamers on the same records leave everything true and surface no deadlock', async () => {
    const writer = await writers(app, operationsEach)
    const answers = (await Promise.all(Array.from({ length: writersAtOnce }, (_, n) => writer(n + 1)))).flat()

    const unexpected = answers.filter(({ status }) => ![200, 201, 204, 404, 409, 422].includes(status))
    expect(unexpected.map(({ status, text }) => `${status} ${text}`)).toEqual([])
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThan(answers.length / 4)
    expect([...(await app.db.sql`select what, place, stored, truth from drift limit 20`)]).toEqual([])
  })

  test('a name is in step with what was renamed, whoever was faster', async () => {
    const [set, player] = [await make.set(), await make.player()]
    const rename = (n: number) =>
      operator.patch(`/v1/players/${player.id}`, aDocument('players', { last_name: `Name ${n}` }, {}, player.id))
    const card = () => operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(set), oncard: toMany([player]) }))
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => (n % 2 ? rename(n) : card())))
    expect(answers.every(({ status }) => status === 200 || status === 201)).toBe(true)
    const { name } = (await operator.get(`/v1/players/${player.id}`)).one.attributes
    const names = (await operator.get(`/v1/cards?filter[set_id]=${set.id}`)).many.map(
      ({ attributes }) => attributes.name,
    )
    expect(names).toEqual(Array(20).fill(name))
  })

  test('publishing while cards come in publishes every one of them', async () => {
    const set = await make.set()
    const players = await Promise.all(Array.from({ length: 20 }, () => make.player()))
    const publish = (status: string) => operator.patch(`/v1/sets/${set.id}`, aDocument('sets', { status }, {}, set.id))
    await Promise.all([
      ...players.map((player) =>
        operator.post('/v1/cards', aDocument('cards', {}, { set: toOne(set), oncard: toMany([player]) })),
      ),
      ...['published', 'draft', 'published', 'draft'].map(publish),
    ])
    await publish('published')
    const seen = await Promise.all(players.map(async ({ id }) => (await app.reader.get(`/v1/players/${id}`)).status))
    expect(seen).toEqual(players.map(() => 200))
  })
}

if (database) claims(await testApp({ db: database }))
else test.skip('a storm of writers needs TEST_DATABASE_URL', () => {})
