import { afterAll, expect, test } from 'bun:test'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { type ImportOptions, writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import type { ImportPoint } from '../../src/catalog/import/write/point.ts'
import type { ImportReport } from '../../src/catalog/import/write/report.ts'
import { testDatabase } from '../support/database.ts'

class Cut extends Error {}

const whole = await testDatabase()
const cut = await testDatabase()
afterAll(async () => {
  for (const db of [whole, cut]) await db.close()
})

/** Some chunks of rows: a server takes 2,000 in one, the embedded database some hundred. */
const rows = whole.kind === 'postgres' ? 4500 : 700

/** Sets with a parent, equal rows, and bad rows in between. */
const checklist = [
  'genre,year,manufacturer,brand,set,parent_set,number,player,team,title,attributes,serial_number,notes',
  ...Array.from({ length: rows }, (_, row) => {
    const set = Math.floor(row / 40)
    const name = set === 20 ? 'x'.repeat(300) : `Set ${set}`
    const number = row % 97 === 5 ? 'n'.repeat(300) : String(row % 30)
    return `Baseball,1990,Topps,Topps,${name},Root ${set % 3},${number},Player ${row % 200},Team ${row % 30},,${row % 7 ? '' : 'RC'},,`
  }),
].join('\n')

const source = () => ({
  name: 'cut.csv',
  stream: (async function* () {
    yield new TextEncoder().encode(checklist)
  })(),
})

const run = (db: Awaited<ReturnType<typeof testDatabase>>, resuming: ImportOptions['resuming']) =>
  writeChecklist(db, readChecklist(source()), { publish: false, now: () => new Date(), resuming })

const countsOf = ({ sets, cards, faultCount, faults, files, forms }: ImportReport) => ({
  ...{ sets, cards, faultCount, files, forms },
  faults: faults.map(({ line, reason }) => `${line} ${reason}`).toSorted(),
})

test('an import that is cut after every step counts each row and each set once, as one that ran through', async () => {
  const expected = countsOf(await run(whole, undefined))
  expect(expected.cards.created).toBeGreaterThan(rows * 0.9)
  expect(expected.sets.created).toBeGreaterThan(20)
  let from: ImportPoint | undefined
  let cuts = 0
  for (;;) {
    let steps = 0
    const keep = async (_: unknown, point: ImportPoint) => {
      if (++steps > 1) throw new Cut()
      pending = JSON.parse(JSON.stringify(point))
    }
    let pending: ImportPoint | undefined
    const report = await run(cut, { from, keep }).catch((error: unknown) => {
      if (!(error instanceof Cut)) throw error
      return undefined
    })
    if (report) {
      expect(countsOf(report)).toEqual(expected)
      break
    }
    from = pending
    cuts++
  }
  expect(cuts).toBeGreaterThan(3)
  const [stored] = await cut.sql`select count(*)::int as cards from cards`
  expect(stored?.cards).toBe(expected.cards.created)
  expect([...(await cut.sql`select what from drift`)]).toEqual([])
}, 60_000)
