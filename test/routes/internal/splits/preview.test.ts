import { describe, expect, test } from 'bun:test'
import { testApp } from '../../../support/app.ts'
import { factories } from '../../../support/factories.ts'
import { flat } from '../../../support/people.ts'

const app = await testApp()
const { operator } = app
const make = factories(app)
const preview = async (query: Record<string, string>) =>
  (await flat(operator, 'GET', `/internal/splits/preview?${new URLSearchParams(query)}`)).flat

const player = await make.player({ first_name: 'Frank', last_name: 'Thomas' })
const [pirates, sox] = [await make.team({ name: 'Pirates' }), await make.team({ name: 'White Sox' })]
const early = await make.set({ name: '1961 Topps', year: await make.year({ name: '1961' }) })
const late = await make.set({ name: '1990 Leaf', year: await make.year({ name: '1990-91' }) })
const first = await make.card({ set: early, number: '1', oncard: [await make.playerTeam({ player, team: pirates })] })
const [second, third] = [
  await make.card({ set: late, number: '2', oncard: [await make.playerTeam({ player, team: sox })] }),
  await make.card({ set: late, number: '10', oncard: [player] }),
]

describe('GET /internal/splits/preview', () => {
  test('without a choice lists all cards of the player, and what they can be chosen by', async () => {
    const { cards, choices, ...rest } = await preview({ player_id: player.id })
    expect(rest).toEqual({
      player: { id: player.id, name: 'Frank Thomas', disambiguation: null, cards_count: 3 },
      moves: 3,
    })
    expect(cards.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id, third.id])
    expect(cards[0]).toMatchObject({ set: { id: early.id, name: '1961 Topps' }, year: '1961' })
    const said = (kind: string) =>
      choices[kind].map(({ name, cards }: { name: string; cards: number }) => [name, cards])
    expect(said('years')).toEqual([
      ['1961', 1],
      ['1990-91', 2],
    ])
    expect(said('sets')).toEqual([
      ['1961 Topps', 1],
      ['1990 Leaf', 2],
    ])
    expect(said('teams')).toEqual([
      ['Pirates', 1],
      ['White Sox', 1],
    ])
  })

  test('lists the cards that the split of the same choice then moves', async () => {
    const choose = async (chosen: Record<string, string>) => (await preview({ player_id: player.id, ...chosen })).moves
    expect(await choose({ year_to: '1966' })).toBe(1)
    expect(await choose({ year_from: '1990' })).toBe(2)
    expect(await choose({ set_ids: `${early.id},${late.id}` })).toBe(3)
    expect(await choose({ team_id: sox.id, year_to: '1966' })).toBe(0)
    const { moves, cards } = await preview({ player_id: player.id, year_from: '1990' })
    const { flat: done } = await flat(operator, 'POST', '/internal/splits', {
      ...{ player_id: player.id, attributes: { disambiguation: 'Big Hurt' }, cards: { year_from: 1990 } },
    })
    expect(done.meta.moved).toBe(moves)
    const after = await preview({ player_id: done.data.id })
    expect(after.cards.map(({ id }: { id: string }) => id)).toEqual(cards.map(({ id }: { id: string }) => id))
  })

  test('refuses what is no choice, and knows no player that is not there', async () => {
    const status = async (query: string) => (await operator.get(`/internal/splits/preview?${query}`)).status
    expect(await status('')).toBe(400)
    expect(await status('player_id=57')).toBe(400)
    expect(await status(`player_id=${crypto.randomUUID()}`)).toBe(400)
    expect(await status(`player_id=${player.id}&year_to=soon`)).toBe(400)
    expect(await status(`player_id=${player.id}&set_ids=57`)).toBe(400)
    expect(await status(`player_id=${player.id}&color=red`)).toBe(400)
  })
})
