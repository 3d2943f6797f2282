import { expect, test } from 'bun:test'
import { testApp } from '../support/app.ts'
import type { Client } from '../support/callers.ts'
import { writers } from '../support/writers.ts'

const app = await testApp()

/** Where the record of a type is read alone: what is read there is rendered from its row each time. */
const paths: Record<string, string> = { playerteams: 'player-teams' }

/** Every record that the checklists of all sets show, beside the same record read alone. */
const differences = async (caller: Client) => {
  const sets = await app.db.sql<{ id: string }[]>`select id from sets where audience >= 1`
  const pages = await Promise.all(
    sets.map(({ id }) => caller.get(`/v1/cards?filter[set_id]=${id}&include=set,oncard,attributes&per_page=100`)),
  )
  const shown = pages.flatMap((page) => [...page.many, ...page.included])
  const alone = await Promise.all(
    shown.map(async ({ type, id }) => (await caller.get(`/v1/${paths[type] ?? type}/${id}`)).one),
  )
  return { shown, alone }
}

test('checklists show every record as it is now, whatever was written since it was last shown', async () => {
  const write = await writers(app, 60)
  let compared = 0
  for (const seed of [5, 6, 7, 8, 9, 10, 11, 12]) {
    await write(seed)
    for (const caller of [app.reader, app.draftReader]) {
      const { shown, alone } = await differences(caller)
      expect(shown).toEqual(alone)
      compared += shown.length
    }
  }
  expect(compared).toBeGreaterThan(100)
})
