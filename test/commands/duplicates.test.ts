import { describe, expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import { factories } from '../support/factories.ts'
import { runningCommands } from './running.ts'

const app = await testApp()
const make = factories(app)
const run = runningCommands(app.context)

describe('duplicates', () => {
  test('prints each group with what tells its records apart, until it is dismissed', async () => {
    const [one, other] = [await make.team({ name: 'Montréal Expos' }), await make.team({ name: 'Montreal Expos' })]
    await make.card({ oncard: [one] })
    const { exit, out } = await run('duplicates', 'teams')
    expect(exit).toBe(0)
    expect(out).toContain('teams  spelling\n')
    expect(out).toContain(`  ${one.id}  Montréal Expos  1 card\n`)
    expect(out).toContain(`  ${other.id}  Montreal Expos  0 cards\n`)
    const more = [await make.brand({ name: 'Leaf' }), await make.brand({ name: 'LEAF.' })]
    expect(more).toHaveLength(2)
    expect((await run('duplicates', '--json')).json).toMatchObject({
      groups: [
        { object_type: 'teams', reason: 'spelling' },
        { object_type: 'brands', reason: 'spelling' },
      ],
    })
    const dismissed = await run('duplicates', 'dismiss', 'teams', one.id, other.id, '--json')
    expect([dismissed.exit, dismissed.json]).toMatchObject([0, { object_type: 'teams', ids: [one.id, other.id] }])
    expect((await run('duplicates', 'teams')).out).toBe('')
    expect((await run('duplicates', 'teams', '--json')).json).toEqual({ groups: [] })
  })

  test('prints players who may be several people', async () => {
    const player = await make.player()
    for (const genre of [await make.genre(), await make.genre()])
      await make.card({ set: await make.set({ genre }), oncard: [player] })
    expect((await run('duplicates', '--collisions')).out).toContain(`players  genres\n  ${player.id}`)
  })

  test('says what it does not take', async () => {
    for (const words of [['genres'], ['teams', '--collisions'], ['teams', 'players']])
      expect((await run('duplicates', ...words)).exit).toBe(2)
    for (const words of [['teams'], ['teams', 'x'], ['genres', 'd0000000-0000-4000-8000-000000000000']])
      expect((await run('duplicates', 'dismiss', ...words)).exit).toBe(2)
    const { exit, err } = await run('duplicates', 'dismiss', 'teams', 'd0000000-0000-4000-8000-000000000000')
    expect([exit, err]).toEqual([1, expect.stringContaining('There is no such record among the teams.')])
  })
})
