import { expect, test } from 'bun:test'
import { makeApp } from '../../../src/app.ts'
import { startNumbering } from '../../../src/catalog/sync/feed/number.ts'
import { makeContext } from '../../../src/context.ts'
import { testApp, testBaseUrl } from '../../support/app.ts'
import { type CallerName, type Client, clientWith } from '../../support/callers.ts'
import { endsFirst } from '../../support/ending.ts'
import { writers } from '../../support/writers.ts'

const app = await testApp()
endsFirst(startNumbering(app.context))

const callers = ['reader', 'draftReader'] as const

/** A client of a service on the same database that has answered nothing yet. */
const anew = (name: CallerName): Client => {
  const service = makeApp(makeContext(app.context))
  return clientWith(async (request) => service.handle(request), testBaseUrl, app.headers[name])
}

/** Where the record of a type is read alone. */
const pathOf = ({ type, id }: { type: string; id: string }) =>
  `/v1/${{ playerteams: 'player-teams' }[type] ?? type}/${id}`

const checklists = async () => {
  const sets = await app.db.sql<{ id: string }[]>`select id from sets where audience >= 1`
  return sets.map(({ id }) => `/v1/cards?filter[set_id]=${id}&include=set,oncard,attributes&per_page=100`)
}

test('answers show the catalog as it is now, whatever was answered and written before', async () => {
  const write = await writers(app, 60)
  let compared = 0
  for (const seed of [5, 6, 7, 8, 9, 10, 11, 12]) {
    let isWritten = false
    const reading = callers.map(async (name) => {
      while (!isWritten) for (const path of await checklists()) await app[name].get(path)
    })
    await write(seed)
    isWritten = true
    await Promise.all(reading)
    for (const name of callers) {
      const fresh = anew(name)
      for (const path of await checklists()) {
        const page = await app[name].get(path)
        expect(page.document).toEqual((await fresh.get(path)).document)
        const shown = [...page.many, ...page.included]
        const alone = await Promise.all(shown.map(async (one) => (await fresh.get(pathOf(one))).one))
        const again = await Promise.all(shown.map(async (one) => (await app[name].get(pathOf(one))).one))
        expect(shown).toEqual(alone)
        expect(again).toEqual(alone)
        compared += shown.length
      }
    }
  }
  expect(compared).toBeGreaterThan(100)
})
