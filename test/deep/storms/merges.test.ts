import { describe, expect, test } from 'bun:test'
import type { Shown } from '../../support/answer.ts'
import { testApp } from '../../support/app.ts'
import { concurrentDatabase } from '../../support/database.ts'
import { aDocument, factories, toMany, toOne } from '../../support/factories.ts'
import { merging } from '../../support/merges.ts'

const db = await concurrentDatabase('merges beside writers of the same players')
const app = db && (await testApp({ db }))

describe.skipIf(!app)('merges beside writers', () => {
  test('lose no card and never deadlock, and undoing them brings each back', async () => {
    if (!app) return
    const { operator } = app
    const make = factories(app)
    const { merge, undo } = merging(app)
    const sets = await Promise.all(Array.from({ length: 4 }, () => make.set({ status: 'published' })))
    const [from, into, team] = [await make.player(), await make.player(), await make.team()]
    const pair = await make.playerTeam({ player: from, team })
    let goesOn = true
    const made: string[] = []
    const write = async (seed: number) => {
      for (let n = 0; goesOn; n++) {
        const oncard = [[from], [into], [pair], [from, into]][(n + seed) % 4] as Shown[]
        const set = sets[(n * 3 + seed) % 4] as Shown
        const answer = await operator.post(
          '/v1/cards',
          aDocument('cards', { number: `${seed}-${n}` }, { set: toOne(set), oncard: toMany(oncard) }),
        )
        expect([answer.status, answer.status === 201 ? '' : answer.text]).toEqual([201, ''])
        made.push(answer.one.id)
        if (n % 3 > 0) continue
        const changed = await operator.patch(
          `/v1/cards/${answer.one.id}`,
          aDocument('cards', { title: 'seen' }, { oncard: toMany([from]) }, answer.one.id),
        )
        expect([changed.status, changed.status === 200 ? '' : changed.text]).toEqual([200, ''])
      }
    }
    const writers = Array.from({ length: 8 }, (_, seed) => write(seed))
    const merged = await merge([from], into)
    const more = Array.from({ length: 3 }, () => make.player())
    for (const one of await Promise.all(more)) await merge([one], into)
    goesOn = false
    await Promise.all(writers)
    const [row] = await app.db.sql<{ live: string }[]>`select live from tallies where list = 2 and id = ${into.id}`
    expect(Number(row?.live)).toBe(made.length)
    expect((await operator.get(`/v2/players/${from.id}`)).status).toBe(301)
    expect([204, 409]).toContain((await undo(merged)).status)
  })

  test('of two that would make a circle one is refused', async () => {
    if (!app) return
    const make = factories(app)
    const { send } = merging(app)
    for (let round = 0; round < 5; round++) {
      const [one, other] = [await make.player(), await make.player()]
      await make.card({ oncard: [one, other] })
      const order = (from: Shown, into: Shown) =>
        send({ object_type: 'players', from_ids: [from.id], into_id: into.id })
      const answers = await Promise.all([order(one, other), order(other, one)])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
    }
  })
})
