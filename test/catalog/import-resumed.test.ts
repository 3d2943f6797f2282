import { expect, test } from 'bun:test'
import { strToU8, zipSync } from 'fflate'
import { readChecklist } from '../../src/catalog/import/read/checklist.ts'
import { type ImportOptions, writeChecklist } from '../../src/catalog/import/write/checklist.ts'
import type { ImportPoint } from '../../src/catalog/import/write/checkpoint.ts'
import type { ImportReport } from '../../src/catalog/import/write/report.ts'
import { deletePlayerTeam } from '../../src/catalog/write/entity/player-teams.ts'
import { writeEntities } from '../../src/catalog/write/entity/write.ts'
import type { Columns, EntityRecord } from '../../src/catalog/write/record.ts'
import { enter } from '../../src/catalog/write/write-transaction.ts'
import { Audience } from '../../src/lib/audience.ts'
import { testDatabase } from '../support/database.ts'

class Cut extends Error {}

/** Some chunks of rows: each database takes some hundred in one. */
const isServer = Boolean(process.env.TEST_DATABASE_URL)
const rows = isServer ? 2000 : 700
const cardsInOne = 500

/** Sets with a parent, equal rows, and bad rows in between. */
const withoutIds = [
  'genre,year,manufacturer,brand,set,parent_set,number,player,team,title,attributes,serial_number,notes',
  ...Array.from({ length: rows }, (_, row) => {
    const set = Math.floor(row / 40)
    const name = set === 20 ? 'x'.repeat(300) : `Set ${set}`
    const number = row % 97 === 5 ? 'n'.repeat(300) : String(row % 30)
    return `Baseball,1990,Topps,Topps,${name},Root ${set % 3},${number},Player ${row % 200},Team ${row % 30},,${row % 7 ? '' : 'RC'},,`
  }),
].join('\n')

/** Rows with ids of their own, which a server writes two chunks at once, in sets that go over several chunks. */
const withIds = [
  'id,genre,year,manufacturer,brand,set,number,player,team,attributes',
  ...Array.from({ length: isServer ? rows * 2 : rows }, (_, row) => {
    const number = row % 97 === 5 ? 'n'.repeat(300) : String(row)
    return `${crypto.randomUUID()},Baseball,1990,Topps,Topps,Set ${row % 3},${number},Player ${row % 200},Team ${row % 30},RC`
  }),
].join('\n')

/** Files about the same cards, with other columns. The first two rows of a number are told apart by their order. */
const inFiles = zipSync(
  Object.fromEntries(
    ['player', 'player,team', 'player,title'].map((columns, file) => [
      `${file}.csv`,
      strToU8(
        [
          `set,number,${columns}`,
          ...Array.from({ length: rows / 4 }, (_, row) => {
            const number = row % 300 === 1 ? 0 : row
            return `Filed ${row % 3},${number},Player ${number % 200}${['', `,Team ${number % 30}`, ',A title'][file]}`
          }),
        ].join('\n'),
      ),
    ]),
  ),
)

const source = (checklist: string | Uint8Array) => ({
  name: typeof checklist === 'string' ? 'cut.csv' : 'cut.zip',
  stream: (async function* () {
    yield typeof checklist === 'string' ? new TextEncoder().encode(checklist) : checklist
  })(),
})

type Run = (checklist: string | Uint8Array, resuming?: ImportOptions['resuming']) => Promise<ImportReport>
type Database = Awaited<ReturnType<typeof testDatabase>>
const runOn =
  (db: Database): Run =>
  (checklist, resuming) =>
    writeChecklist(db, readChecklist(source(checklist), { map: { id: 'id' } }), {
      ...{ cardsInOne, publish: false },
      now: () => new Date(),
      resuming,
    })

const countsOf = ({ sets, cards, faultCount, faults, files, forms, ...named }: ImportReport) => ({
  ...{ sets, cards, faultCount, files, forms, players: named.players, teams: named.teams },
  ...{ playerTeams: named.playerTeams, labels: named.labels, years: named.years },
  faults: faults.map(({ line, reason }) => `${line} ${reason}`).toSorted(),
})

test.each([
  ['', withoutIds, 20],
  ['of rows with ids, ', withIds, 3],
  ['of several files about the same cards, ', inFiles, 3],
] as const)(
  'an import %sthat is cut after every step counts each row and each set once, as one that ran through',
  async (_, checklist, sets) => {
    const [whole, cut] = [await testDatabase(), await testDatabase()]
    const expected = countsOf(await runOn(whole)(checklist))
    expect(expected.cards.created).toBeGreaterThan(checklist === inFiles ? rows * 0.24 : rows * 0.9)
    if (checklist === inFiles) expect(expected.cards.created).toBeLessThan(rows * 0.3)
    expect(expected.sets.created).toBeGreaterThanOrEqual(sets)
    let from: ImportPoint | undefined
    let cuts = 0
    for (;;) {
      let steps = 0
      const keep = async (_: unknown, point: ImportPoint) => {
        if (++steps > 1) throw new Cut()
        pending = JSON.parse(JSON.stringify(point))
      }
      let pending: ImportPoint | undefined
      const report = await runOn(cut)(checklist, { from, keep }).catch((error: unknown) => {
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
    for (const db of [whole, cut]) await db.close()
  },
  240_000,
)

test('an import that is cut while it prunes notes once why some missing cards stay', async () => {
  const db = await testDatabase()
  const rowsOf = (count: number) => Array.from({ length: count }, (_, row) => `Pruned,${row},Ann Lee`)
  const [all, few] = [rowsOf(1300), [...rowsOf(2), ',1299,']].map((lines) => ['set,number,player', ...lines].join('\n'))
  const prune = (resuming: ImportOptions['resuming']) =>
    writeChecklist(db, readChecklist(source(few as string), { map: { id: 'id' } }), {
      ...{ cardsInOne, publish: false },
      prune: true,
      now: () => new Date(),
      resuming,
    })
  await runOn(db)(all as string)
  let from: ImportPoint | undefined
  const keep = async (_: unknown, point: ImportPoint) => {
    if (from?.report.pruned) throw new Cut()
    from = JSON.parse(JSON.stringify(point))
  }
  expect(await prune({ keep }).catch((error: unknown) => error)).toBeInstanceOf(Cut)
  expect(from?.report.pruned).toBe(500)
  const { notes, pruned, missingCount } = await prune({ from, keep: async () => {} })
  expect([notes['not-pruned']?.count, pruned, missingCount]).toEqual([1, 1297, 1298])
  await db.close()
})

test('a name that somebody corrected, and a player-team that they deleted, are counted as kept once, though the import is cut', async () => {
  const db = await testDatabase()
  const file = [
    'set,number,player,team',
    ...Array.from({ length: rows * 2 }, (_, row) => `Kept,${row},Ann Lee,${row % 2 ? 'Elks' : 'Owls'}`),
  ].join('\n')
  await runOn(db)('set,number,player,team\nOther,1,Ann Lee,Owls\nOther,2,Ann Lee,Elks\n')
  const writer = { level: Audience.draft, now: new Date() }
  const [elks] = await db.sql<{ id: string }[]>`select id from teams where name = 'Elks'`
  const [pair] = await db.sql<{ id: string }[]>`select id from player_teams where name = 'Ann Lee (Owls)'`
  const renamed = {
    id: elks?.id as string,
    change: (before?: EntityRecord) => ({
      ...{ deleted: false, columns: { ...before?.columns, name: 'Moose' } as Columns },
    }),
  }
  await enter(db, (tx) => writeEntities(tx, 'teams', [renamed], writer))
  await enter(db, (tx) => deletePlayerTeam(tx, pair?.id as string, writer))
  let from: ImportPoint | undefined
  const keep = async (_: unknown, point: ImportPoint) => {
    if (from?.report.keptCount) throw new Cut()
    from = JSON.parse(JSON.stringify(point))
  }
  expect(await runOn(db)(file, { keep }).catch((error: unknown) => error)).toBeInstanceOf(Cut)
  const { kept, keptCount } = await runOn(db)(file, { from, keep: async () => {} })
  expect([keptCount, kept.map(({ type, field }) => `${type} ${field}`).toSorted()]).toEqual([
    2,
    ['playerteams deleted', 'teams name'],
  ])
  await db.close()
})
