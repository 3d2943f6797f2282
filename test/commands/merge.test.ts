import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'

import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const run = runningCommands(app.context)

describe('cardstock merge', () => {
  test('makes records one, and merge undo takes it back', async () => {
    const [from, into] = [await make.player(), await make.player()]
    const card = await make.card({ oncard: [from] })
    const merged = await run('merge', 'players', into.id, from.id, '--note', 'one man', '--json')
    expect([merged.exit, merged.json]).toEqual([
      0,
      { id: expect.any(String), object_type: 'players', from_ids: [from.id], into_id: into.id, note: 'one man' },
    ])
    expect((await app.operator.get(`/v2/players/${into.id}/cards`)).many.map(({ id }) => id)).toEqual([card.id])
    const again = await run('merge', 'players', into.id, from.id)
    expect([again.exit, again.err]).toEqual([1, expect.stringContaining('There is no such player')])
    expect((await run('merge', 'undo', (merged.json as { id: string }).id)).out).toBe('The merge is undone.\n')
    expect((await app.operator.get(`/v2/players/${from.id}/cards`)).many.map(({ id }) => id)).toEqual([card.id])
  })

  test('a type that there is not, and an id that is none, are exit 2', async () => {
    const { id } = await make.player()
    for (const words of [
      ['people', id, id],
      ['players', 'x', id],
      ['players', id],
    ])
      expect((await run('merge', ...words)).exit).toBe(2)
  })
})

describe('cardstock split', () => {
  test('gives cards to a new player, by id or by what they are', async () => {
    const [player, set] = [await make.player(), await make.set()]
    const cards = [await make.card({ set, oncard: [player] }), await make.card({ oncard: [player] })] as const
    const bySet = await run('split', player.id, '--set', set.id, '--name', 'Frank Thomas', '--json')
    expect(bySet.json).toEqual({ id: expect.any(String), moved: 1 })
    const byId = await run('split', player.id, cards[1].id)
    expect([byId.exit, byId.out]).toEqual([0, expect.stringContaining('has 1 card.')])
    expect((await run('split', player.id, cards[1].id)).exit).toBe(1)
    expect((await run('split', player.id)).exit).toBe(2)
  })

  test('says which of the ids are wrong', async () => {
    const [player, other] = [await make.player(), await make.player()]
    const cards = [await make.card({ oncard: [player] }), await make.card({ oncard: [other] })] as const
    const split = await run('split', player.id, cards[0].id, cards[1].id)
    expect([split.exit, split.err]).toEqual([1, `${cards[1].id}: The player is not on this card.\n`])
    const none = crypto.randomUUID()
    const missing = 'There is no such player, or it is hidden from you.'
    expect((await run('merge', 'players', player.id, other.id, none)).err).toBe(`${none}: ${missing}\n`)
    expect((await run('merge', 'players', none, player.id)).err).toBe(`${none}: ${missing}\n`)
  })
})
