import { describe, expect, test } from 'bun:test'
import { runningCommands } from '../../commands/running.ts'
import { testApp } from '../../support/app.ts'
import { findCollection } from '../../support/collection.ts'

/** On the embedded database of a busy machine it takes minutes; the time that the runner gives a test is shorter. */
const patience = 1_800_000

const collection = findCollection('a plain checklist over the whole collection')

describe.skipIf(collection === null)('the whole collection', async () => {
  if (collection === null) return
  const app = await testApp()
  const { sql } = app.db

  /** The lines of an export's sets and cards, by id. */
  const linesById = async () => {
    const { out } = await runningCommands(app.context)('export')
    const lines = out.split('\n').filter((line) => /^\{"type":"(?:sets|cards)"/.test(line))
    return new Map(lines.map((line) => [/"id":"([^"]+)"/.exec(line)?.[1] ?? '', line]))
  }

  /** Every card whose set has its number once, as somebody types it: release, set, number, players. */
  const plainChecklist = async () => {
    const rows = await sql<{ release: string; set: string; number: string; player: string }[]>`
      select p.name as release, s.name as set, c.number, string_agg(w.name, '|' order by o.position) as player
      from sets s join sets p on p.id = s.parent_id and p.parent_id is null join cards c on c.set_id = s.id
      join oncard o on o.card_id = c.id join players w on w.id = o.player_id
      where c.number is not null
        and not exists (select from oncard bare where bare.card_id = c.id and bare.player_id is null)
        and not exists (select from cards other where other.set_id = c.set_id and other.number_key = c.number_key and other.id <> c.id)
      group by p.name, s.name, c.id, c.number order by p.name, s.name, c.id`
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
    const lines = rows.map(({ release, set, number, player }) => [number, player, set, release].map(cell).join())
    return { count: lines.length, text: ['number,player,set,parent_set', ...lines, ''].join('\n') }
  }

  test(
    'a plain checklist of numbers, players and sets changes no field that it lacks',
    async () => {
      const first = JSON.parse((await runningCommands(app.context)('import', collection, '--json')).out)
      expect(first.faults).toEqual([])
      const before = await linesById()
      const { count, text } = await plainChecklist()
      expect(count).toBeGreaterThan(first.cards.created / 2)
      const { sets, cards } = JSON.parse((await runningCommands(app.context, text)('import', '-', '--json')).out)
      // Without a year or a genre, some rows are refused. They change nothing either.
      expect(sets).toMatchObject({ created: 0, updated: 0 })
      expect(cards).toMatchObject({ created: 0, updated: 0 })
      expect(cards.unchanged + cards.failed).toBe(count)
      expect(cards.failed).toBeLessThan(count / 100)
      const after = await linesById()
      expect(after.size).toBe(before.size)
      for (const [id, line] of before) if (after.get(id) !== line) expect(after.get(id)).toBe(line)
    },
    patience,
  )
})
