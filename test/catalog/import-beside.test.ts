import { expect, test } from 'bun:test'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import { testApp } from '../support/app.ts'
import { aDocument } from '../support/factories.ts'

const app = await testApp()

/** Some chunks of rows with ids of their own: a server takes 2,000 in one, the embedded database some hundred. */
const rows = app.db.kind === 'postgres' ? 9000 : 900
const ids = Array.from({ length: rows }, () => crypto.randomUUID())
const players = 40

const checklist = [
  'id,genre,year,manufacturer,brand,set,number,player,team,attributes',
  ...ids.map(
    (id, row) => `${id},Baseball,1991,Topps,Topps,Set ${row % 3},${row},Player ${row % players},Team ${row % 5},RC`,
  ),
].join('\n')

const source = () => ({
  name: 'ids.csv',
  stream: (async function* () {
    yield new TextEncoder().encode(checklist)
  })(),
})

test('an import stays sound while others rename its players and hide its sets', async () => {
  const { db, operator } = app
  let told = 0
  const meddle = async () => {
    const [player] = await db.sql`select id from players where name like ${`%Player ${told % players}`} limit 1`
    const [set] = await db.sql`select id from sets where name = ${`Set ${told % 3}`}`
    const name = { first_name: 'Renamed', last_name: `Player ${told}` }
    const patches = [
      operator.patch(`/v1/players/${player?.id}`, aDocument('players', name, {}, player?.id)),
      operator.patch(
        `/v1/sets/${set?.id}`,
        aDocument('sets', { status: told % 2 ? 'draft' : 'published' }, {}, set?.id),
      ),
    ]
    told++
    expect((await Promise.all(patches)).map(({ status }) => status)).toEqual([200, 200])
  }
  const report = await writeChecklist(db, readChecklist(source()), {
    publish: true,
    now: () => new Date(),
    progress: meddle,
  })
  expect(told).toBeGreaterThan(3)
  expect(report.faults).toEqual([])
  expect(report.cards).toEqual({ created: rows, updated: 0, unchanged: 0, failed: 0 })
  expect([...(await db.sql`select what, place from drift`)]).toEqual([])
  const [truth] = await db.sql`
    select count(*)::int as cards, count(distinct c.id)::int as different,
      count(*) filter (where position(p.name in c.name) = 0)::int as misnamed
    from cards c join oncard o on o.card_id = c.id join players p on p.id = o.player_id`
  expect(truth).toEqual({ cards: rows, different: rows, misnamed: 0 })
})
