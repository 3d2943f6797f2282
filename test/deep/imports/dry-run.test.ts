import { expect, test } from 'bun:test'
import { runningCommands } from '../../commands/running.ts'
import { testApp } from '../../support/app.ts'

test('a dry run of more cards than it remembers says that it is not exact beyond them', async () => {
  const app = await testApp()
  const dryRun = async (count: number) => {
    const rows = Array.from({ length: count }, (_, at) => `Large,A${at + 1},Ann Lee\n`)
    const { out } = await runningCommands(
      app.context,
      `set,number,player\n${rows.join('')}`,
    )(...['import', '-', '--dry-run', '--json'])
    return JSON.parse(out)
  }
  expect(await dryRun(100_000)).toMatchObject({ cards: { created: 100_000 }, notes: {} })
  const { cards, notes } = await dryRun(100_002)
  expect(cards).toMatchObject({ created: 100_002 })
  expect(Object.keys(notes)).toEqual(['dry-run-inexact'])
  expect(notes['dry-run-inexact']).toMatchObject({ count: 1, examples: [{ line: 100_002 }] })
}, 600_000)
