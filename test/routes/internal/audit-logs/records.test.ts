import { beforeEach, describe, expect, test } from 'bun:test'
import { runningCommands } from '../../../commands/running.ts'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { aDocument, factories, toMany, toOne } from '../../../support/factories.ts'
import { aPng } from '../../../support/image.ts'
import { runJobs } from '../../../support/jobs.ts'
import { operate } from '../../../support/storm-of-writers.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)

type Logged = { event_type: string; auditable_type: string; auditable_id: string | null; data: unknown }
let before = '0'
const last = async () =>
  (await app.db.sql<{ id: string }[]>`select coalesce(max(id), 0) as id from audit_logs`)[0]?.id ?? '0'
const logged = async () => [
  ...(await app.db.sql<Logged[]>`
    select event_type, auditable_type, auditable_id, data from audit_logs where id > ${before}::bigint order by id`),
]
const nothingYet = async () => {
  before = await last()
}
const entry = (event_type: string, auditable_id: string | null, data: object = {}) => ({
  ...{ event_type, auditable_type: event_type.replace(/\..*$/, ''), auditable_id, data },
})

let card: Shown
beforeEach(async () => {
  card = await make.card()
  await nothingYet()
})

describe('the audit log has an entry', () => {
  test('for a card that is created, changed, deleted and restored, with who did it', async () => {
    const made = await make.card({ set: await make.set() })
    await operator.patch(`/v1/cards/${made.id}`, aDocument('cards', { title: 'One' }, {}, made.id))
    await operator.delete(`/v1/cards/${made.id}`)
    const events = (await logged()).filter(({ auditable_type }) => auditable_type === 'card')
    expect(events).toEqual([
      entry('card.created', made.id),
      entry('card.updated', made.id, { fields: ['title'] }),
      entry('card.deleted', made.id),
    ])
    const { many } = await operator.get(`/internal/audit-logs?filter[auditable_id]=${made.id}`)
    expect(many.map(({ attributes }) => attributes.agent_id)).toEqual(Array(3).fill(many[0]?.attributes.agent_id))
    expect(many[0]?.attributes.agent_id).toStartWith('user:')
  })

  test('for each type that one request changes, however many records', async () => {
    const [set, player] = [await make.set(), await make.player()]
    const cards = Array.from({ length: 3 }, () => Bun.randomUUIDv7())
    await nothingYet()
    await operate(operator, [
      ...cards.map((id) => ({ op: 'add', data: { type: 'cards', id, relationships: { set: toOne(set) } } })),
      { op: 'update', data: { type: 'players', id: player.id, attributes: { position: 'CF' } } },
    ])
    expect(await logged()).toEqual([
      entry('card.created', null, { count: 3, ids: cards }),
      entry('player.updated', player.id, { fields: ['position'] }),
    ])
  })

  test('for a batch, with how many cards and the first 100', async () => {
    const set = await make.set()
    const ids = Array.from({ length: 120 }, () => Bun.randomUUIDv7())
    const row = (id: string) => ({ type: 'cards', id, attributes: { title: 'x' }, relationships: { set: toOne(set) } })
    await nothingYet()
    expect((await operator.post('/internal/card-batches', { data: [card.id, ...ids].map(row) })).status).toBe(202)
    await runJobs(app.context)
    expect(await logged()).toEqual([
      entry('card.created', null, { count: 120, ids: ids.slice(0, 100) }),
      entry('card.updated', null, { count: 1, ids: [card.id] }),
    ])
  })

  test('for an import and its undoing, and none for its cards', async () => {
    const text = 'set,number,player\nLogged,1,Ann Lee\nLogged,2,Ann Lee\n'
    const { out } = await runningCommands(app.context, text)('import', '-', '--json')
    const { id } = JSON.parse(out)
    await runningCommands(app.context)('import', '--undo', id)
    expect((await logged()).filter(({ auditable_type }) => auditable_type !== 'set')).toMatchObject([
      { ...entry('import.finished', id), data: { name: '-', cards: { created: 2, updated: 0 } } },
      { ...entry('import.undone', id), data: { left: 0 } },
    ])
  })

  test('for an image that is added and deleted', async () => {
    const headers = { 'Content-Type': 'image/png' }
    const { one: image } = await operator.send('POST', `/v1/card-images?card_id=${card.id}`, {
      body: aPng(2, 2),
      headers,
    })
    await operator.delete(`/v1/card-images/${image.id}`)
    expect((await logged()).map(({ event_type, auditable_id }) => [event_type, auditable_id])).toEqual([
      ['card.updated', card.id],
      ['image.added', image.id],
      ['card.updated', card.id],
      ['image.deleted', image.id],
    ])
  })

  test('for a player-team that is deleted, with the cards that lose it', async () => {
    const pair = await make.playerTeam()
    const shown = await make.card({ oncard: [pair] })
    await nothingYet()
    await operator.delete(`/v1/player-teams/${pair.id}`)
    expect(await logged()).toEqual([
      entry('player_team.deleted', pair.id),
      entry('card.updated', shown.id, { fields: ['oncard'] }),
    ])
  })

  test('for nothing that is refused or stays as it is', async () => {
    await operator.patch(`/v1/cards/${card.id}`, aDocument('cards', {}, { oncard: toMany([card]) }, card.id))
    await operator.patch(
      `/v1/cards/${card.id}`,
      aDocument('cards', { title: card.attributes.title as null }, {}, card.id),
    )
    expect(await logged()).toEqual([])
  })
})
