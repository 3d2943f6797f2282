import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../../support/answer.ts'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const split = (body: object) =>
  operator.send('POST', '/internal/splits', {
    ...{ body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } },
  })
const cardsOf = async ({ id }: Shown) =>
  (await operator.get(`/v2/players/${id}/cards`)).many.map((one) => one.id).toSorted()
const namesOf = (cards: Shown[]) => cards.map(({ id }) => id).toSorted()

const world = async () => {
  const player = await make.player({ first_name: 'Frank', last_name: 'Thomas' })
  const [pirates, sox] = [await make.team(), await make.team()]
  const pairs = [
    await make.playerTeam({ player, team: pirates }),
    await make.playerTeam({ player, team: sox }),
  ] as const
  const [early, late] = [
    await make.set({ year: await make.year(), status: 'published' }),
    await make.set({ year: await make.year() }),
  ]
  const cards = [
    await make.card({ set: early, oncard: [player] }),
    await make.card({ set: early, oncard: [pairs[0]] }),
    await make.card({ set: late, oncard: [pairs[1]] }),
  ] as const
  return { player, pirates, sox, pairs, early, late, cards }
}

describe('POST /internal/splits', () => {
  test('gives cards to a new player of the same name, with player-teams of his own', async () => {
    const { player, sox, cards, late } = await world()
    const answer = await split({
      ...{ player_id: player.id, attributes: { disambiguation: 'Big Hurt' }, cards: [cards[2].id] },
    })
    expect([answer.status, answer.meta]).toEqual([201, { moved: 1 }] as never)
    expect(answer.one.attributes).toMatchObject({ name: 'Frank Thomas', disambiguation: 'Big Hurt' })
    expect(await cardsOf(answer.one)).toEqual([cards[2].id])
    expect(await cardsOf(player)).toEqual(namesOf([cards[0], cards[1]]))
    const { many } = await operator.get(`/v2/player-teams?filter[player]=${answer.one.id}`)
    expect(many.map(({ attributes }) => attributes.team_id)).toEqual([sox.id])
    expect((await operator.get(`/v2/cards?filter[set]=${late.id}&filter[team]=${sox.id}`)).many).toHaveLength(1)
    const [revision] = (await operator.get(`/v2/cards/${cards[2].id}/revisions`)).many
    expect(revision?.attributes).toMatchObject({ cause: 'split', cause_id: answer.one.id })
    const groups = (await operator.get('/internal/duplicates?filter[object_type]=players')).many
    expect(groups.filter(({ attributes }) => JSON.stringify(attributes).includes(answer.one.id))).toEqual([])
    const log = await operator.get('/internal/audit-logs?filter[event_type]=player.split')
    expect(log.many[0]?.attributes).toMatchObject({
      auditable_id: answer.one.id,
      data: { player_id: player.id, cards: 1 },
    })
  })

  test('chooses cards by set, team, genre and years', async () => {
    const { player, early, pirates, cards } = await world()
    const named = { first_name: 'Frank', last_name: 'Thomas Sr.' }
    const bySet = await split({ player_id: player.id, attributes: named, cards: { set_ids: [early.id] } })
    expect(await cardsOf(bySet.one)).toEqual(namesOf([cards[0], cards[1]]))
    expect((await operator.get(`/v2/cards/${cards[0].id}`)).one.attributes.name).toContain('Frank Thomas Sr.')
    const byTeam = await split({ player_id: bySet.one.id, attributes: named, cards: { team_id: pirates.id } })
    expect(await cardsOf(byTeam.one)).toEqual([cards[1].id])
    const genre = await make.genre()
    const years = await Promise.all(['1951-52', '1989'].map((name) => make.year({ name })))
    const sets = await Promise.all(years.map((year) => make.set({ year, genre })))
    const dated = await Promise.all(sets.map((set) => make.card({ set, oncard: [player] })))
    const byYear = await split({
      ...{ player_id: player.id, attributes: named, cards: { genre_id: genre.id, year_from: 1951, year_to: 1966 } },
    })
    expect(await cardsOf(byYear.one)).toEqual([dated[0]?.id as string])
  })

  test('a card that the player is not on, none at all, and what cannot be read are a 422 at their place', async () => {
    const { player, cards } = await world()
    const other = await make.card()
    const refused = async (body: object) => {
      const answer = await split({ player_id: player.id, attributes: {}, ...body })
      return [answer.status, ...answer.faults.map((fault) => fault.split(' ')[1])]
    }
    expect(await refused({ cards: [cards[0].id, other.id] })).toEqual([422, '/cards/1'])
    expect(await refused({ cards: { set_ids: [crypto.randomUUID()] } })).toEqual([422, '/cards'])
    expect(await refused({ cards: {} })).toEqual([422, '/cards'])
    expect(await refused({ cards: { year_from: 'x', no: 1 } })).toEqual([422, '/cards/year_from', '/cards/no'])
    expect(await refused({ cards: [cards[0].id], attributes: { last_name: 1 } })).toEqual([
      422,
      '/attributes/last_name',
    ])
    expect(await refused({ cards: [cards[0].id], attributes: { last_name: 'a\0b', no: '\0' }, more: 1 })).toEqual([
      ...[422, '/more', '/attributes/last_name', '/attributes/no'],
    ])
    expect(await refused({ cards: [cards[0].id], attributes: 'x' })).toEqual([422, '/attributes'])
    for (const attributes of [{ first_name: '', last_name: ' ' }, { first_name: '' }])
      expect(await refused({ cards: [cards[0].id], attributes })).toEqual([422, '/attributes/last_name'])
    expect(await refused({ player_id: crypto.randomUUID(), cards: [cards[0].id] })).toEqual([422, '/player_id'])
    expect(await refused({})).toEqual([422, '/cards'])
    expect(await cardsOf(player)).toHaveLength(3)
  })
})
