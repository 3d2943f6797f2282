import { describe, expect, test } from 'bun:test'
import { testApp } from '../../support/app.ts'
import { factories } from '../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const document = (type: string, attributes: object) => ({ data: { type, attributes } })
const player = () => make.player({ first_name: 'Ken', last_name: 'Griffey' })

describe('a flat body of curation that comes as a document', () => {
  test('merges, splits, reverts and dismisses', async () => {
    const [into, from] = [await player(), await player()]
    const dismissal = document('duplicate_dismissals', { object_type: 'players', ids: [into.id, from.id] })
    expect((await operator.post('/internal/duplicates/dismissals', dismissal)).status).toBe(201)
    const merged = await operator.post(
      '/internal/merges',
      document('merges', { object_type: 'players', from_ids: [from.id], into_id: into.id }),
    )
    expect([merged.status, merged.one.attributes.from_ids]).toEqual([201, [from.id]] as never)
    const card = await make.card({ oncard: [into] })
    const parted = await operator.post(
      '/internal/splits',
      document('splits', { player_id: into.id, attributes: { position: 'OF' }, cards: [card.id] }),
    )
    expect([parted.status, parted.meta]).toEqual([201, { moved: 1 }] as never)
    const [revision] = (await operator.get(`/v2/cards/${card.id}/revisions`)).many
    const reverted = await operator.post(
      '/internal/reverts',
      document('reverts', { object_type: 'cards', object_id: card.id, revision: revision?.id }),
    )
    expect(reverted.status).toBe(201)
    expect((await operator.get(`/v2/players/${into.id}/cards`)).many.map(({ id }) => id)).toEqual([card.id])
  })

  test('has its faults at the attributes, and its type is that of the endpoint', async () => {
    const faulty = await operator.post(
      '/internal/merges',
      document('merges', { object_type: 'players', from_ids: [1] }),
    )
    expect(faulty.faults.toSorted()).toEqual([
      'VALIDATION-FAILED /data/attributes/from_ids/0',
      'VALIDATION-FAILED /data/attributes/into_id',
    ])
    const one = await player()
    const itself = { object_type: 'players', from_ids: [one.id], into_id: one.id }
    const refused = await operator.post('/internal/merges', document('merges', itself))
    expect(refused.faults).toEqual(['VALIDATION-FAILED /data/attributes/from_ids/0'])
    expect((await operator.post('/internal/merges', document('players', itself))).status).toBe(409)
    expect((await operator.post('/internal/merges', { data: { type: 'merges' } })).status).toBe(400)
  })
})
