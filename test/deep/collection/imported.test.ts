import { describe, expect, test } from 'bun:test'
import { runningCommands } from '../../commands/running.ts'
import { testApp } from '../../support/app.ts'
import { findCollection } from '../../support/collection.ts'

/** On the embedded database of a busy machine it takes minutes; the time that the runner gives a test is shorter. */
const patience = 600_000

const collection = findCollection('the import of the whole collection')

describe.skipIf(collection === null)('the whole collection', async () => {
  if (collection === null) return
  const app = await testApp()
  const run = runningCommands(app.context)
  const importAll = async () => JSON.parse((await run('import', collection, '--json')).out)
  const count = async () => ({
    ...(
      await app.db.sql`
        select (select count(*)::int from sets where parent_id is null) as releases,
          (select count(*)::int from sets where parent_id is not null) as sets,
          (select count(*)::int from cards) as cards, (select count(*)::int from changes) as changes,
          (select max(version)::int from cards) as version`
    )[0],
  })

  test(
    'is imported: 210 releases, 2,188 sets and 144,141 cards, with every anomaly reported',
    async () => {
      const report = await importAll()
      expect(report.faults).toEqual([])
      expect(report).toMatchObject({ forms: { release: 210 }, sets: { created: 2398 }, cards: { created: 144_141 } })
      expect(await count()).toMatchObject({ releases: 210, sets: 2188, cards: 144_141 })
      for (const [rule, notes] of Object.entries(
        report.notes as Record<string, { count: number; examples: unknown[] }>,
      ))
        expect([rule, notes.examples.length]).toEqual([rule, notes.count])
      expect(Object.values(report.rules as Record<string, number>).reduce((sum, cards) => sum + cards)).toBe(144_141)
    },
    patience,
  )

  test(
    'a second time changes nothing',
    async () => {
      const before = await count()
      expect(await importAll()).toMatchObject({
        sets: { created: 0, updated: 0, unchanged: 2398 },
        cards: { created: 0, updated: 0, unchanged: 144_141 },
      })
      expect(await count()).toEqual(before)
    },
    patience,
  )
})
